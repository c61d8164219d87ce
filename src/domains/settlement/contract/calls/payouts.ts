import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  id,
  idOut,
  instantOut,
  monthOr,
  opinion,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { messageStates, taxMethods } from '../dictionaries.ts';
import { doctorOut, verdict } from '../fields.ts';
import { payoutItemMachine, payoutMachine } from '../payoutStates.ts';
import { settlementPermissions as may } from '../permissions.ts';

const service = declareService('PayoutService');
const view = may['payout.view'];
/** From this amount on a third person looks at a batch. */
export const SECOND_PAYOUT_FEN = 50_000_000n;
export const PAYOUT_RESULT_IMPORTER = 'settlement.payoutResult';

const batchRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 170 }),
  payerName: field('付款主体', z.string(), { width: 200 }),
  taxMonth: field('税款所属期', z.string(), { width: 100 }),
  planPayDate: field('计划付款日', dayOut, { width: 110 }),
  itemCount: field('笔数', z.int(), { width: 70 }),
  grossFen: field('应发', fen),
  taxFen: field('个税', fen),
  netFen: field('实发', fen),
  successCount: field('成功', z.int(), { width: 70 }),
  failCount: field('失败', z.int(), { width: 70 }),
  openCount: field('待回盘', z.int(), { width: 80 }),
  makerName: field('制单人', z.string(), { width: 90 }),
  checkerName: field('复核人', textOrNull, { width: 90 }),
  secondCheckerName: field('二级复核人', textOrNull, { width: 100 }),
  exportedByName: field('出盘人', textOrNull, { width: 90 }),
  exportedAt: field('出盘时间', z.nullable(instantOut)),
  createdAt: field('制单时间', instantOut),
  status: field('状态', payoutMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(payoutMachine),
});
export type PayoutRow = z.output<typeof batchRow>;
export const queryPayoutBatchList = service.list({
  operation: 'queryPayoutBatchList',
  label: '查询付款批次',
  access: view,
  filter: {
    batchNo: z.optional(wholeText('批次号', 30)),
    payerEntityId: field('付款主体', z.optional(id)),
    taxMonth: field('税款所属期', z.optional(monthOr('请选择税款所属期'))),
    status: field('状态', z.optional(several(payoutMachine.dictionary.schema))),
  },
  output: batchRow,
});
export const exportPayoutBatchList = exportOf(queryPayoutBatchList, {
  operation: 'exportPayoutBatchList',
  label: '导出付款批次',
  access: view,
});

const itemRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 170 }),
  bizRef: field('业务参考号', z.string(), { width: 190 }),
  billNo: field('结算单号', z.string(), { width: 170 }),
  ...doctorOut,
  payeeName: field('收款户名', z.string(), { width: 100 }),
  bankName: field('收款银行', z.string(), { width: 140 }),
  accountMasked: field('收款账号', z.string(), { width: 170 }),
  grossFen: field('应发', fen),
  taxFen: field('个税', fen),
  netFen: field('实发', fen),
  bankSerialNo: field('银行流水号', textOrNull, { width: 150 }),
  bankDay: field('交易日期', z.nullable(dayOut), { width: 110 }),
  failReason: field('失败原因', textOrNull, { width: 160 }),
  messageStatus: field('通知医生', z.nullable(messageStates.schema), { width: 90 }),
  status: field('状态', payoutItemMachine.dictionary.schema),
  version: z.int(),
});
export type PayoutItemRow = z.output<typeof itemRow>;
export const queryPayoutItemList = service.list({
  operation: 'queryPayoutItemList',
  label: '查询付款明细',
  access: view,
  filter: {
    batchId: field('批次', z.optional(id)),
    doctorName: z.optional(text('医生姓名', 40)),
    status: field('状态', z.optional(several(payoutItemMachine.dictionary.schema))),
  },
  output: itemRow,
});
export const exportPayoutItemList = exportOf(queryPayoutItemList, {
  operation: 'exportPayoutItemList',
  label: '导出付款明细',
  access: view,
});
export const queryPayoutBatchDetail = service.read({
  operation: 'queryPayoutBatchDetail',
  label: '查看付款批次',
  access: view,
  input: { id: field('批次', id) },
  output: z.strictObject({ batch: batchRow, fileSha256: textOrNull, exportCount: z.int(), opinion: textOrNull, trail }),
});

/** Bills that are passed and wait to be paid, with what keeps some of them from it. */
export const queryPayableBills = service.read({
  operation: 'queryPayableBills',
  label: '查询待付款结算单',
  access: may['payout.make'],
  input: { payerEntityId: field('付款主体', id) },
  output: z.array(
    z.strictObject({
      id: idOut,
      billNo: z.string(),
      period: z.string(),
      doctorId: idOut,
      doctorName: z.string(),
      grossFen: fen,
      /** Null: it may be paid. */
      reason: textOrNull,
    }),
  ),
});
const answer = acted(payoutMachine.dictionary.schema);
export const addPayoutBatch = service.act({
  operation: 'addPayoutBatch',
  label: '新建付款批次',
  access: may['payout.make'],
  idempotency: 'required',
  message: '新增成功!',
  input: {
    payerEntityId: field('付款主体', id),
    planPayDate: field('计划付款日', day),
    billIds: field('结算单', z.array(id).check(z.minLength(1, '请选择结算单'), z.maxLength(2_000, '一个批次最多2000张结算单'))),
  },
  output: answer,
});
const onBatch = { id: field('批次', id), version };
export const removePayoutItem = service.act({
  operation: 'removePayoutItem',
  label: '移出付款明细',
  access: may['payout.make'],
  input: { ...onBatch, itemId: field('付款明细', id) },
  output: answer,
});
export const submitPayoutBatch = service.act({
  operation: 'submitPayoutBatch',
  label: '提交付款批次',
  access: may['payout.make'],
  idempotency: 'required',
  input: { ...onBatch, planPayDate: field('计划付款日', day) },
  output: answer,
});
export const auditPayoutBatch = service.act({
  operation: 'auditPayoutBatch',
  label: '复核付款批次',
  access: may['payout.check'],
  idempotency: 'required',
  input: verdict,
  output: answer,
});
export const auditPayoutBatchSecond = service.act({
  operation: 'auditPayoutBatchSecond',
  label: '二级复核付款批次',
  access: may['payout.check2'],
  idempotency: 'required',
  input: verdict,
  output: answer,
});
export const returnPayoutBatchForTax = service.act({
  operation: 'returnPayoutBatchForTax',
  label: '退回付款批次重新计税',
  access: may['payout.check'],
  idempotency: 'required',
  input: { ...onBatch, opinion },
  output: answer,
});
export const voidPayoutBatch = service.act({
  operation: 'voidPayoutBatch',
  label: '作废付款批次',
  access: may['payout.make'],
  input: { ...onBatch, opinion },
  output: answer,
});
/** The money leaves what was set aside; the file is made of the rows, read again, and given out once. */
export const exportPayoutBankFile = service.revealFile({
  operation: 'exportPayoutBankFile',
  label: '生成银行文件',
  access: may['payout.export'],
  input: { version },
  output: z.strictObject({}),
});
/** The same bytes once more. */
export const reexportPayoutBankFile = service.revealFile({
  operation: 'reexportPayoutBankFile',
  label: '重新生成银行文件',
  access: may['payout.reexport'],
  input: {},
  output: z.strictObject({}),
});
export const importPayoutResult = service.act({
  operation: 'importPayoutResult',
  label: '导入回盘',
  access: may['payout.result'],
  log: 'IMPORT',
  input: { batchId: field('批次', id), ...importFields },
  output: importStarted,
});
interface BankAnswer {
  result: 'SUCCESS' | 'FAILED' | 'RETURNED';
  bankSerialNo?: string | undefined;
  bankDay?: string | undefined;
  failReason?: string | undefined;
}
const isTold = (result: BankAnswer['result'], key: 'bankSerialNo' | 'bankDay') => (answer: BankAnswer) =>
  answer.result !== result || Boolean(answer[key]);
/** What the bank said by another way than its file; never who made the file. */
export const markPayoutItem = service.act({
  operation: 'markPayoutItem',
  label: '登记付款结果',
  access: may['payout.result'],
  idempotency: 'required',
  input: z
    .strictObject({
      id: field('付款明细', id),
      version,
      result: field('结果', z.enum(['SUCCESS', 'FAILED', 'RETURNED'], '请选择结果')),
      bankSerialNo: field('银行流水号', z.optional(text('银行流水号', 60, 4))),
      bankDay: field('交易日期', z.optional(day)),
      failReason: field('失败原因', z.optional(text('失败原因', 200))),
      fileIds: field('银行凭证', z.array(id).check(z.minLength(1, '请上传银行凭证'), z.maxLength(3, '银行凭证最多3个'))),
    })
    .check(
      between<BankAnswer>(['result', 'bankSerialNo'], isTold('SUCCESS', 'bankSerialNo'), '付款成功须填写银行流水号'),
      between<BankAnswer>(['result', 'bankDay'], isTold('SUCCESS', 'bankDay'), '付款成功须填写交易日期'),
      between<BankAnswer>(
        ['result', 'failReason'],
        ({ result, failReason }) => result === 'SUCCESS' || Boolean(failReason),
        '请填写失败或退票原因',
      ),
    ),
  output: acted(payoutItemMachine.dictionary.schema),
});

const taxRow = z.strictObject({
  id: idOut,
  ...doctorOut,
  payerName: field('扣缴义务人', z.string(), { width: 200 }),
  taxMonth: field('税款所属期', z.string(), { width: 100 }),
  bizRef: field('付款参考号', z.string(), { width: 190 }),
  method: field('扣税方法', taxMethods.schema, { width: 120 }),
  runFrom: field('连续期起', z.string(), { width: 90 }),
  grossFen: field('收入额', fen),
  taxableFen: field('应纳税所得额', fen),
  cumTaxFen: field('应预扣税额', fen),
  previousTaxFen: field('已预扣税额', fen),
  taxFen: field('本次预扣', fen),
  isBack: field('冲回', z.boolean(), { width: 70 }),
  createdAt: field('扣税时间', instantOut),
});
export const queryTaxRecordList = service.list({
  operation: 'queryTaxRecordList',
  label: '查询扣税记录',
  access: may['tax.view'],
  filter: {
    payerEntityId: field('扣缴义务人', z.optional(id)),
    taxMonth: field('税款所属期', z.optional(monthOr('请选择税款所属期'))),
    doctorName: z.optional(text('医生姓名', 40)),
  },
  output: taxRow,
});
export const exportTaxRecordList = exportOf(queryTaxRecordList, {
  operation: 'exportTaxRecordList',
  label: '导出扣税记录',
  access: may['tax.view'],
});
