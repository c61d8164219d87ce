import { sql } from 'kysely';
import { from, isNumber, upTo } from '../../../../kernel/server/list/conditions.ts';
import { listExport } from '../../../../kernel/server/list/listExport.ts';
import { listOf } from '../../../../kernel/server/list/listOf.ts';
import type { ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import type { Secrets } from '../../../../kernel/server/sensitive/secrets.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { qualApplyTypes, recheckReasons, sourceTypes, titles } from '../../contract/dictionaries.ts';
import { exportQualApplyList, queryQualApplyList, type QualQueue, type QualRow } from '../../contract/qualCalls.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import type { Viewer } from '../access.ts';
import { like, own } from '../database.ts';
import { mobileHashOf } from '../doctors/person.ts';
import { appliesSeen } from './access.ts';

const queues: Readonly<Record<QualQueue, (viewer: Viewer, now: Instant) => ReturnType<typeof sql<boolean>>>> = {
  // A case whose lease ran out waits again.
  WAITING: (_viewer, now) => sql<boolean>`(q.state = 'PENDING' or (q.state = 'REVIEWING' and q.lease_until <= ${now}::timestamptz))`,
  MINE: (viewer, now) =>
    sql<boolean>`(q.state = 'REVIEWING' and q.lease_user_id = ${viewer.userId} and q.lease_until > ${now}::timestamptz)`,
  RECHECK: () => sql<boolean>`q.state = 'RECHECK'`,
  RETURNED: () => sql<boolean>`q.state = 'RETURNED'`,
};

const overdue = (now: Instant) => sql<boolean>`(q.state in ('PENDING', 'REVIEWING', 'RECHECK') and q.due_at < ${now}::timestamptz)`;

const filled = (query: ReturnType<typeof appliesSeen>, viewer: Viewer, now: Instant) =>
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
    state: row.state as QualRow['state'],
    // CHECK constraints hold the codes to their dictionaries.
    applyType: row.applyType as QualRow['applyType'],
    titleCode: row.titleCode as QualRow['titleCode'],
    source: row.source as QualRow['source'],
    recheckReason: row.recheckReason as QualRow['recheckReason'],
  }));

/** Open cases oldest first, the others newest first. @param secrets a mobile is found by its hash */
export const qualList = (secrets: Secrets) =>
  listOf(queryQualApplyList)
    .from(({ db, staff }) => appliesSeen(own(db), staff))
    .with({
      where: {
        queue: (_eb, queue, { staff, now }) => queues[queue](staff, now),
        applyNo: isNumber('q.applyNo'),
        name: (eb, name) => eb('d.name', 'like', like(name)),
        mobile: (eb, mobile) => eb('d.mobileHash', '=', mobileHashOf(secrets, mobile)),
        applyType: 'q.applyType',
        state: 'q.state',
        submittedFrom: from('q.submittedAt'),
        submittedTo: upTo('q.submittedAt'),
        overdue: (eb, late, { now }) => eb(overdue(now), '=', late),
      },
      id: 'q.id',
      order: ({ filter }) => [['q.submittedAt', filter.queue ? 'asc' : 'desc nulls last']],
      select: (query, { staff, now }) => filled(query, staff, now),
      present,
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
  listExport(qualList(secrets), { call: exportQualApplyList, title: '资质审核单', routeKey: 'doctorManagement', columns });
