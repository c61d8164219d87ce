import { containsPattern } from '#kernel/server/database/search.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { exportQualApplyList, queryQualApplyList, type QualQueue, type QualRow } from '../../contract/calls/qual.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { own } from '../database.ts';
import { mobileHashOf } from '../doctors/entry/person.ts';
import { desk } from './desk.ts';
import { appliesSeen } from './payload.ts';

const queues: Readonly<Record<QualQueue, (viewer: Viewer, now: Instant) => RawBuilder<SqlBool>>> = {
  WAITING: (_viewer, now) => desk.waiting(now),
  MINE: desk.heldBy,
  RECHECK: () => sql`q.state = 'RECHECK'`,
  RETURNED: () => sql`q.state = 'RETURNED'`,
};

const overdue = (now: Instant) => sql<boolean>`(q.state in ('PENDING', 'REVIEWING', 'RECHECK') and q.due_at < ${now}::timestamptz)`;

const applyColumns = (query: ReturnType<typeof appliesSeen>, viewer: Viewer, now: Instant) =>
  query
    .select([
      'q.id',
      'q.applyNo',
      'q.applyType',
      'q.doctorId',
      'd.doctorNo',
      'd.name',
      'd.titleCode',
      'd.hospitalName',
      'd.mobileMasked',
      'q.source',
      'q.state',
      'q.round',
      'q.submittedAt',
      'q.dueAt',
      'q.recheckReason',
      'q.returnedAt',
      'q.version',
      overdue(now).as('overdue'),
      sql<string | null>`case q.state when 'RECHECK' then q.first_auditor_name else ${desk.holder(now)} end`.as('handler'),
      sql<boolean>`coalesce(q.entered_by = ${viewer.userId}::bigint, false)`.as('mine'),
      sql<string | null>`q.payload->>'hospitalApplyName'`.as('hospitalApplyName'),
      sql<number>`(
        select count(*)::int from doctor_qual_check c where c.apply_id = q.id and c.round = q.round and c.machine_result in ('FAIL', 'WARN')
      )`.as('failed'),
    ])
    // CHECK constraints hold the codes to their dictionaries.
    .$castTo<QualRow & { hospitalApplyName: string | null }>();

/** Cases of a queue the oldest first, all of them the newest first; what was never handed in comes last. */
export const qualList = (secrets: Secrets) =>
  listOf(queryQualApplyList)
    .from(({ db, staff }) => appliesSeen(own(db), staff))
    .with({
      where: {
        queue: (_eb, queue, { staff, now }) => queues[queue](staff, now),
        applyNo: isNumber('q.applyNo'),
        name: (eb, name) => eb('d.name', 'like', containsPattern(name)),
        mobile: (eb, mobile) => eb('d.mobileHash', '=', mobileHashOf(secrets, mobile)),
        applyType: 'q.applyType',
        state: 'q.state',
        submittedFrom: from('q.submittedAt'),
        submittedTo: upTo('q.submittedAt'),
        overdue: (eb, late, { now }) => eb(overdue(now), '=', late),
      },
      order: ({ filter }) =>
        filter.queue ? [['q.submittedAt', 'asc']] : [[sql`coalesce(q.submitted_at, '-infinity'::timestamptz)`, 'desc']],
      id: 'q.id',
      unsorted: 'a queue in the order of its work; otherwise what was submitted last first',
      select: (query, { staff, now }) => applyColumns(query, staff, now),
      present: (rows) => rows.map(({ hospitalApplyName, ...row }) => ({ ...row, hospitalName: row.hospitalName ?? hospitalApplyName })),
    });

export const qualExport = (list: ReturnType<typeof qualList>) =>
  listExport(list, {
    call: exportQualApplyList,
    title: '资质审核单',
    routeKey: 'doctorManagement',
    columns: [
      'applyNo',
      'applyType',
      'doctorNo',
      'name',
      'titleCode',
      'hospitalName',
      'source',
      'state',
      'round',
      'submittedAt',
      'dueAt',
      'overdue',
      'handler',
      'recheckReason',
    ],
  });

export async function queueCounts(db: Db, viewer: Viewer, now: Instant): Promise<Record<QualQueue, number>> {
  const count = <N extends string>(queue: QualQueue, name: N) =>
    sql<number>`(count(*) filter (where ${queues[queue](viewer, now)}))::int`.as(name);
  const { waiting, mine, recheck, returned } = await appliesSeen(own(db), viewer)
    .select([count('WAITING', 'waiting'), count('MINE', 'mine'), count('RECHECK', 'recheck'), count('RETURNED', 'returned')])
    .where('q.state', 'in', ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'])
    .executeTakeFirstOrThrow();
  return { WAITING: waiting, MINE: mine, RECHECK: recheck, RETURNED: returned };
}
