import * as z from 'zod/mini';
import { access, call } from '../../../../kernel/contract/call.ts';
import { exportOf } from '../../../../kernel/contract/exportOf.ts';
import { importFields, importStarted } from '../../../../kernel/contract/importing.ts';
import { field } from '../../../../kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instant,
  instantOut,
  opinion,
  optionalText,
  paging,
  several,
  text,
  version,
} from '../../../../kernel/contract/fields.ts';
import { bizLines, cardKinds } from '../dictionaries.ts';
import {
  counterpartyTypes,
  invoiceStates,
  lineSources,
  matchStates,
  resolutions,
  settlementChecks,
  settlementDirections,
} from '../useDictionaries.ts';
import { cardPermissions as may } from '../permissions.ts';
import { billMachine, settlementBatchMachine } from '../useStates.ts';

const service = 'CardSettlementService';
const host = 'admin';
const view = access.permission(may['card.view']);
const edit = access.permission(may['settle.edit']);
const audit = access.permission(may['settle.audit']);
const confirm = access.permission(may['settle.confirm']);
const canExport = access.permission(may['card.export']);

const sums = {
  lineCount: field('明细数', z.int(), { width: 80 }),
  gross: field('核销额', fen),
  reversal: field('冲正额', fen),
  fee: field('手续费', fen),
  net: field('净额', fen),
};
const scope = {
  direction: field('方向', settlementDirections.schema),
  kind: field('卡类型', cardKinds.schema),
  bizLine: field('业务线', bizLines.schema),
  periodFrom: field('期间起', day),
  periodTo: field('期间止', day),
  cutoffAt: field('截止时间', instant),
  counterpartyIds: field('结算对象', z._default(several(id, 200), [])),
};

const previewBill = z.strictObject({
  counterpartyType: counterpartyTypes.schema,
  counterpartyId: idOut,
  counterpartyName: z.string(),
  productCode: z.nullable(z.string()),
  ...sums,
  /** Carried over from the period before. */
  adjust: fen,
});
/** Writes nothing; the same scope generates exactly this. */
export const previewSettlement = call({
  host,
  service,
  operation: 'previewSettlement',
  kind: 'query',
  shape: 'data',
  label: '预览结算批次',
  access: edit,
  input: z.strictObject(scope),
  output: z.strictObject({
    bills: z.array(previewBill),
    excluded: z.array(z.strictObject({ reason: z.string(), count: z.int(), amount: fen })),
    ...sums,
    billCount: z.int(),
  }),
});
export type SettlementPreview = z.output<typeof previewSettlement.output>;

const batchAnswer = z.strictObject({
  id: idOut,
  batchNo: z.string(),
  state: settlementBatchMachine.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export const addSettlementBatch = call({
  host,
  service,
  operation: 'addSettlementBatch',
  kind: 'command',
  shape: 'data',
  label: '生成结算批次',
  idempotency: 'required',
  access: edit,
  input: z.strictObject(scope),
  output: batchAnswer,
});

const batchRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 160 }),
  direction: field('方向', settlementDirections.schema, { width: 80 }),
  kind: field('卡类型', cardKinds.schema, { width: 90 }),
  bizLine: field('业务线', bizLines.schema, { width: 90 }),
  periodFrom: field('期间起', dayOut, { width: 110 }),
  periodTo: field('期间止', dayOut, { width: 110 }),
  billCount: field('结算单数', z.int(), { width: 90 }),
  ...sums,
  confirmed: field('已确认', fen),
  settled: field('已结清', fen),
  state: settlementBatchMachine.dictionary.schema,
  maker: field('制单人', z.string(), { width: 90 }),
  auditor: field('复核人', z.nullable(z.string()), { width: 90 }),
  cutoffAt: field('截止时间', instantOut),
  createdAt: field('制单时间', instantOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type SettlementBatchRow = z.output<typeof batchRow>;
export const querySettlementBatchList = call({
  host,
  service,
  operation: 'querySettlementBatchList',
  kind: 'query',
  shape: 'list',
  label: '查询储值结算批次',
  access: view,
  input: z.strictObject({
    ...paging,
    batchNo: z.optional(text('批次号', 40)),
    direction: field('方向', z.optional(settlementDirections.schema)),
    kind: field('卡类型', z.optional(cardKinds.schema)),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    periodFrom: field('期间起', z.optional(day)),
    periodTo: field('期间止', z.optional(day)),
    state: field('状态', z.optional(several(settlementBatchMachine.dictionary.schema))),
  }),
  output: batchRow,
});
export const exportSettlementBatchList = exportOf(querySettlementBatchList, {
  operation: 'exportSettlementBatchList',
  label: '导出储值结算批次',
  access: canExport,
});

const check = z.strictObject({ check: settlementChecks.schema, ok: z.boolean(), message: z.string(), ids: z.array(idOut) });
const compared = z.strictObject({
  counterpartyName: z.string(),
  productCode: z.nullable(z.string()),
  before: z.nullable(fen),
  now: fen,
  changePercent: z.nullable(z.int()),
});
export const querySettlementBatchDetail = call({
  host,
  service,
  operation: 'querySettlementBatchDetail',
  kind: 'query',
  shape: 'data',
  label: '查看储值结算批次',
  access: view,
  input: z.strictObject({ batchId: field('批次', id) }),
  output: z.strictObject({
    batch: batchRow,
    checks: z.array(check),
    compared: z.array(compared),
    timeline: z.array(
      z.strictObject({
        id: idOut,
        label: z.string(),
        fromState: z.nullable(z.string()),
        toState: z.nullable(z.string()),
        opinion: z.nullable(z.string()),
        at: instantOut,
        displayName: z.string(),
      }),
    ),
  }),
});
export type SettlementBatchDetail = z.output<typeof querySettlementBatchDetail.output>;

const onBatch = { batchId: field('批次', id), version };
export const submitSettlementBatch = call({
  host,
  service,
  operation: 'submitSettlementBatch',
  kind: 'command',
  shape: 'data',
  label: '提交结算批次',
  access: edit,
  input: z.strictObject(onBatch),
  output: batchAnswer,
});
export const auditSettlementBatch = call({
  host,
  service,
  operation: 'auditSettlementBatch',
  kind: 'command',
  shape: 'data',
  label: '复核结算批次',
  access: audit,
  input: z.strictObject({
    ...onBatch,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  }),
  output: batchAnswer,
});
export const voidSettlementBatch = call({
  host,
  service,
  operation: 'voidSettlementBatch',
  kind: 'command',
  shape: 'data',
  label: '作废结算批次',
  access: edit,
  input: z.strictObject({ ...onBatch, opinion }),
  output: batchAnswer,
});

const billRow = z.strictObject({
  id: idOut,
  billNo: field('结算单号', z.string(), { width: 160 }),
  batchId: idOut,
  batchNo: field('批次', z.string(), { width: 160 }),
  direction: field('方向', settlementDirections.schema, { width: 80 }),
  kind: field('卡类型', cardKinds.schema, { width: 90 }),
  bizLine: field('业务线', bizLines.schema, { width: 90 }),
  counterpartyType: field('对象类型', counterpartyTypes.schema, { width: 90 }),
  counterpartyId: idOut,
  counterpartyName: field('结算对象', z.string(), { width: 170 }),
  productCode: field('产品', z.nullable(z.string()), { width: 110 }),
  periodFrom: field('期间起', dayOut, { width: 110 }),
  periodTo: field('期间止', dayOut, { width: 110 }),
  lineCount: field('笔数', z.int(), { width: 70 }),
  gross: field('核销额', fen),
  reversal: field('冲正额', fen),
  fee: field('手续费', fen),
  adjust: field('调整额', fen),
  net: field('应结净额', fen),
  confirmed: field('已确认', fen),
  settled: field('已结清', fen),
  invoiceState: field('开票状态', invoiceStates.schema, { width: 90 }),
  paymentNo: field('付款单', z.nullable(z.string()), { width: 150 }),
  dueDate: field('到期日', z.nullable(dayOut), { width: 110 }),
  overdue: field('是否逾期', z.boolean(), { width: 80 }),
  unresolved: field('未处理差异', z.int(), { width: 90 }),
  state: field('状态', billMachine.dictionary.schema),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type SettlementBillRow = z.output<typeof billRow>;
export const querySettlementBillList = call({
  host,
  service,
  operation: 'querySettlementBillList',
  kind: 'query',
  shape: 'list',
  label: '查询储值结算单',
  access: view,
  input: z.strictObject({
    ...paging,
    billNo: z.optional(text('结算单号', 40)),
    batchId: field('批次', z.optional(id)),
    direction: field('方向', z.optional(settlementDirections.schema)),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    counterpartyName: z.optional(text('结算对象', 60)),
    productCode: z.optional(text('产品', 40)),
    periodFrom: field('期间起', z.optional(day)),
    periodTo: field('期间止', z.optional(day)),
    state: field('状态', z.optional(several(billMachine.dictionary.schema))),
    overdue: field('是否逾期', z.optional(flag)),
  }),
  output: billRow,
});
export const exportSettlementBillList = exportOf(querySettlementBillList, {
  operation: 'exportSettlementBillList',
  label: '导出储值结算单',
  access: canExport,
});

const lineRow = z.strictObject({
  id: idOut,
  billId: field('结算单', idOut),
  sourceType: field('来源', lineSources.schema, { width: 80 }),
  sourceNo: field('单号', z.string(), { width: 170 }),
  orderNo: field('订单号', z.nullable(z.string()), { width: 160 }),
  amount: field('我方金额', fen),
  fee: field('手续费', fen),
  net: field('净额', fen),
  theirAmount: field('对方金额', z.nullable(fen)),
  difference: field('差额', z.nullable(fen)),
  matchState: field('比对结果', matchStates.schema, { width: 100 }),
  resolution: field('处理方式', z.nullable(resolutions.schema), { width: 110 }),
  opinion: field('意见', z.nullable(z.string()), { width: 180 }),
  doneAt: field('发生时间', z.nullable(instantOut)),
  billVersion: z.int(),
});
export type SettlementLineRow = z.output<typeof lineRow>;
export const querySettlementLineList = call({
  host,
  service,
  operation: 'querySettlementLineList',
  kind: 'query',
  shape: 'list',
  label: '查询储值结算明细',
  access: view,
  input: z.strictObject({
    ...paging,
    billId: field('结算单', id),
    sourceType: field('来源', z.optional(lineSources.schema)),
    matchState: field('比对结果', z.optional(several(matchStates.schema))),
    unresolved: field('仅看未处理差异', z.optional(flag)),
    sourceNo: z.optional(text('单号', 40)),
  }),
  output: lineRow,
});
export const exportSettlementLineList = exportOf(querySettlementLineList, {
  operation: 'exportSettlementLineList',
  label: '导出储值结算明细',
  access: canExport,
});

const billAnswer = z.strictObject({
  id: idOut,
  billNo: z.string(),
  state: billMachine.dictionary.schema,
  version: z.int(),
  net: fen,
  unresolved: z.int(),
  allowedActions: z.array(z.string()),
});
const onBill = { billId: field('结算单', id), version };
export const BILL_STATEMENT_IMPORTER = 'card.billStatement';
/** The counterparty's own statement, compared line by line; what differs makes the bill disputed. */
export const importBillStatement = call({
  host,
  service,
  operation: 'importBillStatement',
  kind: 'command',
  shape: 'data',
  log: 'IMPORT',
  label: '导入对账文件',
  access: confirm,
  input: z.strictObject({ billId: field('结算单', id), ...importFields }),
  output: importStarted,
});
/** One line of which the counterparty told another amount by word. */
export const disputeBill = call({
  host,
  service,
  operation: 'disputeBill',
  kind: 'command',
  shape: 'data',
  label: '登记差异',
  access: confirm,
  input: z.strictObject({
    ...onBill,
    lines: field(
      '差异',
      z
        .array(z.strictObject({ lineId: field('明细', id), theirAmount: field('对方金额', fen) }))
        .check(z.minLength(1, '请登记至少一条差异'), z.maxLength(200, '最多200条')),
    ),
    opinion: optionalText('意见', 500),
  }),
  output: billAnswer,
});
export const resolveBillLine = call({
  host,
  service,
  operation: 'resolveBillLine',
  kind: 'command',
  shape: 'data',
  label: '处理差异',
  access: confirm,
  input: z.strictObject({ lineId: field('明细', id), ...onBill, resolution: field('处理方式', resolutions.schema), opinion }),
  output: billAnswer,
});
export const confirmBill = call({
  host,
  service,
  operation: 'confirmBill',
  kind: 'command',
  shape: 'data',
  label: '确认结算单',
  idempotency: 'required',
  access: confirm,
  input: z.strictObject({ ...onBill, confirmFileId: field('确认函', id) }),
  output: billAnswer,
});
export const voidBill = call({
  host,
  service,
  operation: 'voidBill',
  kind: 'command',
  shape: 'data',
  label: '作废结算单',
  access: audit,
  input: z.strictObject({ ...onBill, opinion }),
  output: billAnswer,
});
export const remindBill = call({
  host,
  service,
  operation: 'remindBill',
  kind: 'command',
  shape: 'data',
  label: '催确认',
  access: confirm,
  input: z.strictObject(onBill),
  output: billAnswer,
});
/** The statement as the counterparty gets it. */
export const exportBill = call({
  host,
  service,
  operation: 'exportBill',
  method: 'GET',
  kind: 'command',
  shape: 'file',
  label: '导出对账单',
  log: 'DOWNLOAD',
  access: canExport,
  input: z.strictObject({ billId: field('结算单', id), format: field('格式', z._default(z.enum(['PDF', 'XLSX'], '格式不正确'), 'PDF')) }),
  output: z.strictObject({}),
});
