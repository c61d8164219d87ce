import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  fenOut,
  flag,
  id,
  idOut,
  instantOut,
  opinion,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { acted, ADDED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { productLines } from '#domains/insurance/contract/businessLines.ts';
import { premiumPermissions as may } from '../permissions.ts';
import { directions, orderKinds, premiumActions, premiumBases, premiumMachine, receiptSources, rejectReasons } from '../premiumStates.ts';

const service = declareService('PremiumOrderService', 'product');
const state = premiumMachine.dictionary.schema;
const orderId = field('保费订单', id);

export const premiumRow = z.strictObject({
  id: idOut,
  premiumOrderNo: field('订单号', z.string(), { width: 160 }),
  policyId: idOut,
  policyNo: field('保单号', z.string(), { width: 160 }),
  insurerName: field('保司', z.string(), { width: 110 }),
  productName: field('产品', z.string(), { width: 150 }),
  productLine: field('业务线', productLines.schema, { width: 100 }),
  holderName: field('投保人', z.string(), { width: 140 }),
  kind: field('类型', orderKinds.schema, { width: 80 }),
  direction: field('收/退', directions.schema, { width: 70 }),
  periodFrom: field('期间起', dayOut, { width: 110 }),
  periodTo: field('期间止', dayOut, { width: 110 }),
  personCount: field('人数', z.int(), { width: 70 }),
  amountFen: field('应收付', fenOut, { width: 120 }),
  statedFen: field('保司金额', z.nullable(fenOut), { width: 120 }),
  differenceFen: field('差异', z.nullable(fenOut), { width: 110 }),
  settledFen: field('已收付', fenOut, { width: 120 }),
  dueOn: field('到期日', dayOut, { width: 110 }),
  state: field('状态', state, { width: 90 }),
  maker: field('经办人', z.string(), { width: 90 }),
  makerId: z.nullable(idOut),
  checker: field('审核人', textOrNull, { width: 90 }),
  insurerInvoiceNo: field('保司发票号', textOrNull, { width: 140 }),
  createdAt: field('创建时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type PremiumRow = z.output<typeof premiumRow>;

const filters = {
  premiumOrderNo: z.optional(wholeText('订单号', 20)),
  policyId: field('保单', z.optional(id)),
  policyNo: z.optional(wholeText('保单号', 40)),
  holderName: z.optional(personName('投保人', 60)),
  insurerId: field('保司', z.optional(id)),
  productId: field('产品', z.optional(id)),
  kind: field('类型', z.optional(several(orderKinds.schema))),
  direction: field('收/退', z.optional(directions.schema)),
  state: field('状态', z.optional(several(state))),
  dueFrom: field('到期日起', z.optional(day)),
  dueTo: field('到期日止', z.optional(day)),
  overdue: field('逾期', z.optional(flag)),
  amountFrom: field('金额起', z.optional(fen)),
  amountTo: field('金额止', z.optional(fen)),
};
export const queryPremiumOrderList = service.list({
  operation: 'queryPremiumOrderList',
  label: '查询保费订单',
  access: may['premium.view'],
  filter: { ...filters, ...sortedBy('premiumOrderNo', 'amountFen', 'dueOn') },
  output: premiumRow,
});
export const exportPremiumOrder = exportOf(queryPremiumOrderList, {
  operation: 'exportPremiumOrder',
  label: '导出保费订单',
  access: may['premium.view'],
});

/** What counts of orders, as `server/premium/due.ts` has it. */
export const premiumSum = z.strictObject({
  collectFen: field('应收', fenOut),
  refundFen: field('应退', fenOut),
  premiumFen: field('应收保费', fenOut),
  waitingFen: field('待审保费', fenOut),
  receivedFen: field('已收保费', fenOut),
});
export const queryPremiumOrderTotal = service.read({
  operation: 'queryPremiumOrderTotal',
  label: '查询保费订单合计',
  access: may['premium.view'],
  input: filters,
  output: z.strictObject({ orders: z.int(), ...premiumSum.shape }),
});

const item = z.strictObject({
  lineNo: z.int(),
  insuredItemId: idOut,
  name: z.string(),
  planCode: z.string(),
  annualPremiumFen: fenOut,
  from: dayOut,
  to: dayOut,
  days: z.int(),
  basis: premiumBases.schema,
  feeFen: fenOut,
  amountFen: fenOut,
  recomputedFen: fenOut,
  calc: z.string(),
});
const allocation = z.strictObject({
  id: idOut,
  receiptId: idOut,
  bankFlowNo: z.string(),
  payerName: z.string(),
  paidOn: dayOut,
  amountFen: fenOut,
  reversed: z.boolean(),
  madeBy: z.string(),
  at: instantOut,
});
export const queryPremiumOrderDetail = service.read({
  operation: 'queryPremiumOrderDetail',
  label: '查看保费订单',
  access: may['premium.view'],
  input: { premiumOrderId: orderId },
  output: z.strictObject({
    ...premiumRow.shape,
    recomputedFen: fenOut,
    endorsementNo: textOrNull,
    rejectReasons: z.array(rejectReasons.schema),
    opinion: z.string(),
    backdatedDays: z.int(),
    items: z.array(item),
    allocations: z.array(allocation),
    lease: z.nullable(z.strictObject({ userId: idOut, displayName: z.string(), until: instantOut })),
    timeline: trail,
  }),
});

const answer = acted(state);
const leased = z.strictObject({ id: idOut, version: z.int(), leaseUntil: instantOut });
export const claimNextPremiumOrder = service.act({
  operation: 'claimNextPremiumOrder',
  label: '领取保费订单',
  access: may['premium.audit'],
  input: { id: field('保费订单', z.optional(id)) },
  output: leased,
});
export const heartbeatPremiumOrder = service.act({
  operation: 'heartbeatPremiumOrder',
  label: '续占保费订单',
  access: may['premium.audit'],
  input: { id: orderId },
  output: leased,
});
export const releasePremiumOrder = service.act({
  operation: 'releasePremiumOrder',
  label: '退回保费订单',
  access: may['premium.audit'],
  input: { id: orderId },
  output: z.strictObject({}),
});
export const takeoverPremiumOrder = service.act({
  operation: 'takeoverPremiumOrder',
  label: '接管保费订单',
  access: may['premium.supervise'],
  input: { id: orderId, opinion },
  output: leased,
});

export const auditPremiumOrder = service.act({
  operation: 'auditPremiumOrder',
  label: '处理保费订单',
  access: access.byAction(
    'action',
    {
      approve: may['premium.audit'],
      reject: may['premium.audit'],
      secondApprove: may['premium.second'],
      secondReject: may['premium.second'],
    },
    may['premium.make'],
  ),
  idempotency: 'required',
  input: {
    id: orderId,
    version,
    action: field('操作', z.enum(premiumActions, '请选择操作')),
    rejectReasons: field('驳回原因', z._default(z.array(rejectReasons.schema).check(z.maxLength(7, '最多7项')), [])),
    opinion: optionalText('意见', 500),
  },
  output: answer,
});
export const modifyPremiumOrder = service.act({
  operation: 'modifyPremiumOrder',
  label: '修改保费订单',
  access: may['premium.make'],
  input: {
    id: orderId,
    version,
    dueOn: field('到期日', day),
    statedFen: field('保司金额', z.nullable(fen.check(z.minimum(0, '保司金额不能小于0')))),
    fileIds: field('凭证', z._default(z.array(id).check(z.maxLength(10, '最多10个附件')), [])),
  },
  output: answer,
});
export const voidPremiumOrder = service.act({
  operation: 'voidPremiumOrder',
  label: '作废保费订单',
  access: may['premium.make'],
  input: { id: orderId, version, opinion },
  output: answer,
});
export const reversePremiumOrder = service.act({
  operation: 'reversePremiumOrder',
  label: '冲正保费订单',
  access: may['premium.reverse'],
  idempotency: 'required',
  input: { id: orderId, version, opinion },
  output: z.strictObject({ ...answer.shape, counterOrderNo: z.string() }),
});
export const setInsurerInvoice = service.act({
  operation: 'setInsurerInvoice',
  label: '登记保司发票',
  access: may['premium.receipt'],
  input: { id: orderId, version, insurerInvoiceNo: field('保司发票号', z.nullable(text('保司发票号', 40, 1))) },
  output: answer,
});
export const addPremiumOrder = service.act({
  operation: 'addPremiumOrder',
  label: '生成保费订单',
  access: may['premium.make'],
  ...ADDED,
  input: {
    policyId: field('保单', id),
    kind: field('类型', orderKinds.schema),
    /** The endorsement that the premium of an adjustment comes from. */
    endorsementId: field('批单', z.optional(id)),
    /** First day of an instalment's period. */
    periodFrom: field('期间起', z.optional(day)),
    dueOn: field('到期日', day),
    statedFen: field('保司金额', z.optional(z.nullable(fen.check(z.minimum(0, '保司金额不能小于0'))))),
  },
  output: z.strictObject({ ...answer.shape, premiumOrderNo: z.string() }),
});
export const regeneratePremiumOrder = service.act({
  operation: 'regeneratePremiumOrder',
  label: '重新生成保费订单',
  access: may['premium.make'],
  input: { id: orderId, version },
  output: z.strictObject({ ...answer.shape, amountFen: fenOut }),
});
export const importReceipt = service.imports({ operation: 'importReceipt', label: '导入到账记录', access: may['premium.receipt'] });
/** The importer of bank statements. */
export const RECEIPT_IMPORTER = 'policy.receipt';
export const generateInstalments = service.act({
  operation: 'generateInstalments',
  label: '生成期缴订单',
  access: may['premium.make'],
  input: { policyId: field('保单', id), until: field('生成到', day) },
  output: z.strictObject({ orderNos: z.array(z.string()) }),
});

const receiptRow = z.strictObject({
  id: idOut,
  direction: field('收/退', directions.schema, { width: 70 }),
  amountFen: field('金额', fenOut, { width: 120 }),
  allocatedFen: field('已分配', fenOut, { width: 120 }),
  restFen: field('未分配', fenOut, { width: 120 }),
  paidOn: field('到账日期', dayOut, { width: 110 }),
  payerName: field('付款人', z.string(), { width: 150 }),
  bankFlowNo: field('银行流水号', z.string(), { width: 180 }),
  bankAccount: field('银行账号', z.string(), { width: 150 }),
  source: field('来源', receiptSources.schema, { width: 80 }),
  createdAt: field('登记时间', instantOut),
});
export const queryReceiptList = service.list({
  operation: 'queryReceiptList',
  label: '查询到账记录',
  access: may['premium.receipt'],
  filter: {
    ...sortedBy('amountFen', 'paidOn'),
    direction: field('收/退', z.optional(directions.schema)),
    payerName: z.optional(text('付款人', 60)),
    bankFlowNo: z.optional(wholeText('银行流水号', 64)),
    unallocated: field('未分配完', z.optional(flag)),
    paidFrom: field('到账日期起', z.optional(day)),
    paidTo: field('到账日期止', z.optional(day)),
  },
  output: receiptRow,
});
export const exportReceipt = exportOf(queryReceiptList, {
  operation: 'exportReceipt',
  label: '导出到账记录',
  access: may['premium.receipt'],
});
export const addReceipt = service.act({
  operation: 'addReceipt',
  label: '登记到账记录',
  access: may['premium.receipt'],
  secrets: ['bankAccount'],
  ...ADDED,
  input: {
    direction: field('收/退', directions.schema),
    amountFen: field('金额', fen.check(z.minimum(1, '金额须大于0'))),
    paidOn: field('到账日期', day),
    payerName: text('付款人', 60, 1),
    bankFlowNo: text('银行流水号', 64, 1),
    bankAccount: field('银行账号', z.string('请输入银行账号').check(z.regex(/^\d{8,30}$/, '银行账号须为8-30位数字'))),
  },
  output: z.strictObject({ id: idOut }),
});
const share = z.strictObject({ premiumOrderId: orderId, amountFen: field('分配金额', fen.check(z.minimum(1, '分配金额须大于0'))) });
export const suggestAllocation = service.read({
  operation: 'suggestAllocation',
  label: '建议分配',
  access: may['premium.receipt'],
  input: { receiptId: field('到账记录', id) },
  output: z.array(
    z.strictObject({
      premiumOrderId: idOut,
      premiumOrderNo: z.string(),
      policyNo: z.string(),
      openFen: fenOut,
      amountFen: fenOut,
      dueOn: dayOut,
    }),
  ),
});
export const allocateReceipt = service.act({
  operation: 'allocateReceipt',
  label: '分配到账',
  access: may['premium.receipt'],
  idempotency: 'required',
  input: {
    receiptId: field('到账记录', id),
    shares: field('分配', z.array(share).check(z.minLength(1, '请选择保费订单'), z.maxLength(50, '一次最多50笔'))),
  },
  output: z.strictObject({ restFen: fenOut, orders: z.array(z.strictObject({ id: idOut, state, settledFen: fenOut })) }),
});
export const removeAllocation = service.act({
  operation: 'removeAllocation',
  label: '撤销分配',
  access: may['premium.receipt'],
  idempotency: 'required',
  input: { allocationId: field('分配', id), opinion },
  output: z.strictObject({ orderState: state, settledFen: fenOut }),
});
