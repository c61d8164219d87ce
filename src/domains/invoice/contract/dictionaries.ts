import { dictionary } from '#kernel/contract/dictionary.ts';

export const payChannels = dictionary('invoice.payChannel', { WECHAT: '微信支付', ALIPAY: '支付宝' });
/** Why a payment that succeeded did not pay its order. */
export const payFlags = dictionary('invoice.payFlag', {
  DUPLICATE: { label: '重复支付', tone: 'warning' },
  LATE: { label: '关单后到账', tone: 'warning' },
  AMOUNT: { label: '金额不符', tone: 'warning' },
});
export const refundSources = dictionary('invoice.refundSource', {
  AFTER_SALE: '售后或取消',
  DUPLICATE_PAY: '重复支付',
  LATE_PAY: '关单后到账',
  MANUAL: '人工',
});
export type RefundSource = (typeof refundSources.codes)[number];
export const refundWays = dictionary('invoice.refundWay', { ORIGINAL: '原路退回', OFFLINE: '线下退款' });
/** What became of a refund in a batch. */
export const batchOutcomes = dictionary('invoice.batchOutcome', {
  SUCCESS: { label: '退款成功', tone: 'success' },
  FAILED: { label: '退款失败', tone: 'error' },
  REMOVED: '已移出',
});

export const invoiceDictionaries = [payChannels, payFlags, refundSources, refundWays, batchOutcomes];
