import { sql } from 'kysely';
import { dayOf } from '#kernel/contract/time.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportSettlementBillList,
  querySettlementBillDetail,
  querySettlementBillList,
  type BillRow,
  type TaxLine,
} from '../../contract/calls/bills.ts';
import { billMachine } from '../../contract/billStates.ts';
import type { TaxResult } from '../../contract/rules/tax.ts';
import { billRecords } from '../access.ts';
import { own } from '../database.ts';
import { taxesOf } from '../payout/tax.ts';

const joined = (db: Db) =>
  own(db)
    .selectFrom('settlementBill as b')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'b.doctorId')
    .innerJoin('settlementPayer as p', 'p.id', 'b.payerEntityId');
const columns = [
  'b.id',
  'b.billNo',
  'b.period',
  'b.doctorId',
  'd.doctorNo',
  'd.name as doctorName',
  'd.hospitalName',
  'p.entityName as payerName',
  'b.itemCount',
  'b.consultFen',
  'b.followUpFen',
  'b.incentiveFen',
  'b.adjustFen',
  'b.clawbackFen',
  'b.carryInFen',
  'b.grossFen',
  'b.estTaxFen',
  'b.submittedByName',
  'b.auditedByName',
  'b.holdReason',
  'b.updatedAt',
  'b.status',
  'b.version',
] as const;
/** What the doctor was billed in the three months before, on average. */
const mean = sql<string | null>`(
  select round(avg(o.gross_fen)) from (
    select o.gross_fen from settlement_bill o
      where o.doctor_id = b.doctor_id and o.payer_entity_id = b.payer_entity_id and o.period < b.period and o.status <> 'VOIDED'
      order by o.period desc limit 3
  ) o
)`.as('meanFen');
const readBill = (db: Db, id: string) => joined(db).select(columns).select(mean).where('b.id', '=', id).executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readBill>>>;

const present = (row: Read, has: (permission: string) => boolean): BillRow => {
  const { estTaxFen, meanFen, ...rest } = row;
  // The ways out of being held are one button.
  const actions = billMachine.allowed(row.status, has).filter((action) => action !== 'unholdSubmitted' && action !== 'unholdApproved');
  return {
    ...rest,
    consultFen: Number(row.consultFen),
    followUpFen: Number(row.followUpFen),
    incentiveFen: Number(row.incentiveFen),
    adjustFen: Number(row.adjustFen),
    clawbackFen: Number(row.clawbackFen),
    carryInFen: Number(row.carryInFen),
    grossFen: Number(row.grossFen),
    estTaxFen: Number(estTaxFen),
    estNetFen: Number(row.grossFen) - Number(estTaxFen),
    meanFen: meanFen === null ? null : Number(meanFen),
    allowedActions: actions,
  };
};

export const billList = listOf(querySettlementBillList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      period: 'b.period',
      billNo: isNumber('b.billNo'),
      doctorId: 'b.doctorId',
      doctorName: contains('d.name'),
      payerEntityId: 'b.payerEntityId',
      status: 'b.status',
      minFen: from('b.grossFen'),
      maxFen: upTo('b.grossFen'),
    },
    id: 'b.id',
    last: { of: 'b.status', groups: [['PAID'], ['VOIDED']] },
    sorts: { grossFen: 'b.grossFen' },
    select: (rows) => rows.select(columns).select(mean),
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const billExport = listExport(billList, { call: exportSettlementBillList, title: '医生结算单', routeKey: 'doctorSettlement' });

/** Of these nothing is reckoned any more: the tax stands with the payment, or there will be none. */
const TAX_FINAL: ReadonlySet<BillRow['status']> = new Set(['IN_BATCH', 'PAID', 'VOIDED']);

async function lastPayout(db: Db, billId: string) {
  const payout = await own(db)
    .selectFrom('settlementPayoutItem as i')
    .innerJoin('settlementPayoutBatch as t', 't.id', 'i.batchId')
    .select(['i.bizRef', 't.taxMonth', 'i.taxFen', 'i.netFen', 'i.payeeName', 'i.bankName', 'i.accountMasked'])
    .select(['i.bankDay', 'i.bankSerialNo', 'i.failReason', 'i.status'])
    .where('i.billId', '=', billId)
    .where('i.status', '<>', 'CANCELLED')
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return payout ? { ...payout, taxFen: Number(payout.taxFen), netFen: Number(payout.netFen) } : null;
}

export const billDetail = query(querySettlementBillDetail, async ({ id }, ctx) => {
  const row = await readBill(ctx.db, id);
  if (!row) throw billRecords.missing();
  const bill = await billRecords.get(ctx.db, ctx.staff, id);
  const lines = await own(ctx.db)
    .selectFrom('settlementIncome')
    .select(['id as incomeId', 'incomeNo', 'incomeType', 'sourceNo', 'occurredAt', 'grossFen'])
    .where('billId', '=', id)
    .orderBy('occurredAt')
    .execute();
  const taxMonth = dayOf(ctx.now).slice(0, 7);
  const taxes = TAX_FINAL.has(bill.status) ? null : await taxesOf(ctx.db, bill.payerEntityId, taxMonth, [bill]);
  return {
    bill: present(row, ctx.has),
    tax: taxes && taxLine(taxMonth, taxes.get(bill.doctorId)!),
    payout: await lastPayout(ctx.db, id),
    lines: lines.map((line) => ({ ...line, grossFen: Number(line.grossFen) })),
    trail: await trailOf(ctx.db, billRecords.type, id),
  };
});

/** A calculation as it is shown. */
const taxLine = (taxMonth: string, tax: TaxResult): TaxLine => ({
  method: tax.method,
  taxMonth,
  runFrom: tax.runFrom,
  months: tax.months,
  cumIncomeFen: Number(tax.cumIncomeFen),
  expenseFen: Number(tax.expenseFen),
  deductionFen: Number(tax.deductionFen),
  taxableFen: Number(tax.taxableFen),
  rateBp: tax.rateBp,
  quickFen: Number(tax.quickFen),
  cumTaxFen: Number(tax.cumTaxFen),
  previousTaxFen: Number(tax.previousTaxFen),
  taxFen: Number(tax.taxFen),
});
