import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import { printSettlementBill } from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';
import { incomeTypes } from '../../contract/dictionaries.ts';
import { billRecords } from '../access.ts';
import { own } from '../database.ts';

const money = (fen: string) => `${yuan(fen, true)}元`;

/** How a bill was paid. */
const paidItem = (db: Db | Tx, billId: string) =>
  own(db)
    .selectFrom('settlementPayoutItem as i')
    .innerJoin('settlementPayoutBatch as t', 't.id', 'i.batchId')
    .select(['i.taxFen', 'i.netFen', 'i.bankName', 'i.accountMasked', 'i.bankDay', 'i.bankSerialNo', 't.taxMonth'])
    .where('i.billId', '=', billId)
    .where('i.status', '=', 'SUCCESS')
    .executeTakeFirst();
type Paid = NonNullable<Awaited<ReturnType<typeof paidItem>>>;
const paidFacts = (paid: Paid): (readonly [string, string])[] => [
  ['代扣个税', money(paid.taxFen)],
  ['实发金额', money(paid.netFen)],
  ['收款账户', `${paid.bankName} ${paid.accountMasked}`],
  ['付款日期', paid.bankDay ?? ''],
  ['银行流水号', paid.bankSerialNo ?? ''],
];

/** 结算单 as a doctor gets it: its sums and every income behind them. @returns null where there is none */
export async function statementOf(
  db: Db | Tx,
  id: string,
  watermark: string,
): Promise<{ billNo: string; lines: number; body: Buffer } | null> {
  const bill = await own(db)
    .selectFrom('settlementBill as b')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'b.doctorId')
    .innerJoin('settlementPayer as p', 'p.id', 'b.payerEntityId')
    .selectAll('b')
    .select(['d.name', 'd.doctorNo', 'd.hospitalName', 'p.entityName'])
    .where('b.id', '=', id)
    .executeTakeFirst();
  if (!bill) return null;
  const lines = await own(db)
    .selectFrom('settlementIncome')
    .select(['incomeNo', 'incomeType', 'sourceNo', 'occurredAt', 'grossFen'])
    .where('billId', '=', id)
    .orderBy('occurredAt')
    .execute();
  const paid = bill.status === 'PAID' ? await paidItem(db, id) : undefined;
  const facts: readonly (readonly [string, string])[] = [
    ['结算单号', bill.billNo],
    ['结算期间', bill.period],
    ['医生', `${bill.name}（${bill.doctorNo}）`],
    ['医院', bill.hospitalName ?? '—'],
    ['付款主体', bill.entityName],
    ['状态', billMachine.states[bill.status].label],
    ['咨询收入', money(bill.consultFen)],
    ['随访收入', money(bill.followUpFen)],
    ['激励收入', money(bill.incentiveFen)],
    ['人工调整', money(bill.adjustFen)],
    ['追回', money(bill.clawbackFen)],
    ['应发合计', money(bill.grossFen)],
    ...(paid
      ? paidFacts(paid)
      : [
          ['预估个税', money(bill.estTaxFen)] as const,
          ['预估实发', money(String(BigInt(bill.grossFen) - BigInt(bill.estTaxFen)))] as const,
        ]),
  ];
  const columns = [
    { label: '收入编号', width: 26 },
    { label: '类型', width: 12 },
    { label: '业务单号', width: 26 },
    { label: '完成时间', width: 22 },
    { label: '金额(元)', width: 14 },
  ];
  const blocks: PdfBlock[] = [
    { kind: 'title', text: '医生服务费结算单', note: `${bill.name}　${bill.period}` },
    { kind: 'fields', fields: facts },
    { kind: 'heading', text: '收入明细' },
    {
      kind: 'table',
      columns,
      rows: lines.map((line) => [
        line.incomeNo,
        incomeTypes.label(line.incomeType),
        line.sourceNo,
        showInstant(line.occurredAt),
        yuan(line.grossFen, true),
      ]),
    },
    {
      kind: 'text',
      text: paid
        ? `个人所得税已由${bill.entityName}按税法预扣预缴，税款所属期${paid.taxMonth}。`
        : '个人所得税在付款时按税法预扣预缴，实际金额以付款当月计算为准。',
    },
  ];
  const body = renderPdf({ title: `结算单 ${bill.billNo}`, watermark, footer: `结算单 ${bill.billNo}`, blocks });
  return { billNo: bill.billNo, lines: lines.length, body };
}

export const print = command(printSettlementBill, async ({ id }, ctx) => {
  const made = await statementOf(ctx.tx, id, `${ctx.staff.displayName} ${showInstant(ctx.now)}`);
  if (!made) throw billRecords.missing();
  ctx.target({ type: billRecords.type, id, no: made.billNo, looked: true });
  return new FileAnswer({ name: `结算单_${made.billNo}.pdf`, contentType: 'application/pdf', body: made.body, rowCount: made.lines });
});
