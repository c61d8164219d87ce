import { Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { asDraft, blankGroup, type BuiltGroup } from '#kernel/contract/rules/groups.ts';
import { isComplete } from '#kernel/contract/rules/typed.ts';
import { displayBy } from '#kernel/web/form/conflictRows.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { GroupEditor } from '#kernel/web/form/GroupEditor.tsx';
import { addClaimRule, claimRuleFacts, modifyClaimRule } from '../../contract/claimRules/calls.ts';
import { ruleOutcomes, ruleTypes } from '../../contract/claimRules/dictionaries.ts';
import { queryClaimRules, type ClaimRuleSeen } from '../../contract/claimRules/read.ts';
import { ruleSentence } from '../../contract/model/statements.ts';
import { queryTestCaseList } from '../../contract/tests/calls.ts';
import { ruleVariables, variableAt } from '../../contract/rules/variables.ts';
import type { ClaimRulesSeen } from './seen.ts';
import '../shared/sheet.css';

type Facts = Omit<InputOf<typeof addClaimRule>, 'productVersionId' | 'expression'>;
type Values = Facts & { expression: BuiltGroup };

const variables = ruleVariables.filter(({ stages }) => stages.includes('CLAIM'));
const refreshes = [queryClaimRules, queryTestCaseList];
const labels = labelsOf(claimRuleFacts.shape);

function RuleFields({ seen }: { seen: ClaimRulesSeen }) {
  const form = Form.useFormInstance<Values>();
  const outcome = Form.useWatch('outcome', form);
  const expression = Form.useWatch('expression', form);
  const asked = Form.useWatch('materialTypes', form) ?? [];
  const draft = expression && asDraft(expression);
  const of = addClaimRule;
  return (
    <>
      <div className="ins-two">
        <Field of={of} name="ruleCode" placeholder="如 GENE_TEST" />
        <Field of={of} name="ruleName" />
        <Field of={of} name="ruleType" />
        <Field of={of} name="priority" />
        <Field of={of} name="benefitCodes" extra="不选则适用全部责任">
          <Select
            mode="multiple"
            placeholder="全部"
            options={seen.benefits.map(({ benefitCode, benefitName }) => ({ value: benefitCode, label: benefitName }))}
          />
        </Field>
        <Field of={of} name="claimTypes" extra="不选则适用全部类型" />
      </div>
      <Form.Item label="条件" name="expression" required>
        <GroupEditor variables={variables} />
      </Form.Item>
      {draft && outcome && isComplete(draft, variableAt('CLAIM')) && (
        <p className="ins-sentence">{ruleSentence({ expression: draft, outcome, materialTypes: asked })}</p>
      )}
      <div className="ins-two">
        <Field of={of} name="outcome" />
        {outcome === 'REQUIRE_MATERIAL' && <Field of={of} name="materialTypes" required />}
        {outcome !== 'WARN' && (
          <Field of={of} name="reasonCode" required={outcome === 'REJECT_LINE' || outcome === 'REJECT_CLAIM'}>
            <Select
              allowClear
              showSearch={{ optionFilterProp: 'label' }}
              placeholder="请选择"
              options={seen.reasons
                .filter(({ code }) => code.startsWith('L'))
                .map(({ code, label }) => ({ value: code, label: `${code} ${label}` }))}
            />
          </Field>
        )}
        <Field of={of} name="enabled" />
      </div>
      <Field of={of} name="applicantText" />
      <Field of={of} name="internalNote" />
    </>
  );
}

const inputOf = ({ expression, ...values }: Values) => ({
  ...values,
  benefitCodes: values.benefitCodes ?? [],
  claimTypes: values.claimTypes ?? [],
  materialTypes: values.outcome === 'REQUIRE_MATERIAL' ? (values.materialTypes ?? []) : [],
  reasonCode: values.outcome === 'WARN' ? null : (values.reasonCode ?? null),
  expression: asDraft(expression ?? blankGroup()),
});

/** A rule of a version that is being written. */
export function RuleForm({ seen, rule, onClose }: { seen: ClaimRulesSeen; rule: ClaimRuleSeen | null; onClose(): void }) {
  if (!rule)
    return (
      <FormDrawer<typeof addClaimRule, Values>
        open
        title="新增理赔规则"
        width={860}
        call={addClaimRule}
        initial={{ benefitCodes: [], claimTypes: [], expression: blankGroup(), materialTypes: [], priority: 10, enabled: true }}
        toInput={(values) => ({ ...inputOf(values), productVersionId: seen.version.id })}
        refreshes={refreshes}
        success="新增成功!"
        onClose={onClose}
      >
        <RuleFields seen={seen} />
      </FormDrawer>
    );
  const { id, version, sentence: _sentence, expression, ...facts } = rule;
  return (
    <FormDrawer<typeof modifyClaimRule, Values>
      open
      title={`编辑理赔规则 ${rule.ruleName}`}
      width={860}
      call={modifyClaimRule}
      recordKey={id}
      initial={{ ...facts, expression }}
      toInput={(values) => ({ ...inputOf(values), claimRuleId: id, version })}
      labels={labels}
      display={displayBy({ ruleType: ruleTypes, outcome: ruleOutcomes })}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <RuleFields seen={seen} />
    </FormDrawer>
  );
}
