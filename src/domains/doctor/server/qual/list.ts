import { sql } from 'kysely';
import type { CheckedInputOf } from '../../../../kernel/contract/call.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { qualApplyTypes, recheckReasons, sourceTypes, titles } from '../../contract/dictionaries.ts';
import { doctorPermissions } from '../../contract/permissions.ts';
import { exportQualApplyList, type QualQueue, type QualRow, type queryQualApplyList } from '../../contract/qualCalls.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import type { Viewer } from '../access.ts';
import { like, own, type DoctorDb } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { appliesSeen } from './access.ts';

export type QualFilter = Omit<CheckedInputOf<typeof queryQualApplyList>, 'pageNo' | 'pageSize'>;

const queues: Readonly<Record<QualQueue, (viewer: Viewer, now: Instant) => ReturnType<typeof sql<boolean>>>> = {
  // A case whose lease ran out waits again.
  WAITING: (_viewer, now) => sql<boolean>`(q.state = 'PENDING' or (q.state = 'REVIEWING' and q.lease_until <= ${now}::timestamptz))`,
  MINE: (viewer, now) =>
    sql<boolean>`(q.state = 'REVIEWING' and q.lease_user_id = ${viewer.userId} and q.lease_until > ${now}::timestamptz)`,
  RECHECK: () => sql<boolean>`q.state = 'RECHECK'`,
  RETURNED: () => sql<boolean>`q.state = 'RETURNED'`,
};

export function applies(db: DoctorDb, filter: QualFilter, viewer: Viewer, now: Instant, secrets: Secrets) {
  let query = appliesSeen(db, viewer);
  if (filter.queue) query = query.where(queues[filter.queue](viewer, now));
  if (filter.applyNo) query = query.where('q.applyNo', '=', filter.applyNo.toUpperCase());
  if (filter.name) query = query.where('d.name', 'like', like(filter.name));
  if (filter.mobile) query = query.where('d.mobileHash', '=', mobileHashOf(secrets, filter.mobile));
  if (filter.applyType?.length) query = query.where('q.applyType', 'in', filter.applyType);
  if (filter.state?.length) query = query.where('q.state', 'in', filter.state);
  if (filter.submittedFrom) query = query.where('q.submittedAt', '>=', filter.submittedFrom);
  if (filter.submittedTo) query = query.where('q.submittedAt', '<=', filter.submittedTo);
  if (filter.overdue !== undefined) query = query.where(overdue(now), '=', filter.overdue);
  return query;
}
const overdue = (now: Instant) => sql<boolean>`(q.state in ('PENDING', 'REVIEWING', 'RECHECK') and q.due_at < ${now}::timestamptz)`;

const filled = (query: ReturnType<typeof applies>, viewer: Viewer, now: Instant) =>
  query.select([
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
    sql<string | null>`case q.state when 'REVIEWING' then q.lease_user_name when 'RECHECK' then q.first_auditor_name end`.as('handler'),
    sql<boolean>`coalesce(q.entered_by = ${viewer.userId}::bigint, false)`.as('mine'),
    sql<string | null>`q.payload->>'hospitalApplyName'`.as('hospitalApplyName'),
    sql<number>`(select count(*)::int from doctor_qual_check c where c.apply_id = q.id and c.round = q.round and c.machine_result in ('FAIL', 'WARN'))`.as(
      'failed',
    ),
  ]);

const present = (rows: readonly Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>[]): QualRow[] =>
  rows.map(({ hospitalApplyName, ...row }) => ({
    ...row,
    hospitalName: row.hospitalName ?? hospitalApplyName,
    // CHECK constraints hold the codes to their dictionaries.
  }));

/** Open cases oldest first, the others newest first. */
export async function listApplies(
  db: Db,
  filter: QualFilter,
  viewer: Viewer,
  now: Instant,
  secrets: Secrets,
  paging: { pageNo: number; pageSize: number },
) {
  const query = applies(own(db), filter, viewer, now, secrets);
  const direction = filter.queue ? 'asc' : 'desc';
  const rows = await filled(query, viewer, now)
    .orderBy('q.submittedAt', (order) => (direction === 'asc' ? order.asc().nullsLast() : order.desc().nullsLast()))
    .orderBy('q.id', direction)
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: present(rows), total: await totalUpTo(own(db), query) };
}

export async function queueCounts(db: Db, viewer: Viewer, now: Instant): Promise<Record<QualQueue, number>> {
  const count = <N extends string>(queue: QualQueue, name: N) =>
    sql<number>`(count(*) filter (where ${queues[queue](viewer, now)}))::int`.as(name);
  const { waiting, mine, recheck, returned } = await appliesSeen(own(db), viewer)
    .select([count('WAITING', 'waiting'), count('MINE', 'mine'), count('RECHECK', 'recheck'), count('RETURNED', 'returned')])
    .where('q.state', 'in', ['PENDING', 'REVIEWING', 'RECHECK', 'RETURNED'])
    .executeTakeFirstOrThrow();
  return { WAITING: waiting, MINE: mine, RECHECK: recheck, RETURNED: returned };
}

const columns: readonly ExportColumn<QualRow>[] = [
  { key: 'applyNo', label: '审核单号', value: (row) => row.applyNo },
  { key: 'applyType', label: '申请类型', dictionary: qualApplyTypes, value: (row) => row.applyType },
  { key: 'doctorNo', label: '医生编号', value: (row) => row.doctorNo },
  { key: 'name', label: '姓名', value: (row) => row.name },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'hospitalName', label: '执业机构', width: 28, value: (row) => row.hospitalName },
  { key: 'source', label: '来源', dictionary: sourceTypes, value: (row) => row.source },
  { key: 'state', label: '状态', dictionary: qualApplyMachine.dictionary, value: (row) => row.state },
  { key: 'round', label: '轮次', kind: 'int', value: (row) => row.round },
  { key: 'submittedAt', label: '提交时间', kind: 'instant', value: (row) => row.submittedAt },
  { key: 'dueAt', label: '应完成时间', kind: 'instant', value: (row) => row.dueAt },
  { key: 'overdue', label: '是否超时', kind: 'flag', value: (row) => row.overdue },
  { key: 'handler', label: '处理人', value: (row) => row.handler },
  { key: 'recheckReason', label: '复核原因', dictionary: recheckReasons, value: (row) => row.recheckReason },
];

export const qualExport = (secrets: Secrets) =>
  exportSource({
    call: exportQualApplyList,
    title: '资质审核单',
    routeKey: 'doctorManagement',
    permission: doctorPermissions['qual.export'].code,
    columns,
    count: ({ db, filter, staff, now }) => totalUpTo(own(db), applies(own(db), filter, staff, now, secrets)),
    async *chunks({ db, filter, staff, now }) {
      let after = '0';
      for (;;) {
        const rows = await filled(applies(own(db), filter, staff, now, secrets), staff, now)
          .where('q.id', '>', after)
          .orderBy('q.id')
          .limit(1000)
          .execute();
        if (rows.length === 0) return;
        yield present(rows);
        after = rows.at(-1)!.id;
      }
    },
  });
