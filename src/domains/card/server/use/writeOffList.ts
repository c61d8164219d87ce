import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { query } from '#kernel/server/handler.ts';
import { isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportReversalList,
  exportWriteOffList,
  queryReversalList,
  queryWriteOffList,
  queryWriteOffTotal,
} from '../../contract/calls/writeOffs.ts';
import { reversalMachine } from '../../contract/useStates.ts';
import { holderIs, showHolder } from '../cards/holder.ts';
import { notOfOwn } from '../access.ts';
import { own } from '../database.ts';

/** Where a write-off stands in the settlement of one direction. */
const billOf = (direction: 'PAYABLE' | 'RECEIVABLE') => sql<{ no: string; state: string } | null>`
  (select jsonb_build_object('no', b.bill_no, 'state', case b.status when 'SETTLED' then 'SETTLED' else 'IN' end)
     from card_settlement_line l join card_settlement_bill b on b.id = l.bill_id
    where l.source_type = 'WRITE_OFF' and l.source_id = w.id and l.direction = ${direction} and l.live limit 1)`;

/** Beside a write-off `w`: the bills of both directions that it stands in. */
export const writeOffBills = [billOf('PAYABLE').as('payableBill'), billOf('RECEIVABLE').as('receivableBill')] as const;

export const settleStateOf = (bill: { state: string } | null) =>
  bill === null ? ('NONE' as const) : bill.state === 'SETTLED' ? ('SETTLED' as const) : ('IN' as const);

export const writeOffList = listOf(queryWriteOffList)
  .from(({ db }) =>
    own(db)
      .selectFrom('cardWriteOff as w')
      .innerJoin('cardCard as c', 'c.id', 'w.cardId')
      .innerJoin('cardType as t', 't.id', 'w.cardTypeId'),
  )
  .with({
    where: {
      writeOffNo: isNumber('w.writeOffNo'),
      orderNo: isNumber('w.orderNo'),
      cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
      holderKeyword: (_eb, text, ask) => holderIs(text, ask),
      cardTypeId: 'w.cardTypeId',
      cardId: 'w.cardId',
      kind: 'w.kind',
      merchantId: 'w.merchantId',
      state: 'w.state',
      settleState: (_eb, state) => {
        const inBill = sql`from card_settlement_line l join card_settlement_bill b on b.id = l.bill_id
          where l.source_type = 'WRITE_OFF' and l.source_id = w.id and l.direction = 'PAYABLE' and l.live`;
        if (state === 'NONE') return sql<SqlBool>`not exists (select ${inBill})`;
        return state === 'SETTLED'
          ? sql<SqlBool>`exists (select ${inBill} and b.status = 'SETTLED')`
          : sql<SqlBool>`exists (select ${inBill} and b.status <> 'SETTLED')`;
      },
      operatorType: 'w.operatorType',
      dateFrom: (_eb, day) => sql<SqlBool>`w.done_at >= ${startOfDay(day)}::timestamptz`,
      dateTo: (_eb, day) => sql<SqlBool>`w.done_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 'w.id',
    sorts: { writeOffNo: 'w.writeOffNo', doneAt: 'w.doneAt' },
    order: [['w.doneAt', 'desc']],
    select: (rows) =>
      rows
        .select(['w.id', 'w.writeOffNo', 'w.cardId', 'c.cardNo', 'w.kind', 't.typeName as cardTypeName', 'c.holderName', 'w.orderNo'])
        .select(['w.orderId', 'w.merchantName', 'w.goodsName', 'w.quantity', 'w.amount', 'w.times', 'w.feeAmount', 'w.reversedAmount'])
        .select(['w.receivableAmount', 'w.operatorType', 'w.state', 'w.doneAt', 'w.version'])
        .select(writeOffBills),
    present: (rows, ask) =>
      rows.map(({ goodsName, quantity, feeAmount, reversedAmount, receivableAmount: _owed, payableBill, receivableBill, ...row }) => ({
        ...row,
        ...showHolder(row, ask),
        goods: `${goodsName}×${quantity}`,
        amount: Number(row.amount),
        fee: Number(feeAmount),
        reversed: Number(reversedAmount),
        reversible: row.state === 'REVERSED' ? 0 : Number(row.amount) - Number(reversedAmount),
        receivableState: settleStateOf(receivableBill),
        payableState: settleStateOf(payableBill),
        receivableBillNo: receivableBill?.no ?? null,
        payableBillNo: payableBill?.no ?? null,
      })),
  });
export const writeOffExport = listExport(writeOffList, { call: exportWriteOffList, title: '卡核销记录', routeKey: 'cardCancel' });

export const writeOffTotal = query(queryWriteOffTotal, async (filter, ctx) => {
  const matching = await writeOffList.matching({ db: ctx.db, staff: ctx.staff, now: ctx.now, today: ctx.today, filter, has: ctx.has });
  const row = await matching
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string>`coalesce(sum(w.amount), 0)`.as('amount'),
      sql<string>`coalesce(sum(w.reversed_amount), 0)`.as('reversed'),
      sql<string>`coalesce(sum(w.amount - w.reversed_amount), 0)`.as('net'),
      sql<string>`coalesce(sum(w.fee_amount - w.reversed_fee), 0)`.as('fee'),
    ])
    .executeTakeFirstOrThrow();
  return row;
});

export const reversalList = listOf(queryReversalList)
  .from(({ db }) =>
    own(db)
      .selectFrom('cardReversal as r')
      .innerJoin('cardWriteOff as w', 'w.id', 'r.writeOffId')
      .innerJoin('cardCard as c', 'c.id', 'w.cardId'),
  )
  .with({
    where: {
      reversalNo: isNumber('r.reversalNo'),
      writeOffNo: isNumber('w.writeOffNo'),
      orderNo: isNumber('w.orderNo'),
      cardNo: (_eb, text) => sql<SqlBool>`c.card_no = ${text.replaceAll(/\s/g, '')}`,
      status: 'r.status',
    },
    id: 'r.id',
    sorts: { reversalNo: 'r.reversalNo', createdAt: 'r.createdAt' },
    order: [['r.createdAt', 'desc']],
    select: (rows) =>
      rows
        .select(['r.id', 'r.reversalNo', 'r.writeOffId', 'w.writeOffNo', 'c.cardNo', 'w.cardId', 'w.orderNo', 'w.merchantName', 'r.amount'])
        .select([
          'r.feeAmount',
          'r.reasonCode',
          'r.opinion',
          'r.requestedBy as makerId',
          'r.requestedByName',
          'r.createdAt',
          'r.approvedByName',
          'r.status',
          'r.doneAt',
          'r.version',
        ]),
    present: (rows, ask) =>
      rows.map(({ feeAmount, requestedByName, approvedByName, makerId, ...row }) => ({
        ...row,
        cardNo: showHolder({ cardNo: row.cardNo }, ask).cardNo,
        amount: Number(row.amount),
        fee: Number(feeAmount),
        requestedBy: requestedByName,
        approvedBy: approvedByName,
        allowedActions: notOfOwn(reversalMachine.allowed(row.status, ask.has), ['approve', 'reject'], [makerId], ask),
      })),
  });
export const reversalExport = listExport(reversalList, { call: exportReversalList, title: '卡冲正', routeKey: 'cardCancel.reversals' });
