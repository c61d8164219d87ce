import { datasetAction, type Dataset } from '#kernel/server/datasets/dataset.ts';
import { dataset } from '#kernel/server/datasets/declare.ts';
import { exportAllocationRunList, queryAllocationRunList } from '../../contract/calls/allocation.ts';
import {
  auditAllocationRule,
  disableAllocationRule,
  enableAllocationRule,
  exportAllocationRuleList,
  queryAllocationRuleDetail,
  queryAllocationRuleList,
  submitAllocationRule,
} from '../../contract/calls/allocationRules.ts';
import { ruleMachine, type RuleAction } from '../../contract/ruleStates.ts';

// What pages of definitions may name of rules and of what they chose.

const PHASES: Readonly<Record<string, readonly string[]>> = { EFFECTIVE: ['SCHEDULED', 'EFFECTIVE', 'RETIRED'] };
/** An approved rule stands in one of several phases. */
const whileIn = (action: RuleAction) => ({
  column: 'phase',
  values: ruleMachine.transitions[action].from.flatMap((state) => PHASES[state] ?? [state]),
});

const ruleSet = dataset({
  code: 'orderAllocation.rule',
  label: '订单分配规则',
  targetType: 'order.rule',
  list: queryAllocationRuleList,
  key: 'id',
  version: 'version',
  routeKeys: [],
  columns: [
    'priority',
    'ruleCode',
    'ruleName',
    'conditionText',
    'strategy',
    'candidatesText',
    'allowSplit',
    'maxSplit',
    'ruleVersion',
    'effectiveFrom',
    'effectiveTo',
    'phase',
    'updatedBy',
    'updatedAt',
  ],
  filters: ['rule', 'strategy', 'phase'],
  detail: { call: queryAllocationRuleDetail, input: (id) => ({ id }), record: ({ rule }) => rule, trail: ({ trail }) => trail },
  export: exportAllocationRuleList,
  actions: [
    datasetAction({
      code: 'submit',
      label: '提交',
      kind: 'ROW',
      call: submitAllocationRule,
      form: {},
      input: ({ key, version }) => ({ id: key, version }),
      when: whileIn('submit'),
    }),
    datasetAction({
      code: 'audit',
      label: '审批',
      kind: 'UPDATE',
      call: auditAllocationRule,
      form: { decision: auditAllocationRule.input.shape.decision, opinion: auditAllocationRule.input.shape.opinion },
      input: ({ key, version, values }) => ({ id: key, version, ...values }),
      when: whileIn('approve'),
    }),
    datasetAction({
      code: 'enable',
      label: '启用',
      kind: 'ROW',
      call: enableAllocationRule,
      form: {},
      input: ({ key, version }) => ({ id: key, version }),
      when: whileIn('enable'),
    }),
    datasetAction({
      code: 'disable',
      label: '停用',
      kind: 'ROW',
      call: disableAllocationRule,
      form: {},
      input: ({ key, version, opinion }) => ({ id: key, version, opinion }),
      when: whileIn('disable'),
      confirm: '停用后不再按该规则分配订单，确定要停用吗?',
      danger: true,
      opinion: true,
    }),
  ],
});

const runSet = dataset({
  code: 'orderAllocation.run',
  label: '订单分配记录',
  targetType: 'order.order',
  list: queryAllocationRunList,
  key: 'id',
  routeKeys: [],
  columns: [
    'orderNo',
    'attempt',
    'trigger',
    'ruleText',
    'strategy',
    'succeeded',
    'resultText',
    'faultText',
    'operatorName',
    'opinion',
    'createdAt',
  ],
  filters: ['orderNo', 'trigger'],
  export: exportAllocationRunList,
  actions: [],
});

export const ruleSets: readonly Dataset[] = [ruleSet, runSet];
