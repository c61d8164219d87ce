import { sql, type Selectable } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { query, type Handler } from '#kernel/server/handler.ts';
import { elsewhere } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { exportRealNameCheckList, queryRealNameCheckList, queryRealNameHistory } from '../../contract/calls/realName.ts';
import { realNameMachine } from '../../contract/states.ts';
import type { Db } from '#kernel/server/context.ts';
import { openPatient, seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { briefColumns, briefOf, personColumns } from '../persons/brief.ts';
import type { PatientRealNameRequest } from '../tables.ts';
import { CHECKS_A_DAY, usedToday } from './request.ts';

type Request = Pick<
  Selectable<PatientRealNameRequest>,
  'id' | 'method' | 'name' | 'idType' | 'idNoMasked' | 'attempts' | 'fileIds' | 'opinion' | 'requestedBy' | 'at'
>;
const requestColumns = [
  'r.id',
  'r.method',
  'r.name',
  'r.idType',
  'r.idNoMasked',
  'r.attempts',
  'r.fileIds',
  'r.opinion',
  'r.requestedBy',
  'r.at',
] as const;

const present = (row: Request, users: ReadonlyMap<string, string>) => ({
  ...row,
  requestedBy: row.requestedBy && (users.get(row.requestedBy) ?? null),
});
const namesOf = async (db: Db, ids: readonly (string | null)[]) =>
  new Map(
    (
      await userBrief(
        db,
        ids.flatMap((id) => id ?? []),
      )
    ).map(({ userId, displayName }) => [userId, displayName]),
  );

/** Persons whose proof waits or failed, the oldest first. */
const manualList = listOf(queryRealNameCheckList)
  .from(({ db, staff, now }) =>
    own(db)
      .selectFrom('patientPatient as p')
      .leftJoin('patientRealNameRequest as r', (join) => join.onRef('r.patientId', '=', 'p.id').on('r.open', '=', true))
      .where('p.state', 'in', ['ACTIVE', 'FROZEN'])
      .where(seesPatient(staff, now)),
  )
  .with({
    where: {
      scope: elsewhere,
      patientId: 'p.id',
      patientKeyword: (eb, keyword) => eb.or([eb('p.patientNo', '=', keyword.toUpperCase()), eb('p.name', '=', keyword)]),
      state: 'p.realNameState',
      method: 'r.method',
      from: (eb, day) => eb('r.at', '>=', startOfDay(day)),
      to: (eb, day) => eb('r.at', '<', startOfDay(plusDays(day, 1))),
    },
    absent: { state: (eb) => eb('p.realNameState', 'in', ['MANUAL', 'PENDING', 'FAILED']) },
    order: [[sql`coalesce(r.at, p.updated_at)`, 'asc']],
    id: 'p.id',
    unsorted: 'a queue: what waits longest first',
    select: (query) =>
      query
        .select(briefColumns.map((column) => `p.${column}` as const))
        .select([
          'p.version',
          'r.id as requestId',
          'r.method',
          'r.name as requestName',
          'r.idType',
          'r.idNoMasked as requestIdNo',
          'r.attempts',
          'r.fileIds',
          'r.opinion',
          'r.requestedBy',
          'r.at',
        ]),
    async present(rows, { db, staff, today, has }) {
      const users = await namesOf(
        db,
        rows.map(({ requestedBy }) => requestedBy),
      );
      return rows.map((row) => ({
        patient: briefOf(row, today),
        state: row.realNameState,
        version: row.version,
        mine: row.requestedBy === staff.userId,
        allowedActions: realNameMachine.allowed(row.realNameState, has),
        request:
          row.requestId === null
            ? null
            : present(
                {
                  id: row.requestId,
                  method: row.method!,
                  name: row.requestName!,
                  idType: row.idType!,
                  idNoMasked: row.requestIdNo!,
                  attempts: row.attempts!,
                  fileIds: row.fileIds!,
                  opinion: row.opinion,
                  requestedBy: row.requestedBy,
                  at: row.at!,
                },
                users,
              ),
      }));
    },
  });

export const manualExport = listExport(manualList, {
  call: exportRealNameCheckList,
  title: '待核验实名',
  // Queues have no page of their own; they stand in the finder of every page.
  routeKey: 'patientFinder',
  columns: [
    ...personColumns('patient'),
    'state',
    'request.method',
    'request.idType',
    'request.name',
    'request.idNoMasked',
    'request.attempts',
    'request.opinion',
    { key: 'requestedBy', label: '提交人', value: (row) => row.request && (row.request.requestedBy ?? '患者本人') },
    'request.at',
  ],
});

export const listHandlers: readonly Handler[] = [
  manualList.handler,
  query(queryRealNameHistory, async ({ patientId }, ctx) => {
    const seen = await openPatient(ctx.db, ctx.staff, patientId, ctx.now, { ctx, part: '实名' });
    const db = own(ctx.db);
    const checks = await db
      .selectFrom('patientRealNameCheck')
      .select([
        'id',
        'method',
        'name',
        'idType',
        'idNoMasked',
        'mobileMasked',
        'result',
        'providerRef',
        'fileIds',
        'decidedBy',
        'opinion',
        'at',
      ])
      .where('patientId', 'in', seen.groupIds)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(200)
      .execute();
    const request = await db
      .selectFrom('patientRealNameRequest as r')
      .select(requestColumns)
      .where('r.patientId', '=', seen.id)
      .where('r.open', '=', true)
      .executeTakeFirst();
    const users = await namesOf(ctx.db, [...checks.map(({ decidedBy }) => decidedBy), request?.requestedBy ?? null]);
    return {
      state: seen.realNameState,
      version: seen.version,
      checks: checks.map((row) => ({
        ...row,
        decidedBy: row.decidedBy && (users.get(row.decidedBy) ?? null),
      })),
      request: request ? present(request, users) : null,
      leftToday: Math.max(0, CHECKS_A_DAY - (await usedToday(ctx.db, seen.groupIds, ctx.today))),
      mine: request?.requestedBy === ctx.staff.userId,
      allowedActions: realNameMachine.allowed(seen.realNameState, ctx.has),
    };
  }),
];
