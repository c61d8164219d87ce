import { sql, type SqlBool } from 'kysely';
import { trailOf } from '#kernel/server/audit/transition.ts';
import type { Db } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import { contains, isNumber } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { getChannels } from '#domains/channel/server/index.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import {
  exportIncentiveFactList,
  exportIncentiveProgramList,
  queryIncentiveFactList,
  queryIncentiveProgramDetail,
  queryIncentiveProgramList,
  type ProgramRow,
} from '../../contract/calls/incentive.ts';
import { programChangeMachine, programMachine } from '../../contract/programStates.ts';
import { programRecords, type ProgramRecord } from '../access.ts';
import { own } from '../database.ts';
import { leftOf } from './fund.ts';

const joined = (db: Db) => own(db).selectFrom('settlementProgram as g').innerJoin('settlementPayer as p', 'p.id', 'g.payerEntityId');
const columns = [
  'g.id',
  'g.programNo',
  'g.programName',
  'g.companyName',
  'g.lineName',
  'p.entityName as payerName',
  'g.startDate',
  'g.endDate',
  'g.budgetFen',
  'g.usedFen',
  'g.reservedFen',
  'g.scopeType',
  'g.introVersion',
  'g.makerName',
  'g.opinion',
  'g.updatedAt',
  'g.status',
  'g.version',
] as const;
const sumOf = (condition: string, name: 'paidFen' | 'waitingFen') =>
  sql<string>`(select coalesce(sum(i.gross_fen), 0) from settlement_income i where i.program_id = g.id and ${sql.raw(condition)})`.as(name);
const paid = sumOf(`i.status = 'SETTLED'`, 'paidFen');
const waiting = sumOf(`i.status = 'HELD' and i.waits_for = 'BUDGET'`, 'waitingFen');
const doctors = sql<number>`(
  select count(distinct i.doctor_id)::int from settlement_income i where i.program_id = g.id and i.status <> 'REVERSED'
)`.as('doctorCount');

const readProgram = (db: Db, id: string) =>
  joined(db).select(columns).select([paid, waiting, doctors]).where('g.id', '=', id).executeTakeFirst();
type Read = NonNullable<Awaited<ReturnType<typeof readProgram>>>;

function present({ usedFen, reservedFen, ...row }: Read, has: (permission: string) => boolean): ProgramRow {
  const paidFen = Number(row.paidFen);
  return {
    ...row,
    budgetFen: Number(row.budgetFen),
    paidFen,
    takenFen: Number(usedFen) + Number(reservedFen) - paidFen,
    leftFen: Number(leftOf({ budgetFen: row.budgetFen, usedFen, reservedFen })),
    waitingFen: Number(row.waitingFen),
    allowedActions: programMachine.allowed(row.status, has),
  };
}

export const programList = listOf(queryIncentiveProgramList)
  .from(({ db }) => joined(db))
  .with({
    where: {
      programNo: isNumber('g.programNo'),
      programName: contains('g.programName'),
      companyName: contains('g.companyName'),
      lineName: contains('g.lineName'),
      status: 'g.status',
      validOn: (_eb, day) => sql<SqlBool>`${day}::date between g.start_date and g.end_date`,
    },
    id: 'g.id',
    last: { of: 'g.status', groups: [['ENDED'], ['CLOSED']] },
    unsorted: 'programmes that run first, the newest of them on top',
    bounded: 'programmes are agreed with companies one by one: some hundreds',
    select: (rows) => rows.select(columns).select([paid, waiting, doctors]),
    present: (rows, { has }) => rows.map((row) => present(row, has)),
  });
export const programExport = listExport(programList, {
  call: exportIncentiveProgramList,
  title: '激励项目',
  routeKey: 'IncentiveItroduction',
});

const readChanges = (db: Db, programId: string) =>
  own(db)
    .selectFrom('settlementProgramChange')
    .select(['id', 'kind', 'amountFen', 'introduction', 'batchNo', 'factCount', 'reason', 'makerName', 'checkerName', 'opinion'])
    .select(['createdAt', 'status', 'version'])
    .where('programId', '=', programId)
    .orderBy('id', 'desc')
    .limit(200)
    .execute();

async function scopeNames(db: Db, { scopeType, scopeIds }: ProgramRecord): Promise<string[]> {
  if (scopeType === 'ALL') return [];
  const named = scopeType === 'DOCTOR' ? await getDoctors(db, scopeIds) : await getChannels(db, scopeIds);
  return named.map(({ name }) => name);
}

export const programDetail = query(queryIncentiveProgramDetail, async ({ id }, ctx) => {
  const row = await readProgram(ctx.db, id);
  if (!row) throw programRecords.missing();
  const program = await programRecords.get(ctx.db, ctx.staff, id);
  const tasks = await own(ctx.db)
    .selectFrom('settlementProgramTask')
    .select(['id', 'taskType', 'taskName', 'unitFen', 'monthlyCapCount', 'programCapCount', 'minDurationMin', 'minScore', 'doneCount'])
    .where('programId', '=', id)
    .orderBy('id')
    .execute();
  const changes = await readChanges(ctx.db, id);
  return {
    program: present(row, ctx.has),
    pharmaCompanyId: program.pharmaCompanyId,
    productLineId: program.productLineId,
    payerEntityId: program.payerEntityId,
    scopeIds: program.scopeIds,
    scopeNames: await scopeNames(ctx.db, program),
    introduction: program.introduction,
    fileIds: program.fileIds,
    complianceByName: program.complianceByName,
    complianceAt: program.complianceAt,
    tasks: tasks.map((task) => ({ ...task, unitFen: Number(task.unitFen) })),
    changes: changes.map((change) => ({
      ...change,
      amountFen: change.amountFen === null ? null : Number(change.amountFen),
      allowedActions: programChangeMachine.allowed(change.status, ctx.has),
    })),
    trail: await trailOf(ctx.db, programRecords.type, id),
  };
});

export const factList = listOf(queryIncentiveFactList)
  .from(({ db }) =>
    own(db)
      .selectFrom('settlementProgramFact as f')
      .innerJoin('settlementProgramTask as t', 't.id', 'f.taskId')
      .leftJoin('settlementIncome as i', 'i.id', 'f.incomeId'),
  )
  .with({
    where: {
      programId: 'f.programId',
      doctorName: contains('f.doctorName'),
      taskType: 't.taskType',
      sourceNo: isNumber('f.sourceNo'),
      state: 'f.state',
    },
    id: 'f.id',
    unsorted: 'of one programme, what was told last first',
    select: (rows) =>
      rows
        .select(['f.id', 'f.doctorName', 't.taskType', 't.taskName', 'f.sourceType', 'f.sourceNo', 'f.occurredAt', 'f.itemCount'])
        .select(['f.paidCount', 'i.incomeNo', 'i.grossFen', 'f.state']),
    present: (rows) => rows.map((row) => ({ ...row, grossFen: row.grossFen === null ? null : Number(row.grossFen) })),
  });
export const factExport = listExport(factList, {
  call: exportIncentiveFactList,
  title: '激励发放明细',
  routeKey: 'IncentiveItroduction.facts',
});
