import { refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays, showInstant, startOfDay } from '#kernel/contract/time.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { renderPdf, type PdfBlock } from '#kernel/server/documents/pdf.ts';
import { bufferOf, xlsxStream, type XlsxCell } from '#kernel/server/documents/xlsxStream.ts';
import { FileAnswer } from '#kernel/server/fileAnswer.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { exportCardStatement, queryCardStatement, type CardStatement, type StatementEntry } from '../../contract/calls/cards.ts';
import { cardKinds } from '../../contract/dictionaries.ts';
import { own } from '../database.ts';
import { findCard, type CardInUse } from '../use/readCard.ts';
import { showHolder } from './holder.ts';

/** A statement is a document that people read; more than that is an export's business. */
const MOST_ENTRIES = 5_000;
interface Span {
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}
const TIMES_LABELS: Readonly<Record<string, string>> = {
  GRANT: '发放',
  USE: '核销',
  UNDO: '冲正退回',
  EXPIRE: '到期',
  VOID: '转出与作废',
};

type Unsummed = Omit<StatementEntry, 'balance' | 'income' | 'outgo'> & { amount: number };

/** Times of a benefit card or a coupon: what is only set aside is not gone yet. */
async function timesMoves(db: Db | Tx, card: CardInUse, { dateFrom, dateTo }: Span): Promise<{ opening: number; moves: Unsummed[] }> {
  const from = dateFrom ? startOfDay(dateFrom) : '0001-01-01T00:00:00.000Z';
  const to = dateTo ? startOfDay(plusDays(dateTo, 1)) : '9999-01-01T00:00:00.000Z';
  const rows = await own(db)
    .selectFrom('cardTimesMove')
    .selectAll()
    .where('cardId', '=', card.id)
    .where('deltaLeft', '<>', 0)
    .where('at', '<', to)
    .orderBy('id')
    .limit(MOST_ENTRIES + 1)
    .execute();
  if (rows.length > MOST_ENTRIES) throw refuseField('dateFrom', '流水过多，请缩小日期范围');
  const nameOf = (benefitId: string) =>
    benefitId === 'COUPON' ? '优惠券' : (card.rules.benefits.find((one) => one.benefitId === benefitId)?.benefitName ?? benefitId);
  return {
    opening: rows.filter(({ at }) => at < from).reduce((sum, { deltaLeft }) => sum + deltaLeft, 0),
    moves: rows
      .filter(({ at }) => at >= from)
      .map((row) => ({
        id: row.id,
        at: row.at,
        no: row.id,
        label: TIMES_LABELS[row.kind] ?? row.kind,
        kindLabel: nameOf(row.benefitId),
        refNo: null,
        memo: '',
        amount: row.deltaLeft,
      })),
  };
}

async function valueMoves(kernel: Kernel, db: Db | Tx, card: CardInUse, { dateFrom, dateTo }: Span) {
  const read = await ledgerOf(kernel).movementsOf(
    db,
    'CARD',
    { type: 'cardAccount', id: card.id },
    { from: dateFrom, to: dateTo, most: MOST_ENTRIES },
  );
  if (read === null) throw refuseField('dateFrom', '流水过多，请缩小日期范围');
  return {
    opening: Number(read.opening),
    moves: read.movements.map((one): Unsummed => ({
      id: one.id,
      at: one.at,
      no: one.transferNo,
      label: one.label,
      kindLabel: one.accountLabel,
      refNo: one.refNo,
      memo: one.memo,
      amount: Number(one.amount),
    })),
  };
}

export async function statementOf(
  kernel: Kernel,
  db: Db | Tx,
  card: CardInUse,
  span: Span,
  ask: Pick<Context, 'has'>,
): Promise<CardStatement> {
  if (span.dateFrom && span.dateTo && span.dateFrom > span.dateTo) throw refuseField('dateTo', '截止日期不能早于开始日期');
  const { opening, moves } = card.kind === 'STORED_VALUE' ? await valueMoves(kernel, db, card, span) : await timesMoves(db, card, span);
  let balance = opening;
  const entries = moves.map(({ amount, ...move }): StatementEntry => {
    balance += amount;
    return { ...move, income: Math.max(0, amount), outgo: Math.max(0, -amount), balance };
  });
  return {
    ...showHolder(card, ask),
    cardTypeName: card.cardTypeName,
    kind: card.kind,
    opening,
    income: entries.reduce((sum, { income }) => sum + income, 0),
    outgo: entries.reduce((sum, { outgo }) => sum + outgo, 0),
    closing: balance,
    entries,
  };
}

export const statement = (kernel: Kernel) =>
  query(queryCardStatement, async ({ cardId, ...span }, ctx) => statementOf(kernel, ctx.db, await findCard(ctx.db, { cardId }), span, ctx));

const LABELS = ['时间', '凭证号', '摘要', '类型', '业务单号', '收入', '支出', '余额'];
export const statementFile = (kernel: Kernel) =>
  command(exportCardStatement, async ({ cardId, format, ...span }, ctx) => {
    const card = await findCard(ctx.tx, { cardId });
    const read = await statementOf(kernel, ctx.tx, card, span, ctx);
    ctx.target({ type: 'card.card', id: card.id, no: read.cardNo });
    const isMoney = card.kind === 'STORED_VALUE';
    const unit = isMoney ? '元' : '次';
    const shown = (value: number) => (isMoney ? yuan(value, true) : String(value));
    const period = `${span.dateFrom ?? dayOf(read.entries[0]?.at ?? ctx.now)} 至 ${span.dateTo ?? ctx.today}`;
    const facts: readonly (readonly [string, string])[] = [
      ['卡号', read.cardNo],
      ['卡种', read.cardTypeName],
      ['类型', cardKinds.label(read.kind)],
      ['持卡人', read.holderName ?? '—'],
      ['期间', period],
      ['期初余额', `${shown(read.opening)}${unit}`],
      ['收入合计', `${shown(read.income)}${unit}`],
      ['支出合计', `${shown(read.outgo)}${unit}`],
      ['期末余额', `${shown(read.closing)}${unit}`],
    ];
    const labels = LABELS.map((label, at) => (at >= 5 ? `${label}(${unit})` : label));
    const name = `卡对账单_${card.cardNo.slice(0, 4)}${card.cardNo.slice(-4)}_${ctx.today}`;
    if (format === 'XLSX') {
      const text = (value: string): XlsxCell => ({ text: value });
      const amount = (value: number): XlsxCell => ({
        text: isMoney ? yuan(value) : String(value),
        numeric: true,
        ...(isMoney && { style: 'money' as const }),
      });
      const rows: XlsxCell[][] = [
        ...facts.map(([label, value]) => [text(label), text(value)]),
        [],
        labels.map(text),
        ...read.entries.map((one) => [
          text(showInstant(one.at)),
          text(one.no),
          text(one.label),
          text(one.kindLabel),
          text(one.refNo ?? ''),
          amount(one.income),
          amount(one.outgo),
          amount(one.balance),
        ]),
      ];
      return new FileAnswer({
        name: `${name}.xlsx`,
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        body: await bufferOf(xlsxStream([{ name: '对账单', rows, widths: [20, 22, 16, 14, 24, 14, 14, 14] }])),
        rowCount: read.entries.length,
      });
    }
    const blocks: PdfBlock[] = [
      { kind: 'title', text: '卡对账单', note: `${read.cardNo}　${period}` },
      { kind: 'fields', fields: facts },
      { kind: 'heading', text: '流水明细' },
      {
        kind: 'table',
        columns: labels.map((label, at) => ({ label, width: [17, 19, 12, 11, 17, 8, 8, 8][at] ?? 10 })),
        rows: read.entries.map((one) => [
          showInstant(one.at),
          one.no,
          one.label,
          one.kindLabel,
          one.refNo ?? '',
          one.income ? shown(one.income) : '',
          one.outgo ? shown(one.outgo) : '',
          shown(one.balance),
        ]),
      },
    ];
    const pdf = renderPdf({
      title: `卡对账单 ${read.cardNo}`,
      watermark: `${ctx.staff.displayName} ${showInstant(ctx.now)}`,
      footer: `卡对账单 ${read.cardNo}`,
      blocks,
    });
    return new FileAnswer({ name: `${name}.pdf`, contentType: 'application/pdf', body: pdf, rowCount: read.entries.length });
  });
