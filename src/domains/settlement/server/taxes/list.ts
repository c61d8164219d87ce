import { sql } from 'kysely';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportDoctorPeriodList, exportTaxMonthList, queryDoctorPeriodList, queryTaxMonthList } from '../../contract/calls/taxes.ts';
import { periodMachine, taxMonthMachine } from '../../contract/taxStates.ts';
import { own } from '../database.ts';

const ofRecords = (column: 'gross_fen' | 'tax_fen') => sql<string>`(
  select coalesce(sum(r.${sql.ref(column)}), 0)::text
    from settlement_tax_record r
    where r.payer_entity_id = m.payer_entity_id and r.tax_month = m.tax_month
)`;
const doctorCount = sql<number>`(
  select count(*)::int
    from (
      select 1
        from settlement_tax_record r
        where r.payer_entity_id = m.payer_entity_id and r.tax_month = m.tax_month
        group by r.doctor_id
        having sum(r.gross_fen) > 0
    ) d
)`;
const openCount = sql<number>`(
  select count(*)::int
    from settlement_payout_item i
    join settlement_payout_batch b on b.id = i.batch_id
    where b.payer_entity_id = m.payer_entity_id and b.tax_month = m.tax_month and i.status in ('PENDING', 'UNKNOWN')
)`;

export const taxMonthList = listOf(queryTaxMonthList)
  .from(({ db }) => own(db).selectFrom('settlementTaxMonth as m').innerJoin('settlementPayer as p', 'p.id', 'm.payerEntityId'))
  .with({
    where: { payerEntityId: 'm.payerEntityId', taxMonth: 'm.taxMonth', status: 'm.status' },
    id: 'm.id',
    last: { of: 'm.status', groups: [['DECLARED']] },
    unsorted: 'what waits to be declared stands first, then the newest month',
    bounded: 'one row a month for each of our companies',
    select: (rows) =>
      rows
        .select(['m.id', 'p.entityName as payerName', 'm.taxMonth', 'm.declaredFen', 'm.declareCount', 'm.declaredByName', 'm.declaredAt'])
        .select(['m.status', 'm.version'])
        .select([ofRecords('gross_fen').as('grossFen'), ofRecords('tax_fen').as('taxFen')])
        .select([doctorCount.as('doctorCount'), openCount.as('openCount')]),
    present: (rows, { has }) =>
      rows.map((row) => ({
        ...row,
        grossFen: Number(row.grossFen),
        taxFen: Number(row.taxFen),
        declaredFen: Number(row.declaredFen),
        dueFen: Number(row.taxFen) - Number(row.declaredFen),
        allowedActions: taxMonthMachine.allowed(row.status, has),
      })),
  });
export const taxMonthExport = listExport(taxMonthList, { call: exportTaxMonthList, title: '个税申报', routeKey: 'incomeSettle.declare' });

export const periodList = listOf(queryDoctorPeriodList)
  .from(({ db }) => own(db).selectFrom('settlementPeriod as p'))
  .with({
    where: { period: 'p.period', status: 'p.status' },
    id: 'p.id',
    last: { of: 'p.status', groups: [['CLOSED']] },
    unsorted: 'what is being closed stands first, then the newest month',
    bounded: 'one row a month',
    select: (rows) =>
      rows
        .select(['p.id', 'p.period', 'p.startedByName', 'p.startedAt', 'p.closedByName', 'p.closedAt', 'p.opinion'])
        .select(['p.status', 'p.version']),
    present: (rows, { has }) => rows.map((row) => ({ ...row, allowedActions: periodMachine.allowed(row.status, has) })),
  });
export const periodExport = listExport(periodList, { call: exportDoctorPeriodList, title: '医生账期', routeKey: 'incomeSettle.periods' });
