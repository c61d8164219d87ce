import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { day, dayOut, fenOut, idOut, instantOut, text, wholeText } from '#kernel/contract/fields.ts';
import { books, sides } from '../books.ts';
import { ledgerPermissions as may } from '../permissions.ts';
import { accountOut, link, scope, service } from './shared.ts';

const seen = may['account.view'];

export const entryRow = z.strictObject({
  id: idOut,
  /** Of its account; open accounts count none. */
  accountSeq: field('序号', z.nullable(z.string()), { width: 70 }),
  postingDate: field('记账日期', dayOut),
  transferNo: field('凭证号', z.string(), { width: 180 }),
  label: field('摘要', z.string(), { width: 150 }),
  memo: field('备注', z.string(), { width: 160 }),
  ...accountOut,
  counter: field('对方科目', z.string(), { width: 160 }),
  debitFen: field('借方', z.nullable(fenOut), { width: 120 }),
  creditFen: field('贷方', z.nullable(fenOut), { width: 120 }),
  balanceAfterFen: field('余额', z.nullable(fenOut), { width: 130 }),
  refLabel: z.string(),
  refNo: field('业务单号', z.string(), { width: 190 }),
  link,
  operatorName: field('操作人', z.string(), { width: 110 }),
  createdAt: field('记账时间', instantOut),
});
export type LedgerEntryRow = z.output<typeof entryRow>;

const filters = {
  ...scope,
  dateFrom: field('记账日期起', z.optional(day)),
  dateTo: field('记账日期止', z.optional(day)),
  transferType: z.optional(text('摘要', 40)),
  transferNo: z.optional(wholeText('凭证号', 20)),
  refNo: z.optional(wholeText('业务单号', 64)),
  side: field('方向', z.optional(sides.schema)),
};

export const queryLedgerEntryList = service.list({
  operation: 'queryLedgerEntryList',
  label: '查询流水',
  access: seen,
  filter: filters,
  output: entryRow,
});
export const exportLedgerEntryList = exportOf(queryLedgerEntryList, {
  operation: 'exportLedgerEntryList',
  label: '导出流水',
  access: seen,
});

const lotUse = z.strictObject({
  lotNo: z.string(),
  accountNo: z.string(),
  kind: z.string(),
  amountFen: fenOut,
  expiresAt: z.nullable(instantOut),
});

export const queryLedgerTransferDetail = service.read({
  operation: 'queryLedgerTransferDetail',
  label: '查询记账凭证',
  access: seen,
  input: { transferNo: text('凭证号', 20, 1) },
  output: z.strictObject({
    id: idOut,
    transferNo: field('凭证号', z.string()),
    book: field('账簿', books.schema),
    label: field('摘要', z.string()),
    postingDate: field('记账日期', dayOut),
    period: field('会计期间', z.string()),
    totalFen: field('金额', fenOut),
    businessKey: field('业务幂等键', z.string()),
    refLabel: field('业务类型', z.string()),
    refNo: field('业务单号', z.string()),
    link,
    memo: field('备注', z.string()),
    operatorName: field('操作人', z.string()),
    createdAt: field('记账时间', instantOut),
    holdNo: field('预占单号', z.nullable(z.string())),
    /** What it goes back on, and what went back on it. */
    original: z.nullable(z.string()),
    reversals: z.array(z.strictObject({ transferNo: z.string(), totalFen: fenOut, whole: z.boolean(), postingDate: dayOut })),
    entries: z.array(
      z.strictObject({
        id: idOut,
        ...accountOut,
        side: sides.schema,
        amountFen: fenOut,
        balanceAfterFen: z.nullable(fenOut),
        refundedFen: fenOut,
      }),
    ),
    lots: z.array(lotUse),
  }),
});
export type LedgerTransferDetail = z.output<typeof queryLedgerTransferDetail.output>;
