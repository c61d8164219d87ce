import { sql } from 'kysely';
import { daysBetween, plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf, type ListAsk } from '#kernel/server/list/listOf.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { exportPrivacyRequestList, queryPrivacyRequestList, type PrivacyRequestRow } from '../../contract/calls/privacy.ts';
import { privacyMachine } from '../../contract/states.ts';
import { seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { briefJson, briefOf, personColumns } from '../persons/brief.ts';

type Looking = Pick<ListAsk<unknown>, 'today' | 'has'>;

export const requests = (db: Db) =>
  own(db)
    .selectFrom('patientPrivacyRequest as r')
    .innerJoin('patientPatient as a', 'a.id', 'r.patientId')
    .innerJoin('patientPatient as p', (join) => join.on(sql<boolean>`p.id = coalesce(a.merged_into_id, a.id)`));
const filled = (rows: ReturnType<typeof requests>) => rows.selectAll('r').select(briefJson('p').as('person'));

async function present(
  db: Db,
  rows: Awaited<ReturnType<ReturnType<typeof filled>['execute']>>,
  { today, has }: Looking,
): Promise<PrivacyRequestRow[]> {
  const users = new Map(
    (
      await userBrief(
        db,
        rows.flatMap(({ handlerId, createdBy }) => [handlerId ?? [], createdBy ?? []].flat()),
      )
    ).map((user) => [user.userId, user.displayName]),
  );
  return rows.map((row) => ({
    id: row.id,
    requestNo: row.requestNo,
    kind: row.kind,
    patient: briefOf(row.person, today),
    detail: row.detail,
    state: row.state,
    dueAt: row.dueAt,
    daysLeft: daysBetween(today, row.dueAt),
    resultFileId: row.resultFileId,
    handler: row.handlerId === null ? null : (users.get(row.handlerId) ?? null),
    createdBy: row.createdBy === null ? null : (users.get(row.createdBy) ?? null),
    opinion: row.opinion,
    createdAt: row.createdAt,
    finishedAt: row.finishedAt,
    version: row.version,
    allowedActions: privacyMachine.allowed(row.state, has),
  }));
}

/** One request as the list shows it. */
export const privacyAnswer = async (db: Db, id: string, looking: Looking): Promise<PrivacyRequestRow> =>
  (await present(db, await filled(requests(db)).where('r.id', '=', id).execute(), looking))[0]!;

/** Requests by due day, finished ones last. */
export const privacyList = listOf(queryPrivacyRequestList)
  .from(({ db, staff, now }) => requests(db).where(seesPatient(staff, now)))
  .with({
    where: {
      kind: 'r.kind',
      state: 'r.state',
      patientId: (eb, id) => eb.or([eb('p.id', '=', id), eb('a.id', '=', id)]),
      keyword: (eb, keyword) =>
        eb.or([eb('r.requestNo', '=', keyword.toUpperCase()), eb('p.patientNo', '=', keyword.toUpperCase()), eb('p.name', '=', keyword)]),
      from: (eb, day) => eb('r.createdAt', '>=', startOfDay(day)),
      to: (eb, day) => eb('r.createdAt', '<', startOfDay(plusDays(day, 1))),
    },
    order: [
      [sql`(r.state in ('DONE', 'REFUSED'))`, 'asc'],
      ['r.dueAt', 'asc'],
    ],
    id: 'r.id',
    unsorted: 'a queue: what is due first',
    select: filled,
    present: (rows, ask) => present(ask.db, rows, ask),
  });

export const privacyExport = listExport(privacyList, {
  call: exportPrivacyRequestList,
  title: '隐私请求',
  // Queues have no page of their own; they stand in the finder of every page.
  routeKey: 'patientFinder',
  columns: [
    'requestNo',
    'kind',
    ...personColumns('patient'),
    'detail',
    'state',
    { key: 'registeredBy', label: '登记人', value: (row) => row.createdBy ?? '患者本人' },
    'createdAt',
    'dueAt',
    'handler',
    'finishedAt',
    'opinion',
  ],
});
