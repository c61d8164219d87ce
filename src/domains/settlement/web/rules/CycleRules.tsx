import { resource } from '#kernel/web/list/ResourceList.tsx';
import { querySettlementRuleList } from '../../contract/calls/rules.ts';
import { RuleList } from './RuleList.tsx';

const cycles = resource(querySettlementRuleList, {
  routeKey: 'settlementRules.cycles',
  empty: '还没有周期规则，点「新增规则」添加默认规则',
  filters: ['ruleCode', 'ruleName', 'status', 'validOn'],
  columns: [
    { key: 'ruleCode', required: true },
    'ruleName',
    'scopeText',
    'payerName',
    'freezeDays',
    'cycleDay',
    'minPayoutFen',
    'effectiveFrom',
    'effectiveTo',
    'versionNo',
    'maker',
    { key: 'opinion', hidden: true },
    { key: 'publishedAt', hidden: true },
    'status',
  ],
});

/** Tab 周期规则: who pays a doctor, when, and from which amount on. */
export const CycleRules = () => <RuleList of={cycles} ruleType="CYCLE" />;
