import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { declareService } from '#kernel/contract/service.ts';
import { field } from '#kernel/contract/field.ts';
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
  several,
  text,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
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

const service = declareService('CardSettlementService');
const view = may['card.view'];
const edit = may['settle.edit'];
const audit = may['settle.audit'];
const confirm = may['settle.confirm'];
const canExport = may['card.export'];

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
export const previewSettlement = service.read({
  operation: 'previewSettlement',
  label: '预览结算批次',
  access: edit,
  input: scope,
  output: z.strictObject({
    bills: z.array(previewBill),
    excluded: z.array(z.strictObject({ reason: z.string(), count: z.int(), amount: fen })),
    ...sums,
    billCount: z.int(),
  }),
});
const batchAnswer = z.strictObject({
  id: idOut,
  batchNo: z.string(),
  state: settlementBatchMachine.dictionary.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export const addSettlementBatch = service.act({
  operation: 'addSettlementBatch',
  label: '生成结算批次',
  access: edit,
  idempotency: 'required',
  input: scope,
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
  allowedActions: actionsOf(settlementBatchMachine),
});
export type SettlementBatchRow = z.output<typeof batchRow>;
export const querySettlementBatchList = service.list({
  operation: 'querySettlementBatchList',
  label: '查询储值结算批次',
  access: view,
  filter: {
    ...sortedBy(
      'batchNo',
      'periodFrom',
      'periodTo',
      'billCount',
      'lineCount',
      'gross',
      'reversal',
      'fee',
      'net',
      'confirmed',
      'settled',
      'cutoffAt',
      'createdAt',
    ),
    batchNo: z.optional(wholeText('批次号', 40)),
    direction: field('方向', z.optional(settlementDirections.schema)),
    kind: field('卡类型', z.optional(cardKinds.schema)),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    periodFrom: field('期间起', z.optional(day)),
    periodTo: field('期间止', z.optional(day)),
    state: field('状态', z.optional(several(settlementBatchMachine.dictionary.schema))),
  },
  output: batchRow,
});
export const exportSettlementBatchList = exportOf(querySettlementBatchList, {
  operation: 'exportSettlementBatchList',
  label: '导出储值结算批次',
  access: canExport,
});

const check = z.strictObject({ check: settlementChecks.schema, ok: z.boolean(), message: z.string(), numbers: z.array(z.string()) });
const compared = z.strictObject({
  counterpartyName: z.string(),
  productCode: z.nullable(z.string()),
  before: z.nullable(fen),
  now: fen,
  changePercent: z.nullable(z.int()),
});
export const querySettlementBatchDetail = service.read({
  operation: 'querySettlementBatchDetail',
  label: '查看储值结算批次',
  access: view,
  input: { batchId: field('批次', id) },
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
const onBatch = { batchId: field('批次', id), version };
export const submitSettlementBatch = service.act({
  operation: 'submitSettlementBatch',
  label: '提交结算批次',
  access: edit,
  input: onBatch,
  output: batchAnswer,
});
export const auditSettlementBatch = service.act({
  operation: 'auditSettlementBatch',
  label: '复核结算批次',
  access: audit,
  input: {
    ...onBatch,
    decision: field('结论', z.enum(['approve', 'reject'], '请选择结论')),
    opinion: optionalText('意见', 500),
  },
  output: batchAnswer,
});
export const voidSettlementBatch = service.act({
  operation: 'voidSettlementBatch',
  label: '作废结算批次',
  access: edit,
  input: { ...onBatch, opinion },
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
  /** Who registered or decided amounts of theirs: somebody else confirms. */
  decidedBy: field('以对方为准经办', z.nullable(z.string()), { width: 130 }),
  state: field('状态', billMachine.dictionary.schema),
  confirmFileId: z.nullable(idOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type SettlementBillRow = z.output<typeof billRow>;
export const querySettlementBillList = service.list({
  operation: 'querySettlementBillList',
  label: '查询储值结算单',
  access: view,
  filter: {
    ...sortedBy('billNo', 'net'),
    billNo: z.optional(wholeText('结算单号', 40)),
    batchId: field('批次', z.optional(id)),
    direction: field('方向', z.optional(settlementDirections.schema)),
    bizLine: field('业务线', z.optional(bizLines.schema)),
    counterpartyName: z.optional(text('结算对象', 60)),
    productCode: z.optional(text('产品', 40)),
    periodFrom: field('期间起', z.optional(day)),
    periodTo: field('期间止', z.optional(day)),
    state: field('状态', z.optional(several(billMachine.dictionary.schema))),
    overdue: field('是否逾期', z.optional(flag)),
  },
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
  disputedByName: field('登记人', z.nullable(z.string()), { width: 90 }),
  resolvedByName: field('处理人', z.nullable(z.string()), { width: 90 }),
  doneAt: field('发生时间', z.nullable(instantOut)),
  billVersion: z.int(),
});
export type SettlementLineRow = z.output<typeof lineRow>;
export const querySettlementLineList = service.list({
  operation: 'querySettlementLineList',
  label: '查询储值结算明细',
  access: view,
  filter: {
    billId: field('结算单', id),
    sourceType: field('来源', z.optional(lineSources.schema)),
    matchState: field('比对结果', z.optional(several(matchStates.schema))),
    unresolved: field('仅看未处理差异', z.optional(flag)),
    sourceNo: z.optional(text('单号', 40)),
  },
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
export const importBillStatement = service.act({
  operation: 'importBillStatement',
  label: '导入对账文件',
  access: confirm,
  log: 'IMPORT',
  input: { billId: field('结算单', id), ...importFields },
  output: importStarted,
});
/** No write-off is as large. */
const MOST_DISPUTED_FEN = 1_000_000_000;
/** What the counterparty says of a line, by word or by its file: a reversal is negative. */
const theirAmount = field(
  '对方金额',
  fen.check(z.minimum(-MOST_DISPUTED_FEN, '对方金额不能小于-1000万元'), z.maximum(MOST_DISPUTED_FEN, '对方金额不能大于1000万元')),
);
/** One line of which the counterparty told another amount by word. */
export const disputedLine = z.strictObject({ lineId: field('明细', id), theirAmount });
export const disputeBill = service.act({
  operation: 'disputeBill',
  label: '登记差异',
  access: confirm,
  input: {
    ...onBill,
    lines: field('差异', z.array(disputedLine).check(z.minLength(1, '请登记至少一条差异'), z.maxLength(200, '最多200条'))),
    opinion: optionalText('意见', 500),
  },
  output: billAnswer,
});
export const resolveBillLine = service.act({
  operation: 'resolveBillLine',
  label: '处理差异',
  access: confirm,
  input: { lineId: field('明细', id), ...onBill, resolution: field('处理方式', resolutions.schema), opinion },
  output: billAnswer,
});
export const confirmBill = service.act({
  operation: 'confirmBill',
  label: '确认结算单',
  access: confirm,
  idempotency: 'required',
  input: { ...onBill, confirmFileId: field('确认函', id) },
  output: billAnswer,
});
export const voidBill = service.act({
  operation: 'voidBill',
  label: '作废结算单',
  access: audit,
  input: { ...onBill, opinion },
  output: billAnswer,
});
export const remindBill = service.act({ operation: 'remindBill', label: '催确认', access: confirm, input: onBill, output: billAnswer });
/** The statement as the counterparty gets it. */
export const exportBill = service.file({
  operation: 'exportBill',
  label: '导出对账单',
  method: 'GET',
  access: canExport,
  input: { billId: field('结算单', id), format: field('格式', z._default(z.enum(['PDF', 'XLSX'], '格式不正确'), 'PDF')) },
  output: z.strictObject({}),
});
