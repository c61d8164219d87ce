import { dictionary } from '#kernel/contract/dictionary.ts';

export const manualSources = dictionary('order.manualSource', { ENTRY: '人工补录', IMPORT: '批量导入' });

/** Why a purchase is registered afterwards. */
export const manualReasons = dictionary('order.manualReason', {
  SYSTEM_DOWN: '系统故障',
  OFFLINE_SALE: '线下购药',
  STORE_MISS: '门店漏传',
  CORRECTION: '更正补单',
});

export const manualRejectReasons = dictionary('order.manualRejectReason', {
  RECEIPT_UNCLEAR: '小票影像不清',
  LINES_DIFFER: '商品明细与小票不符',
  AMOUNT_DIFFERS: '金额与小票不符',
  WRONG_PATIENT: '患者信息不符',
  NO_RX: '缺少处方',
  DUPLICATE: '与已有订单重复',
});

export const manualOrderDictionaries = [manualSources, manualReasons, manualRejectReasons];
