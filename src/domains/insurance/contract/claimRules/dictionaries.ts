import { dictionary } from '#kernel/contract/dictionary.ts';

export const ruleTypes = dictionary('insurance.ruleType', { ELIGIBILITY: '资格', MATERIAL: '材料', MEDICAL: '医学', AMOUNT: '金额' });

export const ruleOutcomes = dictionary('insurance.ruleOutcome', {
  REJECT_LINE: { label: '核减该行', tone: 'error' },
  REJECT_CLAIM: { label: '拒赔', tone: 'error' },
  REQUIRE_MATERIAL: { label: '要求补件', tone: 'warning' },
  HOLD: { label: '转人工', tone: 'processing' },
  WARN: { label: '提示' },
});
export type RuleOutcome = (typeof ruleOutcomes.codes)[number];

export const claimRuleDictionaries = [ruleTypes, ruleOutcomes];
