import { dictionary } from '#kernel/contract/dictionary.ts';

export const cardKinds = dictionary('card.kind', { STORED_VALUE: '储值卡', BENEFIT_CARD: '权益卡', COUPON: '优惠券' });
export type CardKind = (typeof cardKinds.codes)[number];
export const bizLines = dictionary('card.bizLine', { HMO: 'HMO', SAAS: 'SAAS', DAAS: 'DAAS', OWN: '自营' });
export type BizLine = (typeof bizLines.codes)[number];
export const funders = dictionary('card.funder', {
  INSURER: '保司',
  PHARMA: '药企',
  SPONSOR: '企业',
  PLATFORM: '平台',
  CUSTOMER: '个人客户',
});
export const fundingModes = dictionary('card.fundingMode', {
  PREPAID: '预付',
  ON_GRANT: '按发放结算',
  ON_USE: '按核销结算',
  SALE: '客户购买',
});
export type FundingMode = (typeof fundingModes.codes)[number];
export const lotKinds = dictionary('card.lotKind', { PRINCIPAL: '本金', BONUS: '赠金' });
