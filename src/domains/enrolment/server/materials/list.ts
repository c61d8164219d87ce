import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { contains, from, isNumber, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { mobileHash } from '#domains/patient/server/index.ts';
import { exportOtherMaterialList, queryOtherMaterialList, type OtherMaterialRow } from '../../contract/calls/otherMaterials.ts';
import { otherMaterialMachine, type OtherMaterialQueue } from '../../contract/materialStates.ts';
import { materialDesk, otherMaterialRecords } from './records.ts';

const queues: Readonly<Record<OtherMaterialQueue, (viewer: Viewer, now: Instant) => RawBuilder<SqlBool>>> = {
  MINE: (viewer, now) => materialDesk.heldBy(viewer, now),
  POOL: (_viewer, now) => materialDesk.waiting(now),
  SUPPLEMENT: () => sql`m.state = 'SUPPLEMENT'`,
  ALL: () => sql`true`,
};
const overdue = (now: Instant) => sql<boolean>`coalesce(m.state in ('PENDING', 'REVIEWING') and m.sla_due_at < ${now}::timestamptz, false)`;
const blockedBy = (now: Instant) => sql<string>`case
  when m.state = 'SUPPLEMENT' then '等申请人补件'
  when ${materialDesk.holder(now)} is not null then '处理人' || ${materialDesk.holder(now)}
  when m.state in ('PENDING', 'REVIEWING') then '等审核'
  else '' end`;
/** What depends on it, or what became of it. */
const impact = sql<string>`case
  when m.outcome <> '' then m.outcome
  when m.kind = 'FOLLOW_UP' and c.state = 'SUSPENDED' and c.suspend_reason = 'REVIEW_OVERDUE' then '复查逾期已暂停'
  when m.kind = 'FOLLOW_UP' and c.next_review_on is not null then '复查应于' || c.next_review_on || '前'
  when m.kind = 'BANK' then '影响赔款账户'
  when m.kind = 'PRIOR_PURCHASE' then '影响理赔核算'
  else '' end`;

/** Newest first; each queue by what it needs. */
export const otherMaterialList = (secrets: Secrets) =>
  listOf(queryOtherMaterialList)
    .from(({ db, staff }) => otherMaterialRecords.seen(db, staff))
    .with({
      where: {
        queue: (_eb, queue, { staff, now }) => queues[queue](staff, now),
        materialNo: isNumber('m.materialNo'),
        contractNo: isNumber('c.contractNo'),
        insuredName: contains('c.insuredName'),
        mobile: (eb, mobile) => eb('c.mobileHash', '=', mobileHash(secrets, mobile)),
        kind: 'm.kind',
        state: 'm.state',
        submittedFrom: from('m.submittedAt'),
        submittedTo: upTo('m.submittedAt'),
        overdue: (_eb, yes, { now }) => (yes ? overdue(now) : sql<SqlBool>`not ${overdue(now)}`),
      },
      id: 'm.id',
      sorts: { submittedAt: 'm.submittedAt', materialNo: 'm.materialNo' },
      select: (query, { now }) =>
        query.select([
          'm.id',
          'm.materialNo',
          'm.contractId',
          'c.contractNo',
          'c.insuredName',
          'c.mobileMasked',
          'c.productName',
          'm.kind',
          'm.state',
          'm.slaDueAt as dueAt',
          'm.submittedAt',
          'm.enteredName',
          'm.version',
          impact.as('impact'),
          overdue(now).as('overdue'),
          blockedBy(now).as('blockedBy'),
          materialDesk.holder(now).as('holder'),
        ]),
      present: (rows, { has }): OtherMaterialRow[] =>
        rows.map((row) => ({ ...row, allowedActions: otherMaterialMachine.allowed(row.state, (permission) => has(permission)) })),
    });

export const otherMaterialExport = (list: ReturnType<typeof otherMaterialList>) =>
  listExport(list, { call: exportOtherMaterialList, title: '其他材料', routeKey: 'otherMaterialVerifyList' });

export async function queueCounts(db: Db, viewer: Viewer, now: Instant): Promise<Record<OtherMaterialQueue, number>> {
  const count = (queue: OtherMaterialQueue) => sql<number>`(count(*) filter (where ${queues[queue](viewer, now)}))::int`;
  const row = await otherMaterialRecords
    .seen(db, viewer)
    .select([count('MINE').as('mine'), count('POOL').as('pool'), count('SUPPLEMENT').as('supplement'), count('ALL').as('all')])
    .executeTakeFirstOrThrow();
  return { MINE: row.mine, POOL: row.pool, SUPPLEMENT: row.supplement, ALL: row.all };
}
