import { Button, Form, Segmented, Skeleton } from 'antd';
import { lazy, Suspense, useEffect, type ComponentProps } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { asDraft, blankGroup, type BuiltGroup } from '#kernel/contract/rules/groups.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import {
  addAllocationRule,
  modifyAllocationRule,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  ruleCandidate,
  type AllocationRuleDetail,
} from '../../contract/calls/allocationRules.ts';
import { testCase } from '../../contract/calls/ruleFields.ts';
import { orderVariables } from '../../contract/rules/variables.ts';
import { SupplierSelect } from '../fulfilment/SupplierSelect.tsx';

const GroupEditor = lazy(async () => ({ default: (await import('#kernel/web/form/GroupEditor.tsx')).GroupEditor }));
const CaseFacts = lazy(async () => ({ default: (await import('./CaseFacts.tsx')).CaseFacts }));

/** Takes value and change from its form item. */
const Conditions = (props: Pick<ComponentProps<typeof GroupEditor>, 'value' | 'onChange'>) => (
  <Suspense fallback={<Skeleton active paragraph={{ rows: 2 }} />}>
    <GroupEditor {...props} variables={orderVariables} />
  </Suspense>
);
const CaseOrder = (props: ComponentProps<typeof CaseFacts>) => (
  <Suspense fallback={<Skeleton active paragraph={{ rows: 1 }} />}>
    <CaseFacts {...props} />
  </Suspense>
);

type Of = typeof addAllocationRule | typeof modifyAllocationRule;
type Facts = Omit<InputOf<typeof addAllocationRule>, 'ruleCode' | 'condition'> & { condition: BuiltGroup };
type NewFacts = Facts & { ruleCode: string };
type Candidate = Facts['candidates'][number];

const refreshes = [queryAllocationRuleList, queryAllocationRuleDetail];
const sent = ({ condition, candidates, ...facts }: Facts) => ({
  ...facts,
  condition: asDraft(condition),
  candidates: candidates.map((one) => ({ ...one, priority: one.priority ?? 1, weightPct: one.weightPct ?? 0 })),
});

function Candidates({ known }: { known: AllocationRuleDetail['candidates'] }) {
  const isWeighted = Form.useWatch('strategy') === 'WEIGHTED';
  const weights = (Form.useWatch<Candidate[] | undefined>('candidates') ?? []).reduce((sum, one) => sum + (one?.weightPct ?? 0), 0);
  return (
    <Form.List name="candidates">
      {(entries, { add, remove }) => (
        <Form.Item
          label="候选供应商"
          required
          extra={isWeighted ? `比例合计${weights}%，须为100%` : '优先级1最先；其他策略同分时按供应商编号'}
        >
          {entries.map((entry) => (
            <div className="kq-row" key={entry.key}>
              <div style={{ flex: 1 }}>
                <Field of={ruleCandidate} name="supplierId" within={[entry.name]} label={false}>
                  <SupplierSelect known={known.map(({ supplierId, supplierName }) => ({ value: supplierId, label: supplierName }))} />
                </Field>
              </div>
              <Field of={ruleCandidate} name="priority" within={[entry.name]} label={false} placeholder="优先级" hidden={isWeighted} />
              <Field of={ruleCandidate} name="weightPct" within={[entry.name]} label={false} placeholder="比例%" hidden={!isWeighted} />
              <Button type="link" danger style={{ marginBottom: 24 }} onClick={() => remove(entry.name)}>
                移除
              </Button>
            </div>
          ))}
          <Button onClick={() => add({ supplierId: undefined, priority: entries.length + 1, weightPct: 0 })}>添加供应商</Button>
        </Form.Item>
      )}
    </Form.List>
  );
}

/** Whether the rule is to hit the order of a case. */
const Expected = ({ value, onChange }: { value?: boolean; onChange?(expected: boolean): void }) => (
  <Segmented
    value={value === true ? 'HIT' : 'MISS'}
    options={[
      { value: 'HIT', label: '应命中' },
      { value: 'MISS', label: '不应命中' },
    ]}
    onChange={(chosen) => onChange?.(chosen === 'HIT')}
  />
);

function Cases() {
  return (
    <Form.List name="testCases">
      {(entries, { add, remove }) => (
        <Form.Item label="测试用例" extra="提交前至少要有一个应命中和一个不应命中的用例，且全部通过">
          {entries.map((entry) => (
            <fieldset key={entry.key} style={{ border: '1px solid var(--kq-line)', borderRadius: 6, padding: 12, marginBottom: 12 }}>
              <div className="kq-row">
                <Field of={testCase} name="name" within={[entry.name]} label={false} placeholder="用例名称" />
                <Field of={testCase} name="expected" within={[entry.name]} label={false}>
                  <Expected />
                </Field>
                <Button type="link" danger style={{ marginBottom: 24 }} onClick={() => remove(entry.name)}>
                  移除用例
                </Button>
              </div>
              <Form.Item name={[entry.name, 'facts']} noStyle>
                <CaseOrder name={`用例${entry.name + 1}`} />
              </Form.Item>
            </fieldset>
          ))}
          <Button onClick={() => add({ name: `用例${entries.length + 1}`, expected: entries.length === 0, facts: [] })}>添加用例</Button>
        </Form.Item>
      )}
    </Form.List>
  );
}

function RuleFields({ of, known }: { of: Of; known: AllocationRuleDetail['candidates'] }) {
  const allowSplit = Form.useWatch<boolean | undefined>('allowSplit') ?? false;
  return (
    <>
      <Field of={of} name="ruleName" />
      <Field of={of} name="priority" extra="数字小的规则先判断，第一条命中的规则生效" />
      <Form.Item label="适用条件" required>
        <Form.Item name="condition" noStyle>
          <Conditions />
        </Form.Item>
      </Form.Item>
      <Field of={of} name="strategy" />
      <Candidates known={known} />
      <Field of={of} name="allowSplit" extra="没有一家能全部供应时，拆给几家" />
      <Field of={of} name="maxSplit" hidden={!allowSplit} />
      <Field of={of} name="effectiveFrom" />
      <Field of={of} name="effectiveTo" placeholder="不填为长期有效" />
      <Cases />
    </>
  );
}

/** 新增: a draft, which another person approves. */
export function NewAllocationRule({ onChanged, onClose }: PageWindowProps) {
  return (
    <FormDrawer<typeof addAllocationRule, NewFacts>
      open
      title="新增分配规则"
      width={860}
      call={addAllocationRule}
      initial={{
        condition: blankGroup(),
        candidates: [],
        testCases: [],
        priority: 100,
        allowSplit: false,
        maxSplit: 1,
        effectiveFrom: todayHere(),
        effectiveTo: null,
      }}
      toInput={({ ruleCode, ...facts }) => ({ ruleCode, ...sent(facts) })}
      refreshes={refreshes}
      success="新增成功!"
      onDone={onChanged}
      onClose={onClose}
    >
      <Field of={addAllocationRule} name="ruleCode" placeholder="如 AR010" extra="保存后不能修改" />
      <RuleFields of={addAllocationRule} known={[]} />
    </FormDrawer>
  );
}

function EditForm({ detail, onChanged, onClose }: Omit<PageWindowProps, 'record'> & { detail: AllocationRuleDetail }) {
  const { rule, condition, testCases, candidates } = detail;
  const isNext = rule.allowedActions.includes('newVersion');
  const { ruleName, priority, strategy, allowSplit, maxSplit, effectiveTo } = rule;
  return (
    <FormDrawer<typeof modifyAllocationRule, Facts>
      open
      title={
        isNext ? `新建版本 ${rule.ruleCode} V${detail.versions[0]!.ruleVersion + 1}` : `编辑分配规则 ${rule.ruleCode} V${rule.ruleVersion}`
      }
      width={860}
      call={modifyAllocationRule}
      recordKey={rule.id}
      initial={{
        ruleName,
        priority,
        strategy,
        allowSplit,
        maxSplit,
        effectiveFrom: isNext ? todayHere() : rule.effectiveFrom,
        effectiveTo: isNext ? null : effectiveTo,
        condition: condition ?? blankGroup(),
        candidates: candidates.map(({ supplierId, priority: place, weightPct }) => ({ supplierId, priority: place, weightPct })),
        testCases: testCases.map(({ name, expected, facts }) => ({ name, expected, facts })),
      }}
      toInput={(facts) => ({ ...sent(facts), id: rule.id, version: rule.version })}
      refreshes={refreshes}
      success="修改成功!"
      {...(isNext && { footer: '已批准的规则不变，保存为新版本的草稿，批准后接替当前版本' })}
      onDone={onChanged}
      onClose={onClose}
    >
      <RuleFields of={modifyAllocationRule} known={candidates} />
    </FormDrawer>
  );
}

/** 编辑 of the row that the page names. */
export function AllocationRuleEdit({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error } = useData(queryAllocationRuleDetail, { id: record }, { quiet: true });
  useEffect(() => {
    if (!error) return;
    toastError(failureText(error));
    onClose();
  }, [error, onClose]);
  return data ? <EditForm detail={data} onChanged={onChanged} onClose={onClose} /> : null;
}
