import { sql, type Selectable } from 'kysely';
import type { CheckedInputOf, OutputOf } from '../../../../kernel/contract/call.ts';
import { plusDays, startOfDay } from '../../../../kernel/contract/time.ts';
import { query, type Handler } from '../../../../kernel/server/handler.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { userBrief } from '../../../identity/server/index.ts';
import { queryRealNameCheckList, queryRealNameHistory, type RealNameCheck } from '../../contract/calls/realName.ts';
import { realNameMachine, type RealNameState } from '../../contract/states.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { openPatient, seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { briefColumns, briefOf } from '../persons/brief.ts';
import type { PatientRealNameRequest } from '../tables.ts';
import type { QueueReader, Slice } from '../queues.ts';
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

type Filter = Omit<CheckedInputOf<typeof queryRealNameCheckList>, 'scope' | 'pageNo' | 'pageSize'>;

/** Persons whose proof waits or failed. */
export function realNameQueue(db: Db, { patientId, patientKeyword, state, method, from, to }: Filter, reader: QueueReader) {
  let rows = own(db)
    .selectFrom('patientPatient as p')
    .leftJoin('patientRealNameRequest as r', (join) => join.onRef('r.patientId', '=', 'p.id').on('r.open', '=', true))
    .where('p.state', 'in', ['ACTIVE', 'FROZEN'])
    .where(seesPatient(reader.staff, reader.now));
  rows = rows.where('p.realNameState', 'in', state?.length ? state : ['MANUAL', 'PENDING', 'FAILED']);
  if (patientId) rows = rows.where('p.id', '=', patientId);
  if (patientKeyword)
    rows = rows.where((eb) => eb.or([eb('p.patientNo', '=', patientKeyword.toUpperCase()), eb('p.name', '=', patientKeyword)]));
  if (method) rows = rows.where('r.method', '=', method);
  if (from) rows = rows.where('r.at', '>=', startOfDay(from));
  if (to) rows = rows.where('r.at', '<', startOfDay(plusDays(to, 1)));
  return rows;
}

export async function readRealNameQueue(
  db: Db,
  rows: ReturnType<typeof realNameQueue>,
  { limit, offset }: Slice,
  reader: QueueReader,
): Promise<OutputOf<typeof queryRealNameCheckList>[]> {
  const page = await rows
    .select(briefColumns.map((column) => `p.${column}` as const))
    .select(['p.version'])
    .select([
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
    ])
    .orderBy(sql`coalesce(r.at, p.updated_at)`)
    .orderBy('p.id')
    .limit(limit)
    .offset(offset)
    .execute();
  const users = await namesOf(
    db,
    page.map(({ requestedBy }) => requestedBy),
  );
  return page.map((row) => ({
    patient: briefOf(row, reader.today),
    state: row.realNameState,
    version: row.version,
    mine: row.requestedBy === reader.staff.userId,
    allowedActions: realNameMachine.allowed(row.realNameState, reader.has),
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
}

export const listHandlers: readonly Handler[] = [
  query(queryRealNameCheckList, async ({ pageNo, pageSize, ...filter }, ctx) => {
    const rows = realNameQueue(ctx.db, filter, ctx);
    return {
      rows: await readRealNameQueue(ctx.db, rows, { limit: pageSize, offset: offsetOf({ pageNo, pageSize }) }, ctx),
      total: await totalUpTo(own(ctx.db), rows),
    };
  }),
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
