import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
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
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { trail } from '#kernel/contract/trail.ts';
import { taxMethods } from '../dictionaries.ts';
import { doctorOut, verdict } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { billMachine, runStates } from '../billStates.ts';
import { payoutItemMachine } from '../payoutStates.ts';

const service = declareService('SettlementService');
const view = may['bill.view'];
const period = field('结算期间', monthOr('请选择结算期间'));
const runScope = { period, payerEntityId: field('付款主体', id) };

const skipped = z.strictObject({ doctorName: z.string(), grossFen: fen, reason: z.string() });
/** Writes nothing; a run makes exactly this of what is payable then. */
export const previewSettleRun = service.read({
  operation: 'previewSettleRun',
  label: '试算结算单',
  access: may['bill.run'],
  input: runScope,
  output: z.strictObject({
    doctorCount: z.int(),
    billCount: z.int(),
    grossFen: fen,
    carryInFen: fen,
    skipped: z.array(skipped),
  }),
});
export const startSettleRun = service.act({
  operation: 'startSettleRun',
  label: '发起批算',
  access: may['bill.run'],
  idempotency: 'required',
  input: runScope,
  output: z.strictObject({ id: idOut, runNo: z.string(), status: runStates.schema }),
});
const runRow = z.strictObject({
  id: idOut,
  runNo: field('批算编号', z.string(), { width: 170 }),
  period: field('结算期间', z.string(), { width: 100 }),
  payerName: field('付款主体', z.string(), { width: 220 }),
  billCount: field('结算单数', z.int(), { width: 90 }),
  rolledCount: field('滚存医生数', z.int(), { width: 100 }),
  grossFen: field('应发合计', fen),
  startedByName: field('发起人', z.string(), { width: 90 }),
  createdAt: field('发起时间', instantOut),
  finishedAt: field('完成时间', z.nullable(instantOut)),
  status: field('状态', runStates.schema),
});
export type RunRow = z.output<typeof runRow>;
export const querySettleRunList = service.list({
  operation: 'querySettleRunList',
  label: '查询批算记录',
  access: view,
  filter: { period: field('结算期间', z.optional(monthOr('请选择结算期间'))), payerEntityId: field('付款主体', z.optional(id)) },
  output: runRow,
});
export const exportSettleRunList = exportOf(querySettleRunList, {
  operation: 'exportSettleRunList',
  label: '导出批算记录',
  access: may['bill.export'],
});
export const querySettleRunSkips = service.read({
  operation: 'querySettleRunSkips',
  label: '查看未出单医生',
  access: view,
  input: { id: field('批算', id) },
  output: z.array(skipped),
});

const billRow = z.strictObject({
  id: idOut,
  billNo: field('结算单号', z.string(), { width: 170 }),
  period: field('结算期间', z.string(), { width: 90 }),
  ...doctorOut,
  payerName: field('付款主体', z.string(), { width: 200 }),
  itemCount: field('笔数', z.int(), { width: 70 }),
  consultFen: field('咨询', fen),
  followUpFen: field('随访', fen),
  incentiveFen: field('激励', fen),
  adjustFen: field('调整', fen),
  clawbackFen: field('追回', fen),
  carryInFen: field('滚存转入', fen),
  grossFen: field('应发合计', fen),
  estTaxFen: field('预估个税', fen),
  estNetFen: field('预估实发', fen),
  /** Mean of the three bills before; null where there were none. */
  meanFen: field('前三期平均', z.nullable(fen)),
  submittedByName: field('提交人', textOrNull, { width: 90 }),
  auditedByName: field('审核人', textOrNull, { width: 90 }),
  holdReason: field('挂起原因', textOrNull, { width: 140 }),
  updatedAt: field('更新时间', instantOut),
  status: field('状态', billMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(billMachine),
});
export type BillRow = z.output<typeof billRow>;
export const querySettlementBillList = service.list({
  operation: 'querySettlementBillList',
  label: '查询结算单',
  access: view,
  filter: {
    ...sortedBy('grossFen'),
    period: field('结算期间', z.optional(monthOr('请选择结算期间'))),
    billNo: z.optional(wholeText('结算单号', 30)),
    doctorId: field('医生', z.optional(id)),
    doctorName: z.optional(text('医生姓名', 40)),
    payerEntityId: field('付款主体', z.optional(id)),
    status: field('状态', z.optional(several(billMachine.dictionary.schema))),
    minFen: field('应发金额起', z.optional(fen)),
    maxFen: field('应发金额止', z.optional(fen)),
  },
  output: billRow,
});
export const exportSettlementBillList = exportOf(querySettlementBillList, {
  operation: 'exportSettlementBillList',
  label: '导出结算单',
  access: may['bill.export'],
});

const tax = z.strictObject({
  method: taxMethods.schema,
  taxMonth: z.string(),
  runFrom: z.string(),
  months: z.int(),
  cumIncomeFen: fen,
  expenseFen: fen,
  deductionFen: fen,
  taxableFen: fen,
  rateBp: z.int(),
  quickFen: fen,
  cumTaxFen: fen,
  previousTaxFen: fen,
  taxFen: fen,
});
export type TaxLine = z.output<typeof tax>;
export const billPayout = z.strictObject({
  bizRef: field('付款参考号', z.string()),
  taxMonth: field('税款所属期', z.string()),
  taxFen: field('代扣个税', fen),
  netFen: field('实发金额', fen),
  payeeName: field('收款户名', z.string()),
  bankName: field('收款银行', z.string()),
  accountMasked: field('收款账号', z.string()),
  bankDay: field('交易日期', z.nullable(dayOut)),
  bankSerialNo: field('银行流水号', textOrNull),
  failReason: field('失败原因', textOrNull),
  status: field('付款状态', payoutItemMachine.dictionary.schema),
});
export const querySettlementBillDetail = service.read({
  operation: 'querySettlementBillDetail',
  label: '查看结算单',
  access: view,
  input: { id: field('结算单', id) },
  output: z.strictObject({
    bill: billRow,
    /** As it would be withheld today; null where it was, or never will be. */
    tax: z.nullable(tax),
    /** The last payment of it, with what was withheld. */
    payout: z.nullable(billPayout),
    lines: z.array(
      z.strictObject({
        incomeId: idOut,
        incomeNo: z.string(),
        incomeType: z.string(),
        sourceNo: z.string(),
        occurredAt: instantOut,
        grossFen: fen,
      }),
    ),
    trail,
  }),
});
const onBill = { id: field('结算单', id), version };
const answer = acted(billMachine.dictionary.schema);
export const submitSettlementBill = service.act({
  operation: 'submitSettlementBill',
  label: '提交结算单',
  access: may['bill.submit'],
  input: onBill,
  output: answer,
});
export const auditSettlementBill = service.act({
  operation: 'auditSettlementBill',
  label: '审核结算单',
  access: may['bill.audit'],
  input: verdict,
  output: answer,
});
export const recalcSettlementBill = service.act({
  operation: 'recalcSettlementBill',
  label: '重新计算结算单',
  access: may['bill.submit'],
  idempotency: 'required',
  input: onBill,
  output: answer,
});
export const holdSettlementBill = service.act({
  operation: 'holdSettlementBill',
  label: '挂起结算单',
  access: may['bill.hold'],
  input: { ...onBill, opinion },
  output: answer,
});
export const unholdSettlementBill = service.act({
  operation: 'unholdSettlementBill',
  label: '解除挂起结算单',
  access: may['bill.hold'],
  input: { ...onBill, opinion },
  output: answer,
});
export const voidSettlementBill = service.act({
  operation: 'voidSettlementBill',
  label: '作废结算单',
  access: may['bill.audit'],
  idempotency: 'required',
  input: { ...onBill, opinion },
  output: answer,
});
/** After the account was put right. */
export const retryPaySettlementBill = service.act({
  operation: 'retryPaySettlementBill',
  label: '重新付款结算单',
  access: may['bill.audit'],
  input: { ...onBill, opinion },
  output: answer,
});
/** 结算单 as the doctor gets it. */
export const printSettlementBill = service.file({
  operation: 'printSettlementBill',
  label: '打印结算单',
  access: view,
  input: { id: field('结算单', id) },
  output: z.strictObject({}),
});
