import { dictionary } from '#kernel/contract/dictionary.ts';

export const holdBizTypes = dictionary('card.holdBizType', { ORDER: '订单', MANUAL: '手工订单', RIGHTS: '权益申请' });
export type HoldBizType = (typeof holdBizTypes.codes)[number];
export const operatorTypes = dictionary('card.operatorType', { AUTO: '系统', STORE: '门店', STAFF: '人工' });
export type OperatorType = (typeof operatorTypes.codes)[number];
export const reversalReasons = dictionary('card.reversalReason', {
  RETURN: '退货退款',
  WRONG_AMOUNT: '金额有误',
  WRONG_CARD: '核销错卡',
  DUPLICATE: '重复核销',
  OTHER: '其他',
});
export type ReversalReason = (typeof reversalReasons.codes)[number];

export const settlementDirections = dictionary('card.settlementDirection', { PAYABLE: '应付', RECEIVABLE: '应收' });
export type SettlementDirection = (typeof settlementDirections.codes)[number];
export const counterpartyTypes = dictionary('card.counterpartyType', {
  MERCHANT: '药店',
  INSURER: '保司',
  PHARMA: '药企',
  SPONSOR: '企业',
  PLATFORM: '平台',
  CUSTOMER: '个人客户',
});
export type CounterpartyType = (typeof counterpartyTypes.codes)[number];
export const lineSources = dictionary('card.lineSource', { WRITE_OFF: '核销', REVERSAL: '冲正', GRANT: '发放', ADJUST: '调整' });
export type LineSource = (typeof lineSources.codes)[number];
export const settleStates = dictionary('card.settleState', {
  NONE: { label: '未结算' },
  IN: { label: '结算中', tone: 'processing' },
  SETTLED: { label: '已结算', tone: 'success' },
});
export const matchStates = dictionary('card.matchState', {
  UNCHECKED: { label: '未比对' },
  MATCHED: { label: '一致', tone: 'success' },
  AMOUNT_DIFF: { label: '金额不符', tone: 'warning' },
  OURS_ONLY: { label: '对方缺失', tone: 'warning' },
  THEIRS_ONLY: { label: '我方缺失', tone: 'error' },
});
export const resolutions = dictionary('card.resolution', { OURS: '以我方为准', THEIRS: '以对方为准', NEXT: '移至下期' });
export const invoiceStates = dictionary('card.invoiceState', {
  NONE: { label: '未开票' },
  PART: { label: '部分开票', tone: 'processing' },
  DONE: { label: '已开票', tone: 'success' },
  RED: { label: '已红冲', tone: 'warning' },
});
/** What has to be right before a batch may be submitted. */
export const settlementChecks = dictionary('card.settlementCheck', {
  LINES: '结算单净额等于明细之和',
  TOTALS: '批次净额等于结算单之和',
  ONCE: '每笔核销、冲正只在一张有效结算单中',
  NEGATIVE: '没有负数结算单',
  SOURCES: '明细金额与核销记录一致',
  PARTNER: '结算对象完整',
});
export type SettlementCheck = (typeof settlementChecks.codes)[number];

/** What holds of all cards at every moment; looked at every night. */
export const invariants = dictionary('card.invariant', {
  I1: '每张凭证借贷相等',
  I2: '余额与次数不小于0',
  I3: '批次数量等于卡数',
  I4: '次数与流水一致',
  I5: '冲正不超过核销',
  I6: '资金批剩余不少于预占',
  I7: '每笔只结算一次',
  I8: '结算单与批次金额等于明细之和',
  I9: '卡余额与账簿一致',
  I10: '优惠券与权益次数不重复使用',
  I11: '卡密只存散列',
  I12: '应付商户余额等于未结算核销',
  I13: '订单的卡支付合计不超过应付',
  I14: '移至下期的明细只结算一次',
});
export type Invariant = (typeof invariants.codes)[number];
export const invariantGuides: Readonly<Record<Invariant, string>> = {
  I1: '停止相关操作，联系财务在账簿中核对该凭证',
  I2: '冻结该卡，核对其流水后由财务调账',
  I3: '在发卡批次详情重试制卡，或关闭该批次',
  I4: '核对该卡的权益次数流水',
  I5: '核对该核销的冲正单，必要时由财务调账',
  I6: '释放异常预占后重新检查',
  I7: '作废重复的结算单后重新生成',
  I8: '作废该结算单后重新生成批次',
  I9: '点击重建余额，按账簿写回该卡的余额',
  I10: '核对该卡的预占；权益申请无剩余次数的，联系理赔补发或线下处理',
  I11: '重置该卡卡密',
  I12: '核对该药店的核销、结算与付款',
  I13: '释放多余的预占，已核销的对多余部分申请冲正',
  I14: '作废含结转明细的结算单，核对后重新生成批次',
};

export const useDictionaries = [
  holdBizTypes,
  operatorTypes,
  reversalReasons,
  settlementDirections,
  counterpartyTypes,
  lineSources,
  settleStates,
  matchStates,
  resolutions,
  invoiceStates,
  settlementChecks,
  invariants,
];
