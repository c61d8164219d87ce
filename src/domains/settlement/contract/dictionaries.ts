import { dictionary } from '#kernel/contract/dictionary.ts';

export const ruleTypes = dictionary('settlement.ruleType', { SHARE: '分成规则', CYCLE: '周期规则' });
export type RuleType = (typeof ruleTypes.codes)[number];
/** What a share rule makes of a completed service. */
export const earnedTypes = dictionary('settlement.earnedType', { CONSULT: '咨询收入', FOLLOW_UP: '随访收入' });
export type EarnedType = (typeof earnedTypes.codes)[number];
export const incomeTypes = dictionary('settlement.incomeType', {
  CONSULT: '咨询收入',
  FOLLOW_UP: '随访收入',
  ADJUST: '人工调整',
  CLAWBACK: { label: '追回', tone: 'warning' },
});
export type IncomeType = (typeof incomeTypes.codes)[number];
export const baseTypes = dictionary('settlement.baseType', { PAID: '实付金额', LIST: '标价金额' });
export type BaseType = (typeof baseTypes.codes)[number];
export const payeeIdTypes = dictionary('settlement.payeeIdType', { ID_CARD: '身份证', HK_MO: '港澳居民来往内地通行证', PASSPORT: '护照' });
export type PayeeIdType = (typeof payeeIdTypes.codes)[number];
/** How tax is withheld: by law for those who run a platform and for those who do not. */
export const taxMethods = dictionary('settlement.taxMethod', { CUMULATIVE: '累计预扣法', PER_OCCURRENCE: '按次预扣预缴' });
export type TaxMethod = (typeof taxMethods.codes)[number];
/** Sensitive fields of an account for payment. */
export const payeeFields = ['idNo', 'bankAccountNo', 'mobile'] as const;

export const settlementDictionaries = [ruleTypes, earnedTypes, incomeTypes, baseTypes, payeeIdTypes, taxMethods];
