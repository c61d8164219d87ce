import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  mobileText,
  opinion,
  optionalId,
  optionalText,
  personName,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { idNumberFault } from '#kernel/contract/idNumber.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { withoutMarks } from '#kernel/contract/plainText.ts';
import { manualReasons, manualRejectReasons, manualSources } from '../manualOrderDictionaries.ts';
import { manualOrderMachine } from '../manualOrderStates.ts';
import { bizLines } from '../orderDictionaries.ts';
import { amount, quantity } from '../orderFields.ts';
import { orderPermissions as may } from '../permissions.ts';

const service = declareService('ManualOrderService');
const view = may['manual.view'];
const edit = may['manual.edit'];
const state = manualOrderMachine.dictionary.schema;

const row = z.strictObject({
  id: idOut,
  manualNo: field('手工单号', z.string(), { width: 170 }),
  buyerName: field('患者', z.string(), { width: 90 }),
  buyerMobile: field('手机号', z.string(), { width: 120 }),
  drugstoreName: field('药店', z.string(), { width: 200 }),
  receiptNo: field('小票号', z.string(), { width: 140 }),
  purchaseDate: field('购药日期', dayOut, { width: 110 }),
  goodsFen: field('商品金额', fen),
  benefitFen: field('直付', fen),
  cardFen: field('卡抵扣', fen),
  selfPayFen: field('自付', fen),
  matchExplain: field('匹配结果', textOrNull, { width: 200 }),
  state: field('状态', state, { width: 100 }),
  makerName: field('录入人', z.string(), { width: 90 }),
  checkerName: field('复核人', textOrNull, { width: 90 }),
  orderId: z.nullable(idOut),
  orderNo: field('落单订单号', textOrNull, { width: 170 }),
  reasonCode: field('原因', manualReasons.schema, { width: 90 }),
  source: field('来源', manualSources.schema, { width: 90 }),
  failReason: field('失败原因', textOrNull, { width: 200 }),
  createdAt: field('录入时间', instantOut, { width: 150 }),
  version: z.int(),
  allowedActions: actionsOf(manualOrderMachine),
});
export type ManualOrderRow = z.output<typeof row>;

export const queryManualOrderList = service.list({
  operation: 'queryManualOrderList',
  label: '查询手工订单',
  access: view,
  filter: {
    manualNo: z.optional(wholeText('手工单号', 40)),
    receiptNo: z.optional(wholeText('小票号', 40)),
    patientKeyword: z.optional(text('患者', 40)),
    drugstoreId: field('药店', z.optional(id)),
    reasonCode: field('原因', z.optional(several(manualReasons.schema))),
    state: field('状态', z.optional(several(state))),
    makerName: z.optional(wholeText('录入人', 40)),
    purchaseFrom: field('购药日期起', z.optional(day)),
    purchaseTo: field('购药日期止', z.optional(day)),
    mine: field('仅看本人录入', z.optional(flag)),
    ...sortedBy('manualNo', 'createdAt'),
  },
  secrets: ['patientKeyword'],
  output: row,
});
export const exportManualOrderList = exportOf(queryManualOrderList, {
  operation: 'exportManualOrder',
  label: '导出手工订单',
  access: may['manual.export'],
});

const shownFile = z.strictObject({
  fileId: idOut,
  fileName: z.string(),
  detectedType: textOrNull,
  pageCount: z.nullable(z.int()),
  size: z.nullable(z.int()),
});
const shownLine = z.strictObject({
  id: idOut,
  lineNo: z.int(),
  goodsCode: field('商品编码', z.string(), { width: 120 }),
  goodsName: field('商品', z.string(), { width: 200 }),
  spec: field('规格', z.string(), { width: 120 }),
  rxRequired: z.boolean(),
  quantity: field('数量', z.int(), { width: 70 }),
  unitPriceFen: field('单价', fen),
  amountFen: field('金额', fen),
  benefitFen: field('直付', fen),
  cardFen: field('卡抵扣', fen),
  listPriceFen: field('门店价目', z.nullable(fen)),
  /** More than a fifth off the store's list. */
  deviates: z.boolean(),
});
/** An order of the same person, store and day with the same goods. */
const likeOrder = z.strictObject({
  orderId: idOut,
  orderNo: z.string(),
  goodsText: z.string(),
  payableFen: fen,
  stateLabel: z.string(),
  createdAt: instantOut,
});

export const queryManualOrderDetail = service.read({
  operation: 'queryManualOrderDetail',
  label: '查询手工订单详情',
  access: view,
  input: { manualOrderId: field('手工订单', id) },
  output: z.strictObject({
    manualOrder: row,
    bizLine: field('业务线', bizLines.schema),
    drugstoreId: idOut,
    idNo: field('证件号', textOrNull),
    rxPassedBy: field('门店审方药师', z.string()),
    patientId: z.nullable(idOut),
    contractId: z.nullable(idOut),
    contractNo: field('合同', textOrNull),
    cardId: z.nullable(idOut),
    cardText: field('卡', textOrNull),
    lines: z.array(shownLine),
    files: z.array(shownFile),
    rejectReasons: field('驳回原因', z.array(manualRejectReasons.schema)),
    notDuplicate: z.boolean(),
    priceChecked: z.boolean(),
    duplicates: z.array(likeOrder),
    isHigh: z.boolean(),
    holdExpireAt: field('卡预占至', z.nullable(instantOut)),
    submittedAt: field('提交时间', z.nullable(instantOut)),
    reviewedAt: field('复核时间', z.nullable(instantOut)),
    trail,
  }),
});
export type ManualOrderDetail = z.output<typeof queryManualOrderDetail.output>;

const idNo = field(
  '身份证号',
  z.string().check(
    z.maxLength(30, { error: '身份证号最多30个字符', abort: true }),
    z.overwrite((typed) => withoutMarks(typed).replaceAll(/\s/g, '').toUpperCase()),
    z.refine((typed) => typed === '' || idNumberFault(typed) === null, {
      error: ({ input }) => `身份证号${idNumberFault(String(input)) ?? '不正确'}`,
    }),
  ),
  { mask: 'idNo', example: '110101199003070011' },
);
const mobile = field('手机号', mobileText('手机号格式不正确', '请输入手机号'), { mask: 'mobile', example: '13800138000' });

export const soldLine = z.strictObject({ goodsCode: text('商品编码', 40, 1), quantity, unitPriceFen: amount('单价', 1) });
const soldLines = field('商品', z.array(soldLine).check(z.minLength(1, '请添加商品'), z.maxLength(50, '商品最多50种')));
const purchaseDate = field('购药日期', day);
const drugstoreId = field('药店', id);

const written = {
  drugstoreId,
  receiptNo: text('小票号', 40, 1),
  purchaseDate,
  reasonCode: field('补录原因', manualReasons.schema),
  buyerName: personName('患者姓名', 40, 1),
  patientId: field('患者档案', optionalId),
  rxPassedBy: optionalText('门店审方药师', 40),
  lines: soldLines,
  contractId: field('合同', optionalId),
  benefitFen: amount('直付金额'),
  cardId: field('卡', optionalId),
  cardFen: amount('卡抵扣金额'),
  selfPayFen: amount('自付金额'),
  attachmentFileIds: field('小票、处方与发票', z._default(z.array(id).check(z.maxLength(9, '附件最多9张')), [])),
};
export const addManualOrder = service.act({
  operation: 'addManualOrder',
  label: '录入手工订单',
  access: edit,
  idempotency: 'required',
  ...ADDED,
  secrets: ['buyerName', 'mobile', 'idNo'],
  input: { ...written, mobile, idNo: z._default(idNo, '') },
  output: acted(state),
});

const onManualOrder = { manualOrderId: field('手工订单', id), version };
export const modifyManualOrder = service.act({
  operation: 'modifyManualOrder',
  label: '编辑手工订单',
  access: edit,
  ...CHANGED,
  secrets: ['buyerName', 'mobile', 'idNo'],
  /** Name, mobile and certificate stay as they are where they are absent. */
  input: {
    ...onManualOrder,
    ...written,
    buyerName: z.optional(written.buyerName),
    mobile: z.optional(mobile),
    idNo: z.optional(idNo),
  },
  output: acted(state),
});

const matchedCard = z.strictObject({
  cardId: idOut,
  cardNo: field('卡号', z.string()),
  cardTypeName: field('卡种', z.string()),
  availableFen: field('可用金额', fen),
  /** What it can pay of these goods. */
  payableFen: field('可抵扣', fen),
  expireAt: field('有效期至', z.nullable(instantOut)),
  refusal: field('不可用原因', textOrNull),
});
const matchedContract = z.strictObject({
  contractId: idOut,
  contractNo: field('合同号', z.string()),
  productCode: field('产品编码', z.string()),
  bizLine: field('业务线', bizLines.schema),
  effectiveFrom: field('生效日', dayOut),
  effectiveTo: field('截止日', dayOut),
  limits: field('权益额度', z.array(z.strictObject({ label: z.string(), unit: z.string(), limitAmount: z.int() }))),
  refusal: field('不可用原因', textOrNull),
});
export type MatchedCard = z.output<typeof matchedCard>;
export type MatchedContract = z.output<typeof matchedContract>;
/** Who bought it, and what may pay for it on that day. */
export const matchManualOrder = service.read({
  operation: 'matchManualOrder',
  label: '匹配患者与权益',
  access: edit,
  secrets: ['mobile', 'idNo'],
  input: {
    /** Its stored certificate and mobile count where none is typed. */
    manualOrderId: field('手工订单', optionalId),
    mobile: z.optional(mobile),
    idNo: z.optional(idNo),
    patientId: field('患者档案', optionalId),
    drugstoreId,
    purchaseDate,
    lines: soldLines,
  },
  output: z.strictObject({
    /** Those whose certificate or mobile it is. */
    patients: z.array(
      z.strictObject({
        patientId: idOut,
        patientNo: field('档案号', z.string()),
        name: field('姓名', z.string()),
        mobile: field('手机号', textOrNull),
        by: field('匹配依据', z.enum(['CERTIFICATE', 'MOBILE'])),
      }),
    ),
    /** Whose contracts and cards follow; null: nobody, or it is to be chosen. */
    patientId: z.nullable(idOut),
    contracts: z.array(matchedContract),
    cards: z.array(matchedCard),
    goodsFen: fen,
  }),
});

export const submitManualOrder = service.act({
  operation: 'submitManualOrder',
  label: '提交手工订单复核',
  access: edit,
  idempotency: 'required',
  message: '提交成功!',
  input: onManualOrder,
  output: acted(state),
});
export const auditManualOrder = service.act({
  operation: 'auditManualOrder',
  label: '复核手工订单',
  access: access.byAction('level', { HIGH: may['manual.reviewHigh'] }, may['manual.review']),
  idempotency: 'required',
  message: '复核成功!',
  input: {
    ...onManualOrder,
    /** By the amount; another level than it asks for is refused. */
    level: field('复核级别', z.enum(['NORMAL', 'HIGH'], '复核级别不正确')),
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    reasonCodes: field('驳回原因', z._default(several(manualRejectReasons.schema), [])),
    notDuplicate: field('非重复', z._default(z.boolean(), false)),
    priceChecked: field('价格已核对', z._default(z.boolean(), false)),
    opinion: optionalText('意见', 500),
  },
  output: acted(state),
});
export const retryManualOrder = service.act({
  operation: 'retryManualOrder',
  label: '重新落单',
  access: may['manual.review'],
  idempotency: 'required',
  message: '已重新落单',
  input: onManualOrder,
  output: acted(state),
});
export const voidManualOrder = service.act({
  operation: 'voidManualOrder',
  label: '作废手工订单',
  access: edit,
  message: '已作废',
  input: { ...onManualOrder, opinion },
  output: acted(state),
});

export const MANUAL_SECRETS = ['buyerName', 'mobile', 'idNo'] as const;
export const revealManualOrder = service.reveal({
  operation: 'revealManualOrder',
  label: '查看手工订单敏感信息',
  access: may['order.reveal'],
  input: { field: field('字段', z.enum(MANUAL_SECRETS, '字段不正确')) },
});
