// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface OrderAfterSale {
  id: GeneratedAlways<string>;
  afterSaleNo: string;
  orderId: string;
  type: 'REFUND_ONLY' | 'RETURN_REFUND';
  cause: 'AFTER_SALE' | 'CANCEL';
  reasonCode: 'NOT_SHIPPED' | 'QUALITY' | 'WRONG_GOODS' | 'DAMAGED' | 'SHORT' | 'RECALL' | 'RETURNED';
  refundFen: string;
  evidenceFileIds: Generated<string[]>;
  applicantText: Generated<string>;
  internalNote: Generated<string>;
  returnWaybill: string | null;
  state: 'PENDING_AUDIT' | 'WAIT_RETURN' | 'INSPECTING' | 'REFUNDING' | 'REFUNDED' | 'REFUSED' | 'CANCELLED';
  makerId: string | null;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  decidedAt: string | null;
  doneAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderAfterSaleLine {
  id: GeneratedAlways<string>;
  afterSaleId: string;
  orderLineId: string;
  quantity: number;
  withFreight: boolean;
}

export interface OrderAllocationRun {
  id: GeneratedAlways<string>;
  orderId: string;
  attempt: number;
  ruleCode: string | null;
  ruleVersion: number | null;
  strategy: string;
  trigger: 'AUTO' | 'MANUAL' | 'REALLOC';
  candidates: ColumnType<unknown, string, string>;
  result: ColumnType<unknown, string, string>;
  succeeded: boolean;
  operatorId: string | null;
  operatorName: string | null;
  opinion: string | null;
  createdAt: string;
}

export interface OrderContract {
  contractId: string;
  contractNo: string;
  patientId: string;
  state: string;
  productLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS';
  productCode: string;
  insurerId: string | null;
  policyId: string;
  effectiveFrom: string;
  effectiveTo: string;
  drugIds: string[];
  limits: ColumnType<unknown, string, string>;
  updatedAt: string;
}

export interface OrderException {
  id: GeneratedAlways<string>;
  exceptionNo: string;
  orderId: string;
  fulfilmentId: string | null;
  type: 'ALLOC_FAILED' | 'PUSH_FAILED' | 'SUPPLIER_REJECTED' | 'ACCEPT_TIMEOUT' | 'SHIP_TIMEOUT' | 'LOGISTICS_PROBLEM' | 'CARD_FAILED' | 'AMOUNT_MISMATCH' | 'REFUND_FAILED';
  detail: string;
  state: Generated<'OPEN' | 'HANDLING' | 'RESOLVED' | 'IGNORED'>;
  ownerId: string | null;
  ownerName: string | null;
  dueAt: string;
  resolution: string | null;
  closedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderFulfilment {
  id: GeneratedAlways<string>;
  fulfilmentNo: string;
  orderId: string;
  supplierId: string;
  way: 'SHIP' | 'PICKUP';
  state: 'WAIT_PUSH' | 'WAIT_ACCEPT' | 'WAIT_SHIP' | 'WAIT_PICKUP' | 'PART_SHIPPED' | 'SHIPPED' | 'SIGNED' | 'REJECTED' | 'CANCELLING' | 'CANCELLED' | 'RETURNED';
  stateBeforeCancel: string | null;
  pushState: Generated<'NONE' | 'SENT' | 'UNKNOWN' | 'FAILED'>;
  pushTimes: Generated<number>;
  askedTimes: Generated<number>;
  askDueAt: string | null;
  supplierOrderNo: string | null;
  rejectReason: string | null;
  supplyFen: string;
  freightFen: string;
  pickupCode: string | null;
  acceptDeadline: string | null;
  shipDeadline: string | null;
  acceptedAt: string | null;
  shippedAt: string | null;
  signedAt: string | null;
  endedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderFulfilmentLine {
  fulfilmentId: string;
  orderLineId: string;
  quantity: number;
  supplyPriceFen: string;
  shippedQty: Generated<number>;
}

export interface OrderFunding {
  id: GeneratedAlways<string>;
  orderId: string;
  kind: 'COUPON' | 'BENEFIT' | 'STORED_VALUE' | 'BENEFIT_CARD' | 'CASH';
  refId: string;
  refName: string;
  holdId: string | null;
  amountFen: string;
  refundedFen: Generated<string>;
  state: 'HELD' | 'CAPTURED' | 'RELEASED';
  createdAt: string;
}

export interface OrderFundingLine {
  fundingId: string;
  orderLineId: string;
  amountFen: string;
  refundedFen: Generated<string>;
  writeOffId: string | null;
}

export interface OrderLine {
  id: Generated<string>;
  orderId: string;
  lineNo: number;
  medicineId: string | null;
  goodsCode: string;
  goodsName: string;
  spec: string;
  manufacturer: string | null;
  approvalNo: string | null;
  quantity: number;
  unitPriceFen: string;
  amountFen: GeneratedAlways<string>;
  discountFen: string;
  freightFen: string;
  rxRequired: boolean;
  coldChain: boolean;
  daysSupply: number | null;
  taxRateBp: number | null;
  taxCode: string | null;
  taxScheme: string | null;
  allocatedQty: Generated<number>;
  shippedQty: Generated<number>;
  refundedQty: Generated<number>;
  traceCodes: Generated<string[]>;
}

export interface OrderManual {
  id: GeneratedAlways<string>;
  manualNo: string;
  source: 'ENTRY' | 'IMPORT';
  bizLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS' | 'OWN';
  drugstoreId: string;
  drugstoreName: string;
  receiptNo: string;
  purchaseDate: string;
  patientId: string | null;
  buyerNameCipher: string;
  buyerNameHash: string;
  buyerNameMasked: string;
  buyerMobileCipher: string;
  buyerMobileHash: string;
  buyerMobileMasked: string;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  rxPassedBy: string;
  contractId: string | null;
  insurerId: string | null;
  cardId: string | null;
  cardText: string | null;
  goodsFen: string;
  benefitFen: string;
  cardFen: string;
  selfPayFen: string;
  attachmentFileIds: string[];
  reasonCode: 'SYSTEM_DOWN' | 'OFFLINE_SALE' | 'STORE_MISS' | 'CORRECTION';
  matchExplain: string | null;
  rejectReasons: Generated<string[]>;
  failReason: string | null;
  notDuplicate: Generated<boolean>;
  priceChecked: Generated<boolean>;
  holdId: string | null;
  holdRound: Generated<number>;
  holdExpireAt: string | null;
  reservedOrderId: string | null;
  reservedOrderNo: string | null;
  orderId: string | null;
  state: 'DRAFT' | 'PENDING_REVIEW' | 'REJECTED' | 'POSTING' | 'FAILED' | 'DONE' | 'VOIDED';
  stateSince: string;
  makerId: string | null;
  makerName: string;
  submittedBy: string | null;
  submittedAt: string | null;
  checkerId: string | null;
  checkerName: string | null;
  reviewedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderManualLine {
  id: GeneratedAlways<string>;
  manualId: string;
  lineNo: number;
  medicineId: string;
  goodsCode: string;
  goodsName: string;
  spec: string;
  rxRequired: boolean;
  quantity: number;
  unitPriceFen: string;
  amountFen: GeneratedAlways<string>;
  listPriceFen: string | null;
  benefitFen: Generated<string>;
  cardFen: Generated<string>;
  orderLineId: string | null;
}

export interface OrderOrder {
  id: Generated<string>;
  orderNo: string;
  outerNo: string | null;
  placedBy: string | null;
  origin: 'APP' | 'STORE_POS' | 'PARTNER' | 'MANUAL';
  bizLine: 'STANDARD' | 'SAAS' | 'RSB' | 'HMO' | 'DAAS' | 'OWN';
  orderType: 'STORE_DIRECT' | 'B2C' | 'PICKUP' | 'SERVICE';
  patientId: string;
  buyerNameCipher: string;
  buyerNameHash: string;
  buyerNameMasked: string;
  buyerMobileCipher: string;
  buyerMobileHash: string;
  buyerMobileMasked: string;
  contractId: string | null;
  claimOrderId: string | null;
  policyId: string | null;
  insurerId: string | null;
  productCode: string | null;
  drugstoreId: string | null;
  drugstoreName: string | null;
  receiverNameCipher: string | null;
  receiverNameMasked: string | null;
  receiverMobileCipher: string | null;
  receiverMobileMasked: string | null;
  adcode: string | null;
  addressCipher: string | null;
  addressMasked: string | null;
  addressHash: string | null;
  lng: number | null;
  lat: number | null;
  rxFileIds: Generated<string[]>;
  rxNo: string | null;
  diagnosisCipher: string | null;
  rxResult: 'NONE' | 'PENDING' | 'PASSED' | 'FAILED';
  rxBy: string | null;
  rxByName: string | null;
  rxAt: string | null;
  rxReasons: Generated<string[]>;
  goodsFen: string;
  freightFen: string;
  discountFen: string;
  payableFen: GeneratedAlways<string>;
  couponFen: Generated<string>;
  benefitFen: Generated<string>;
  cardFen: Generated<string>;
  selfPayFen: string;
  refundedFen: Generated<string>;
  cardIds: Generated<string[]>;
  payRound: Generated<number>;
  state: 'PENDING_PAYMENT' | 'PENDING_RX' | 'INTERCEPTED' | 'PENDING_ALLOCATION' | 'FULFILLING' | 'COMPLETED' | 'CANCELLED' | 'CLOSED';
  stepSince: string;
  stepDue: string | null;
  interceptTags: Generated<string[]>;
  allocAttempts: Generated<number>;
  suggestNo: string | null;
  buyerRemark: Generated<string>;
  staffRemark: Generated<string>;
  payDeadline: string | null;
  paidAt: string | null;
  completedAt: string | null;
  cancelledAt: string | null;
  cancelReason: string | null;
  leaseUserId: string | null;
  leaseUserName: string | null;
  leaseToken: string | null;
  leaseUntil: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderPayment {
  paymentNo: string;
  orderId: string;
  channel: string;
  amountFen: string;
  paidAt: string;
  answer: 'ACCEPTED' | 'DUPLICATE' | 'ENDED' | 'AMOUNT_DIFFERS';
  createdAt: string;
}

export interface OrderRefundPart {
  id: GeneratedAlways<string>;
  afterSaleLineId: string;
  fundingId: string;
  orderLineId: string;
  amountFen: string;
  state: Generated<'WAITING' | 'DONE' | 'FAILED'>;
  failReason: string | null;
  doneAt: string | null;
}

export interface OrderRule {
  id: GeneratedAlways<string>;
  kind: 'ALLOCATION';
  ruleCode: string;
  ruleVersion: number;
  ruleName: string;
  priority: number;
  condition: ColumnType<unknown, string | null | undefined, string | null>;
  testCases: ColumnType<unknown, string | undefined, string>;
  effectiveFrom: string;
  effectiveTo: string | null;
  strategy: 'FIXED' | 'PRIORITY' | 'NEAREST' | 'LOWEST_COST' | 'WEIGHTED' | null;
  candidates: ColumnType<unknown, string | null | undefined, string | null>;
  allowSplit: boolean | null;
  maxSplit: number | null;
  state: Generated<'DRAFT' | 'PENDING_APPROVAL' | 'REJECTED' | 'EFFECTIVE' | 'DISABLED'>;
  isFallback: Generated<boolean>;
  submittedBy: string | null;
  approvedBy: string | null;
  approverName: string | null;
  approvedAt: string | null;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderShield {
  id: GeneratedAlways<string>;
  goodsCode: string;
  goodsName: string;
  scope: 'ALL' | 'PRODUCT' | 'REGION' | 'CHANNEL';
  scopeValues: Generated<string[]>;
  scopeWords: string;
  displayText: string;
  reason: string;
  effectiveFrom: string;
  effectiveTo: string | null;
  enabled: Generated<boolean>;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderShieldValue {
  shieldId: string;
  goodsCode: string;
  scope: string;
  scopeValue: string;
  effectiveFrom: string;
  effectiveTo: string | null;
}

export interface OrderShipment {
  id: GeneratedAlways<string>;
  fulfilmentId: string;
  carrierCode: 'SF' | 'JD' | 'ZTO' | 'YTO' | 'EMS' | 'OWN';
  waybillNo: string;
  shippedAt: string;
  trackState: Generated<'WAIT' | 'TRANSIT' | 'DELIVERING' | 'SIGNED' | 'PROBLEM' | 'RETURNED'>;
  lastNode: string | null;
  lastNodeAt: string | null;
  deliveringSince: string | null;
  askedAt: string | null;
  subscribed: Generated<boolean>;
  tempRecordFileId: string | null;
  minTemp: number | null;
  maxTemp: number | null;
  source: 'MANUAL' | 'BULK' | 'CALLBACK';
  signedAt: string | null;
  voidedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
  importBatchNo: string | null;
}

export interface OrderShipmentLine {
  shipmentId: string;
  orderLineId: string;
  batchNo: string;
  quantity: number;
  expireDate: string;
  traceCodes: Generated<string[]>;
}

export interface OrderSupplier {
  id: GeneratedAlways<string>;
  supplierCode: string;
  supplierName: string;
  supplierType: 'B2C' | 'DTP' | 'CHAIN' | 'WAREHOUSE';
  drugstoreId: string | null;
  coldChainCapable: boolean;
  contactName: string;
  contactMobileCipher: string;
  contactMobileMasked: string;
  licenseNo: string;
  licenseExpireAt: string;
  licenseFileIds: Generated<string[]>;
  gspExpireAt: string | null;
  expireOn: GeneratedAlways<string>;
  integration: 'API' | 'PORTAL' | 'EXCEL';
  endpoint: Generated<string>;
  appKey: Generated<string>;
  secretCipher: string | null;
  dailyCapacity: number | null;
  cutoffTime: string | null;
  acceptSlaMin: number;
  shipSlaHour: number;
  freightFirstFen: string;
  freightStepFen: string;
  freeShipFen: string | null;
  status: Generated<'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'ENABLED' | 'PAUSED' | 'DISABLED'>;
  submittedBy: string | null;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderSupplierGoods {
  id: GeneratedAlways<string>;
  supplierId: string;
  medicineId: string;
  goodsCode: string;
  goodsName: string;
  supplyPriceFen: string;
  stockQty: number;
  reservedQty: Generated<number>;
  weightGram: number | null;
  onSale: boolean;
  stockSyncedAt: string;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderSupplierPause {
  id: GeneratedAlways<string>;
  supplierId: string;
  fromAt: string;
  toAt: string;
  reason: string;
  creatorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
}

export interface OrderSupplierRegion {
  supplierId: string;
  adcode: string;
  excluded: boolean;
}

export interface OrderTrack {
  id: GeneratedAlways<string>;
  shipmentId: string;
  occurredAt: string;
  state: string;
  description: string;
  city: string;
}

export interface OrderTables {
  orderAfterSale: OrderAfterSale;
  orderAfterSaleLine: OrderAfterSaleLine;
  orderAllocationRun: OrderAllocationRun;
  orderContract: OrderContract;
  orderException: OrderException;
  orderFulfilment: OrderFulfilment;
  orderFulfilmentLine: OrderFulfilmentLine;
  orderFunding: OrderFunding;
  orderFundingLine: OrderFundingLine;
  orderLine: OrderLine;
  orderManual: OrderManual;
  orderManualLine: OrderManualLine;
  orderOrder: OrderOrder;
  orderPayment: OrderPayment;
  orderRefundPart: OrderRefundPart;
  orderRule: OrderRule;
  orderShield: OrderShield;
  orderShieldValue: OrderShieldValue;
  orderShipment: OrderShipment;
  orderShipmentLine: OrderShipmentLine;
  orderSupplier: OrderSupplier;
  orderSupplierGoods: OrderSupplierGoods;
  orderSupplierPause: OrderSupplierPause;
  orderSupplierRegion: OrderSupplierRegion;
  orderTrack: OrderTrack;
}
