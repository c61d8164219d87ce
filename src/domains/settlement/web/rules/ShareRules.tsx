import { resource } from '#kernel/web/list/ResourceList.tsx';
import { querySettlementRuleList } from '../../contract/calls/rules.ts';
import { RuleList } from './RuleList.tsx';

const shares = resource(querySettlementRuleList, {
  routeKey: 'settlementRules',
  empty: '还没有分成规则，点「新增规则」添加默认规则',
  filters: ['ruleCode', 'ruleName', 'incomeType', 'status', 'validOn'],
  columns: [
    { key: 'ruleCode', required: true },
    'ruleName',
    'scopeText',
    'scopeWeight',
    { key: 'incomeType', plain: true },
    { key: 'baseType', plain: true },
    'ratioBp',
    'fixedFen',
    'capFen',
    'effectiveFrom',
    'effectiveTo',
    'versionNo',
    'maker',
    { key: 'opinion', hidden: true },
    { key: 'publishedAt', hidden: true },
    'status',
  ],
});

/** Tab 分成规则: what of a consultation is the doctor's. */
export const ShareRules = () => <RuleList of={shares} ruleType="SHARE" />;
