import { dictionary } from '#kernel/contract/dictionary.ts';
import { productLines } from '#domains/insurance/contract/businessLines.ts';

/** Business lines of insurance, and what nobody covers. */
export const bizLines = dictionary('order.bizLine', {
  STANDARD: productLines.label('STANDARD'),
  SAAS: productLines.label('SAAS'),
  RSB: productLines.label('RSB'),
  HMO: productLines.label('HMO'),
  DAAS: productLines.label('DAAS'),
  OWN: '自营',
});
export type BizLine = (typeof bizLines.codes)[number];

export const orderTypes = dictionary('order.orderType', {
  STORE_DIRECT: '门店直付',
  B2C: '送药到家',
  PICKUP: '门店自提',
  SERVICE: '服务订单',
});
export type OrderType = (typeof orderTypes.codes)[number];

export const orderOrigins = dictionary('order.origin', {
  APP: '用户端',
  STORE_POS: '门店端',
  PARTNER: '合作方接口',
  MANUAL: '手工补录',
});
export type OrderOrigin = (typeof orderOrigins.codes)[number];

export const rxResults = dictionary('order.rxResult', {
  NONE: '无需',
  PENDING: { label: '待审', tone: 'warning' },
  PASSED: { label: '通过', tone: 'success' },
  FAILED: { label: '不通过', tone: 'error' },
});

/** Why a pharmacist does not pass a prescription. */
export const rxReasons = dictionary('order.rxReason', {
  EXPIRED: '处方已过期',
  UNCLEAR: '处方影像不清',
  MISMATCH: '处方与所购药品不符',
  OVERDOSE: '用量超出处方',
  CONTRAINDICATED: '存在用药禁忌',
  NOT_PATIENT: '非患者本人处方',
  NO_SEAL: '缺少医师签章',
});

/** By whom and why an order was cancelled. */
export const cancelReasons = dictionary('order.cancelReason', {
  PATIENT: '患者要求取消',
  STAFF: '客服取消',
  NO_STOCK: '药品缺货',
  ADDRESS: '收货信息有误',
  RX_FAILED: '审方不通过',
  UNPAID: '超时未支付',
  CARD_TIMEOUT: '卡预占超时',
  REJECTED: '规则自动取消',
  INTERCEPTED: '拦截确认取消',
  CLAIM: '理赔方取消',
});
/** Those that somebody chooses. */
export const CHOSEN_CANCELS = ['PATIENT', 'STAFF', 'NO_STOCK', 'ADDRESS'] as const;

export const fundingKinds = dictionary('order.fundingKind', {
  COUPON: '优惠券',
  BENEFIT: '保司直付',
  BENEFIT_CARD: '权益卡',
  STORED_VALUE: '储值卡',
  CASH: '自付',
});
/** By which way cash came; what others name is shown as they name it. */
export const cashChannels = dictionary('order.cashChannel', { WECHAT: '微信支付', ALIPAY: '支付宝', STORE: '门店收银' });
export const fundingStates = dictionary('order.fundingState', {
  HELD: { label: '已预占', tone: 'processing' },
  CAPTURED: { label: '已支付', tone: 'success' },
  RELEASED: '已释放',
});

export const fulfilmentWays = dictionary('order.fulfilmentWay', { SHIP: '配送', PICKUP: '自提' });
export const pushStates = dictionary('order.pushState', {
  NONE: '未推送',
  SENT: { label: '已推送', tone: 'success' },
  UNKNOWN: { label: '结果未知', tone: 'warning' },
  FAILED: { label: '推送失败', tone: 'error' },
});

export const carriers = dictionary('order.carrier', {
  SF: '顺丰速运',
  JD: '京东物流',
  ZTO: '中通',
  YTO: '圆通',
  EMS: '邮政EMS',
  OWN: '自有配送',
});
export const trackStates = dictionary('order.trackState', {
  WAIT: '待揽收',
  TRANSIT: { label: '运输中', tone: 'processing' },
  DELIVERING: { label: '派送中', tone: 'processing' },
  SIGNED: { label: '已签收', tone: 'success' },
  PROBLEM: { label: '问题件', tone: 'error' },
  RETURNED: { label: '已退回', tone: 'error' },
});

export const exceptionTypes = dictionary('order.exceptionType', {
  ALLOC_FAILED: '无可用供应商',
  PUSH_FAILED: '推单失败',
  SUPPLIER_REJECTED: '供应商拒单',
  ACCEPT_TIMEOUT: '超时未接单',
  SHIP_TIMEOUT: '超时未发货',
  LOGISTICS_PROBLEM: '物流问题件',
  CARD_FAILED: '扣卡失败',
  AMOUNT_MISMATCH: '金额不符',
  REFUND_FAILED: '退款失败',
});
export type Carrier = (typeof carriers.codes)[number];
export type ExceptionType = (typeof exceptionTypes.codes)[number];

export const afterSaleTypes = dictionary('order.afterSaleType', { REFUND_ONLY: '仅退款', RETURN_REFUND: '退货退款' });
export const afterSaleReasons = dictionary('order.afterSaleReason', {
  NOT_SHIPPED: '未发货取消',
  QUALITY: '质量问题',
  WRONG_GOODS: '错发',
  DAMAGED: '破损',
  SHORT: '少件',
  RECALL: '召回',
  RETURNED: '拒收退回',
});

export const orderDocumentDictionaries = [
  bizLines,
  orderTypes,
  orderOrigins,
  rxResults,
  rxReasons,
  cancelReasons,
  fundingKinds,
  fundingStates,
  cashChannels,
  fulfilmentWays,
  pushStates,
  carriers,
  trackStates,
  exceptionTypes,
  afterSaleTypes,
  afterSaleReasons,
];
