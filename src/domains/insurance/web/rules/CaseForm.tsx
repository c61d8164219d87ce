import { Button, Form, Select } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { send } from '#kernel/web/http/client.ts';
import { TypedItem } from '#kernel/web/form/TypedItem.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { trialAdjudicate } from '../../contract/claimRules/trial.ts';
import type { AdjudicationInput } from '../../contract/adjudication/input.ts';
import { adjudicationOutcomes, type AdjudicationOutcome } from '../../contract/adjudication/result.ts';
import { trialPermissions } from '../../contract/permissions.ts';
import { addTestCase, modifyTestCase, queryTestCaseList } from '../../contract/tests/calls.ts';
import { useMay } from '#kernel/web/session/store.ts';
import type { ClaimRulesSeen, TestCaseSeen } from './seen.ts';
import { TrialForm } from './TrialForm.tsx';
import { blankInput } from './trialInput.ts';
import '../shared/sheet.css';

interface Values {
  caseName: string;
  active: boolean;
  payableFen?: number | null;
  outcome?: AdjudicationOutcome | null;
}

interface CaseProps {
  seen: ClaimRulesSeen;
  of: TestCaseSeen | null;
  onClose(): void;
}

/** A test case: a claim, and what must come out of it. */
export function CaseForm({ seen, of, onClose }: CaseProps) {
  const productVersionId = seen.version.id;
  const [form] = Form.useForm<Values>();
  const [input, setInput] = useState<AdjudicationInput>(() => of?.input ?? blankInput(seen));
  const mayTry = useMay()(trialPermissions['claimRule.trial']);
  const facts = ({ caseName, active, payableFen, outcome }: Values): Omit<InputOf<typeof addTestCase>, 'productVersionId'> => ({
    caseName,
    active,
    input,
    expected: {
      ...(of?.expected.lines && { lines: of.expected.lines }),
      ...(of?.expected.controlHits && { controlHits: of.expected.controlHits }),
      ...(typeof payableFen === 'number' && { payableFen }),
      ...(outcome && { outcome }),
    },
  });
  const take = async () => {
    const result = await send(trialAdjudicate, { productVersionId, input });
    form.setFieldsValue({ payableFen: result.payableFen, outcome: result.outcome });
  };
  const body = (
    <>
      <Field of={addTestCase} name="caseName" />
      <Field of={addTestCase} name="active" />
      <TrialForm seen={seen} value={input} onChange={setInput} />
      <p className="ins-sub">期望结果（至少填写一项）</p>
      <TypedItem label="应赔金额" name="payableFen">
        <MoneyInput placeholder="不核对" />
      </TypedItem>
      <Form.Item label="结论" name="outcome">
        <Select
          allowClear
          placeholder="不核对"
          options={adjudicationOutcomes.options.map((one) => ({ value: one.value, label: one.label }))}
        />
      </Form.Item>
      {mayTry && <Button onClick={() => void take().catch(() => undefined)}>按当前内容试算并填入</Button>}
    </>
  );
  const shared = { open: true, width: 820, form, refreshes: [queryTestCaseList], onClose } as const;
  if (!of)
    return (
      <FormDrawer<typeof addTestCase, Values>
        {...shared}
        title="新增测试用例"
        call={addTestCase}
        initial={{ active: true }}
        toInput={(values) => ({ ...facts(values), productVersionId })}
        success="新增成功!"
      >
        {body}
      </FormDrawer>
    );
  return (
    <FormDrawer<typeof modifyTestCase, Values>
      {...shared}
      title={`编辑测试用例 ${of.caseName}`}
      call={modifyTestCase}
      recordKey={of.id}
      initial={{
        caseName: of.caseName,
        active: of.active,
        payableFen: of.expected.payableFen ?? null,
        outcome: of.expected.outcome ?? null,
      }}
      toInput={(values) => ({ ...facts(values), testCaseId: of.id, version: of.version })}
      success="修改成功!"
    >
      {body}
    </FormDrawer>
  );
}
