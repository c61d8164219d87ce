import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { idNoHash, mobileHash } from '#domains/patient/server/index.ts';
import type { ApplyQueue } from '../../contract/applyDictionaries.ts';
import { exportSignContractList, querySignContractList, type ApplyRow } from '../../contract/calls/applies.ts';
import { tidyCertificate } from '../../contract/rules/certificate.ts';
import { offeredActions, revocable } from './offered.ts';
import { applyRecords, desk } from './records.ts';

const preferred = ({ userId }: Viewer) =>
  sql<SqlBool>`(a.prefer_user_id = ${userId}::bigint and a.state in ('PENDING', 'REVIEWING', 'RECHECK'))`;
const queues: Readonly<Record<ApplyQueue, (viewer: Viewer, now: Instant) => RawBuilder<SqlBool>>> = {
  MINE: (viewer, now) => sql<SqlBool>`(${desk.heldBy(viewer, now)} or ${preferred(viewer)})`,
  POOL: (_viewer, now) => desk.waiting(now),
  RECHECK: () => sql`a.state = 'RECHECK'`,
  SUPPLEMENT: () => sql`a.state = 'SUPPLEMENT'`,
  INSURER: () => sql`a.state = 'WAIT_INSURER'`,
  ALL: () => sql`true`,
};
const overdue = (now: Instant) =>
  sql<boolean>`coalesce(a.state in ('PENDING', 'REVIEWING', 'RECHECK') and a.sla_due_at < ${now}::timestamptz, false)`;
const blockedBy = (now: Instant) => sql<string>`case
  when a.state = 'SUPPLEMENT' then '等申请人补件'
  when a.state = 'WAIT_INSURER' then '等保司'
  when ${desk.holder(now)} is not null then '处理人' || ${desk.holder(now)}
  when a.state = 'RECHECK' then '等复核'
  when a.state in ('PENDING', 'REVIEWING') then '等初审'
  else '' end`;
const checksText = sql<string>`(
  select case when count(*) = 0 then '' else '✓' || count(*) filter (where c.machine_result = 'PASS')
      || ' !' || count(*) filter (where c.machine_result in ('WARN', 'UNKNOWN') and not (c.hard and c.machine_result = 'UNKNOWN'))
      || ' ✗' || count(*) filter (where c.machine_result = 'FAIL' or (c.hard and c.machine_result = 'UNKNOWN')) end
    from enrolment_check c
    where c.apply_id = a.id and c.round = a.round)`;

/** Applications, the newest first. */
export const applyList = (secrets: Secrets) =>
  listOf(querySignContractList)
    .from(({ db, staff }) => applyRecords.seen(db, staff))
    .with({
      where: {
        queue: (_eb, queue, { staff, now }) => queues[queue](staff, now),
        applyNo: isNumber('a.applyNo'),
        insuredName: (eb, name) => eb('a.insuredName', 'like', containsPattern(name)),
        mobile: (eb, mobile) => eb('a.mobileHash', '=', mobileHash(secrets, mobile)),
        idNo: (eb, idNo) => eb('a.idNoHash', '=', idNoHash(secrets, tidyCertificate(idNo))),
        productLine: 'a.productLine',
        insurerId: 'a.insurerId',
        productId: 'a.productId',
        enrolType: 'a.enrolType',
        state: 'a.state',
        submittedFrom: from('a.submittedAt'),
        submittedTo: upTo('a.submittedAt'),
        overdue: (_eb, yes, { now }) => (yes ? overdue(now) : sql<SqlBool>`not ${overdue(now)}`),
        reviewerId: (_eb, userId) =>
          sql<SqlBool>`exists (select from enrolment_decision d where d.apply_id = a.id and d.user_id = ${userId}::bigint)`,
        source: 'a.source',
      },
      id: 'a.id',
      sorts: { applyNo: 'a.applyNo' },
      select: (query, { staff, now }) =>
        query.select([
          'a.id',
          'a.applyNo',
          'a.productLine',
          'a.insuredName',
          'a.mobileMasked',
          'a.insurerName',
          'a.productName',
          'a.diseaseName',
          'a.drugName',
          'a.enrolType',
          'a.source',
          'a.state',
          'a.enteredStateAt',
          'a.slaDueAt as dueAt',
          'a.submittedAt',
          'a.preferUserId as assigneeId',
          'a.recheckReason',
          'a.version',
          'a.appealedAt',
          'a.decidedAt',
          revocable.as('revocable'),
          sql<boolean>`coalesce(${desk.heldBy(staff, now)}, false)`.as('held'),
          overdue(now).as('overdue'),
          blockedBy(now).as('blockedBy'),
          checksText.as('checksText'),
          desk.holder(now).as('holder'),
          sql<boolean>`coalesce(a.entered_by = ${staff.userId}::bigint, false)`.as('mine'),
        ]),
      present: (rows, { has, now }): ApplyRow[] =>
        rows.map(({ appealedAt, decidedAt, revocable: canRevoke, ...row }) => ({
          ...row,
          allowedActions: offeredActions({ ...row, appealedAt, decidedAt, revocable: canRevoke }, now, (permission) => has(permission)),
        })),
    });

export const applyExport = (list: ReturnType<typeof applyList>) =>
  listExport(list, {
    call: exportSignContractList,
    title: '入组申请',
    routeKey: 'signContract',
    columns: [
      'applyNo',
      'productLine',
      'insuredName',
      'mobileMasked',
      'insurerName',
      'productName',
      'diseaseName',
      'drugName',
      'enrolType',
      'source',
      'state',
      'dueAt',
      'overdue',
      'blockedBy',
      'checksText',
      'submittedAt',
      'holder',
      'recheckReason',
    ],
  });

export async function queueCounts(db: Db, viewer: Viewer, now: Instant): Promise<Record<ApplyQueue, number>> {
  const count = (queue: ApplyQueue) => sql<number>`(count(*) filter (where ${queues[queue](viewer, now)}))::int`;
  const row = await applyRecords
    .seen(db, viewer)
    .select([
      count('MINE').as('mine'),
      count('POOL').as('pool'),
      count('RECHECK').as('recheck'),
      count('SUPPLEMENT').as('supplement'),
      count('INSURER').as('insurer'),
      count('ALL').as('all'),
    ])
    .executeTakeFirstOrThrow();
  return { MINE: row.mine, POOL: row.pool, RECHECK: row.recheck, SUPPLEMENT: row.supplement, INSURER: row.insurer, ALL: row.all };
}
