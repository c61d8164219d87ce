import { dictionary } from '#kernel/contract/dictionary.ts';

/** What is looked at before a card pays, in the order in which people are told. */
export const usageRules = dictionary('card.usageRule', {
  STATE: '卡状态',
  VALIDITY: '有效期',
  ORDER: '订单与门店',
  SCOPE: '商品范围',
  THRESHOLD: '使用门槛',
  STACKING: '叠加规则',
  LIMIT: '单次与单日限额',
  BALANCE: '可用余额',
});
export type UsageRule = (typeof usageRules.codes)[number];
