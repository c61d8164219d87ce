import { sql, type SqlBool } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { contains, elsewhere, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportDoctorIncomeList,
  exportIncomeDetailList,
  queryDoctorIncomeList,
  queryIncomeDetailList,
  queryIncomeTotal,
  type IncomeRow,
} from '../../contract/calls/income.ts';
import { incomeMachine } from '../../contract/states.ts';
import { own } from '../database.ts';

const joined = (db: Db) =>
  own(db)
    .selectFrom('settlementIncome as i')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 'i.doctorId')
    .innerJoin('settlementPayer as p', 'p.id', 'i.payerEntityId')
    .leftJoin('settlementProgramTask as t', 't.id', 'i.taskId')
    .leftJoin('settlementAgent as a', 'a.agentId', 'i.agentId');
const columns = [
  'i.id',
  'i.incomeNo',
  'i.doctorId',
  'd.doctorNo',
  'd.name as doctorName',
  'd.hospitalName',
  'p.entityName as payerName',
  'i.incomeType',
  'i.serviceType',
  't.taskType',
  'i.sourceNo',
  'i.occurredAt',
  'i.baseFen',
  'i.grossFen',
  'i.availableAt',
  'i.agentId',
  'a.name as agentName',
  'i.holdReason',
  'i.status',
  'i.version',
] as const;
const ruleCode = sql<string | null>`i.calc_trace ->> 'ruleCode'`.as('ruleCode');
const readIncome = (db: Db, id: string) => joined(db).select(columns).select(ruleCode).where('i.id', '=', id).executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readIncome>>>;

const present = (row: Read, has: (permission: string) => boolean): IncomeRow => ({
  ...row,
  serviceType: queryIncomeDetailList.output.shape.serviceType.parse(row.serviceType),
  baseFen: Number(row.baseFen),
  grossFen: Number(row.grossFen),
  // Both ways out of being held are one button.
  allowedActions: incomeMachine
    .allowed(row.status, has)
    .filter((action) => action !== 'unholdPending' && (action !== 'hold' || Number(row.grossFen) > 0)),
});
/** One income as its list shows it. */
export async function incomeRow(db: Db, id: string, has: (permission: string) => boolean): Promise<IncomeRow | null> {
  const row = await readIncome(db, id);
  return row ? present(row, has) : null;
}

export const incomeList = listOf(queryIncomeDetailList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      incomeNo: isNumber('i.incomeNo'),
      doctorId: 'i.doctorId',
      doctorName: contains('d.name'),
      payerEntityId: 'i.payerEntityId',
      incomeType: 'i.incomeType',
      taskType: 't.taskType',
      programId: 'i.programId',
      agentId: 'i.agentId',
      status: 'i.status',
      sourceNo: isNumber('i.sourceNo'),
      occurredFrom: from('i.occurredAt'),
      occurredTo: upTo('i.occurredAt'),
    },
    id: 'i.id',
    last: { of: 'i.status', groups: [['SETTLED'], ['REVERSED']] },
    order: [['i.occurredAt', 'desc']],
    sorts: { occurredAt: 'i.occurredAt' },
    select: (rows) => rows.select(columns).select(ruleCode),
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const incomeExport = listExport(incomeList, { call: exportIncomeDetailList, title: '收入明细', routeKey: 'incomeDetail' });

export const incomeTotal = query(queryIncomeTotal, async (filter, ctx) => {
  const matching = await incomeList.matching({ db: ctx.db, staff: ctx.staff, now: ctx.now, today: ctx.today, filter, has: ctx.has });
  const rows = await matching
    .select(['i.status', sql<number>`count(*)::int`.as('count'), sql<string>`sum(i.gross_fen)`.as('grossFen')])
    .groupBy('i.status')
    .execute();
  return incomeMachine.dictionary.codes.flatMap((status) => {
    const found = rows.find((row) => row.status === status);
    return found ? [{ status, count: found.count, grossFen: Number(found.grossFen) }] : [];
  });
});

const monthStart = (month: string) => startOfDay(`${month}-01`);
const monthEnd = (month: string) => startOfDay(`${plusDays(`${month}-01`, 32).slice(0, 7)}-01`);
/** Without a choice: this month and the two before it. */
const monthsBefore = (today: string) => plusDays(`${today.slice(0, 7)}-01`, -45).slice(0, 7);
const sumOf = (type: string, name: string) =>
  sql<string>`coalesce(sum(i.gross_fen) filter (where i.income_type = ${sql.lit(type)}), 0)`.as(name);

export const monthList = listOf(queryDoctorIncomeList)
  .from(({ db, today, filter: { monthFrom = monthsBefore(today), monthTo = today.slice(0, 7) } }) =>
    own(db)
      .selectFrom((eb) =>
        eb
          .selectFrom('settlementIncome as i')
          .where('i.status', '<>', 'REVERSED')
          .where('i.waitsFor', 'is', null)
          .where('i.occurredAt', '>=', monthStart(monthFrom))
          .where('i.occurredAt', '<', monthEnd(monthTo))
          .select(['i.doctorId', sql<string>`to_char(i.occurred_at at time zone 'Asia/Shanghai', 'YYYY-MM')`.as('month')])
          .select([
            sql<number>`count(*)::int`.as('itemCount'),
            sumOf('CONSULT', 'consultFen'),
            sumOf('FOLLOW_UP', 'followUpFen'),
            sumOf('INCENTIVE', 'incentiveFen'),
            sumOf('ADJUST', 'adjustFen'),
            sumOf('CLAWBACK', 'clawbackFen'),
            sql<string>`sum(i.gross_fen)`.as('grossFen'),
            sql<string>`max(i.id)`.as('lastId'),
          ])
          .groupBy(['i.doctorId', sql`2`])
          .as('m'),
      )
      .innerJoin('settlementDoctor as d', 'd.doctorId', 'm.doctorId'),
  )
  .with({
    where: {
      monthFrom: elsewhere,
      monthTo: elsewhere,
      doctorName: contains('d.name'),
      hospitalName: contains('d.hospitalName'),
      titleCode: 'd.titleCode',
      minFen: (_eb, least) => sql<SqlBool>`m.gross_fen >= ${least}`,
    },
    id: 'm.lastId',
    unsorted: 'a doctor a month, the latest month first and in it who earned most',
    bounded: 'a row for each doctor who earned in a month, of the months that were asked for',
    order: [
      ['m.month', 'desc'],
      ['m.grossFen', 'desc'],
    ],
    select: (rows) =>
      rows
        .select(['m.doctorId', 'd.doctorNo', 'd.name as doctorName', 'd.hospitalName', 'd.titleCode', 'm.month', 'm.itemCount'])
        .select(['m.consultFen', 'm.followUpFen', 'm.incentiveFen', 'm.adjustFen', 'm.clawbackFen', 'm.grossFen']),
    present: (rows) =>
      rows.map((row) => ({
        key: `${row.doctorId}:${row.month}`,
        doctorId: row.doctorId,
        doctorNo: row.doctorNo,
        doctorName: row.doctorName,
        hospitalName: row.hospitalName,
        titleCode: queryDoctorIncomeList.output.shape.titleCode.parse(row.titleCode),
        month: row.month,
        itemCount: row.itemCount,
        consultFen: Number(row.consultFen),
        followUpFen: Number(row.followUpFen),
        incentiveFen: Number(row.incentiveFen),
        adjustFen: Number(row.adjustFen),
        clawbackFen: Number(row.clawbackFen),
        grossFen: Number(row.grossFen),
      })),
  });
export const monthExport = listExport(monthList, { call: exportDoctorIncomeList, title: '医生收入', routeKey: 'doctorIncome' });
