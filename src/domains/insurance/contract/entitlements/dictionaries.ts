import { dictionary } from '#kernel/contract/dictionary.ts';

export const entitlementKinds = dictionary('insurance.entitlementKind', {
  COUPON: '优惠券',
  BENEFIT_CARD: '权益卡',
  STORED_VALUE: '储值卡',
});
export type EntitlementKind = (typeof entitlementKinds.codes)[number];

export const couponModes = dictionary('insurance.couponMode', { FULL_CUT: '满减', CASH: '立减', DISCOUNT: '折扣', EXCHANGE: '兑换' });

export const validityModes = dictionary('insurance.validityMode', {
  FIXED: '固定日期',
  AFTER_GRANT: '发放后',
  AFTER_ACTIVATE: '激活后',
});

export const refundRules = dictionary('insurance.refundRule', { RESTORE: '退回原额度', NONE: '不退' });

export const costBearers = dictionary('insurance.costBearer', { INSURER: '保司', PHARMA: '药企', SPONSOR: '企业', PLATFORM: '平台' });

export const entitlementDictionaries = [entitlementKinds, couponModes, validityModes, refundRules, costBearers];
