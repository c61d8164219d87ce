import { sql, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportSettlementBatchList,
  exportSettlementBillList,
  exportSettlementLineList,
  querySettlementBatchList,
  querySettlementBillList,
  querySettlementLineList,
  type SettlementBatchRow,
} from '../../contract/calls/settlement.ts';
import { bizLines } from '../../contract/dictionaries.ts';
import { billMachine, settlementBatchMachine } from '../../contract/useStates.ts';
import { notOfOwn, type Viewing } from '../access.ts';
import { own } from '../database.ts';
import { UNRESOLVED } from './bills.ts';

const batchColumns = [
  's.id',
  's.batchNo',
  's.direction',
  's.kind',
  's.bizLine',
  's.periodFrom',
  's.periodTo',
  's.billCount',
  's.lineCount',
  's.grossAmount',
  's.reversalAmount',
  's.feeAmount',
  's.netAmount',
  's.status',
  's.createdBy as makerId',
  's.submittedBy as submitterId',
  's.createdByName',
  's.auditedByName',
  's.cutoffAt',
  's.createdAt',
  's.version',
] as const;
const batchSums = [
  sql<string>`(
    select coalesce(sum(b.confirmed_amount), 0) from card_settlement_bill b where b.batch_id = s.id and b.status <> 'VOIDED'
  )`.as('confirmed'),
  sql<string>`(select coalesce(sum(b.settled_amount), 0) from card_settlement_bill b where b.batch_id = s.id and b.status <> 'VOIDED')`.as(
    'settled',
  ),
] as const;
const readBatch = (db: Db, id: string) =>
  own(db).selectFrom('cardSettlementBatch as s').select(batchColumns).select(batchSums).where('s.id', '=', id).executeTakeFirst();
type BatchRow = NonNullable<Awaited<ReturnType<typeof readBatch>>>;

function presentBatch(
  { grossAmount, reversalAmount, feeAmount, netAmount, status, createdByName, auditedByName, makerId, submitterId, ...row }: BatchRow,
  ask: Viewing,
): SettlementBatchRow {
  return {
    ...row,
    bizLine: bizLines.schema.parse(row.bizLine),
    gross: Number(grossAmount),
    reversal: Number(reversalAmount),
    fee: Number(feeAmount),
    net: Number(netAmount),
    confirmed: Number(row.confirmed),
    settled: Number(row.settled),
    state: status,
    maker: createdByName,
    auditor: auditedByName,
    allowedActions: notOfOwn(settlementBatchMachine.allowed(status, ask.has), ['approve', 'reject'], [makerId, submitterId], ask),
  };
}
/** One batch as its list shows it. */
export async function batchRow(db: Db, id: string, ask: Viewing): Promise<SettlementBatchRow | null> {
  const row = await readBatch(db, id);
  return row ? presentBatch(row, ask) : null;
}

export const batchList = listOf(querySettlementBatchList)
  .from(({ db }) => own(db).selectFrom('cardSettlementBatch as s'))
  .with({
    where: {
      batchNo: isNumber('s.batchNo'),
      direction: 's.direction',
      kind: 's.kind',
      bizLine: 's.bizLine',
      periodFrom: from('s.periodFrom'),
      periodTo: upTo('s.periodTo'),
      state: 's.status',
    },
    id: 's.id',
    last: { of: 's.status', groups: [['FINISHED'], ['VOIDED']] },
    sorts: {
      batchNo: 's.batchNo',
      periodFrom: 's.periodFrom',
      periodTo: 's.periodTo',
      billCount: 's.billCount',
      lineCount: 's.lineCount',
      gross: 's.grossAmount',
      reversal: 's.reversalAmount',
      fee: 's.feeAmount',
      net: 's.netAmount',
      confirmed: sql.ref('confirmed'),
      settled: sql.ref('settled'),
      cutoffAt: 's.cutoffAt',
      createdAt: 's.createdAt',
    },
    bounded: 'some settlements a month',
    select: (rows) => rows.select(batchColumns).select(batchSums),
    present: (rows, ask) => rows.map((row) => presentBatch(row, ask)),
  });
export const batchExport = listExport(batchList, {
  call: exportSettlementBatchList,
  title: '储值结算批次',
  routeKey: 'storedCardBatchManage',
});

export const billList = listOf(querySettlementBillList)
  .from(({ db }) => own(db).selectFrom('cardSettlementBill as b').innerJoin('cardSettlementBatch as s', 's.id', 'b.batchId'))
  .with({
    where: {
      billNo: isNumber('b.billNo'),
      batchId: 'b.batchId',
      direction: 'b.direction',
      bizLine: 's.bizLine',
      counterpartyName: contains('b.counterpartyName'),
      productCode: contains('b.productCode'),
      periodFrom: from('s.periodFrom'),
      periodTo: upTo('s.periodTo'),
      state: 'b.status',
      overdue: (_eb, yes, { today }) => {
        const late = sql<SqlBool>`b.due_date < ${today}::date and b.status in ('PENDING_CONFIRM', 'DISPUTED', 'CONFIRMED', 'PART_SETTLED')`;
        return yes ? late : sql<SqlBool>`not (${late})`;
      },
    },
    id: 'b.id',
    last: { of: 'b.status', groups: [['SETTLED'], ['VOIDED']] },
    sorts: { billNo: 'b.billNo', net: 'b.netAmount' },
    select: (rows) =>
      rows
        .select([
          'b.id',
          'b.billNo',
          'b.batchId',
          's.batchNo',
          'b.direction',
          's.kind',
          's.bizLine',
          'b.counterpartyType',
          'b.counterpartyId',
        ])
        .select(['b.counterpartyName', 'b.productCode', 's.periodFrom', 's.periodTo', 'b.lineCount', 'b.grossAmount', 'b.reversalAmount'])
        .select(['b.feeAmount', 'b.adjustAmount', 'b.netAmount', 'b.confirmedAmount', 'b.settledAmount', 'b.invoiceState', 'b.paymentNo'])
        .select(['b.dueDate', 'b.status', 'b.confirmFileId', 'b.version'])
        .select(sql<number>`(select count(*)::int from card_settlement_line l where l.bill_id = b.id and ${UNRESOLVED})`.as('unresolved'))
        .select(
          sql<string[]>`array(
            select unnest(array[l.disputed_by, l.resolved_by])::text
              from card_settlement_line l where l.bill_id = b.id and l.live and l.resolution = 'THEIRS'
          )`.as('deciders'),
        )
        .select(
          sql<string | null>`(
            select string_agg(distinct person.name, '、')
              from card_settlement_line l
              cross join lateral unnest(array[l.disputed_by_name, l.resolved_by_name]) as person (name)
              where l.bill_id = b.id and l.live and l.resolution = 'THEIRS'
          )`.as('decidedBy'),
        ),
    present: (rows, { has, today, staff }) =>
      rows.map(
        ({
          deciders,
          grossAmount,
          reversalAmount,
          feeAmount,
          adjustAmount,
          netAmount,
          confirmedAmount,
          settledAmount,
          status,
          ...row
        }) => ({
          ...row,
          bizLine: bizLines.schema.parse(row.bizLine),
          gross: Number(grossAmount),
          reversal: Number(reversalAmount),
          fee: Number(feeAmount),
          adjust: Number(adjustAmount),
          net: Number(netAmount),
          confirmed: Number(confirmedAmount ?? 0),
          settled: Number(settledAmount),
          overdue:
            row.dueDate !== null && row.dueDate < today && ['PENDING_CONFIRM', 'DISPUTED', 'CONFIRMED', 'PART_SETTLED'].includes(status),
          state: status,
          allowedActions: notOfOwn(billMachine.allowed(status, has), ['confirm'], deciders, { has, staff }),
        }),
      ),
  });
export const billExport = listExport(billList, {
  call: exportSettlementBillList,
  title: '储值结算单',
  routeKey: 'storedCardBatchManage.bills',
});

export const lineList = listOf(querySettlementLineList)
  .from(({ db }) =>
    own(db).selectFrom('cardSettlementLine as l').innerJoin('cardSettlementBill as b', 'b.id', 'l.billId').where('l.live', '=', true),
  )
  .with({
    where: {
      billId: 'l.billId',
      sourceType: 'l.sourceType',
      matchState: 'l.matchState',
      unresolved: (_eb, yes) => (yes ? sql<SqlBool>`${UNRESOLVED}` : sql<SqlBool>`not (${UNRESOLVED})`),
      sourceNo: contains('l.sourceNo'),
    },
    id: 'l.id',
    unsorted: 'the lines of a bill, up to some hundred thousand, in the order in which it counts them',
    order: [['l.lineNo', 'asc']],
    select: (rows) =>
      rows
        .select(['l.id', 'l.billId', 'l.sourceType', 'l.sourceNo', 'l.orderNo', 'l.amount', 'l.fee', 'l.net', 'l.theirAmount'])
        .select([
          'l.matchState',
          'l.resolution',
          'l.opinion',
          'l.disputedByName',
          'l.resolvedByName',
          'l.doneAt',
          'b.version as billVersion',
        ]),
    present: (rows) =>
      rows.map((row) => ({
        ...row,
        amount: Number(row.amount),
        fee: Number(row.fee),
        net: Number(row.net),
        theirAmount: row.theirAmount === null ? null : Number(row.theirAmount),
        difference: row.theirAmount === null ? null : Number(row.theirAmount) - Number(row.amount),
      })),
  });
export const lineExport = listExport(lineList, {
  call: exportSettlementLineList,
  title: '储值结算明细',
  routeKey: 'storedCardBatchManage.lines',
});
