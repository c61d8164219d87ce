import { sql, type SqlBool } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { checkCodes, checkFacts, type CheckCode } from '../../contract/abnormal/checks.ts';
import { findingMachine, type FindingState } from '../../contract/abnormal/states.ts';
import {
  exportFinding,
  queryCheckList,
  queryFindingDetail,
  queryFindingList,
  queryFindingTotal,
  queryRunList,
} from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { normalPolicyNo } from '../../contract/rules/policyNo.ts';
import { insurerScope } from '../access.ts';
import { own } from '../database.ts';
import { settingsOf } from './run.ts';

export const findingRecords = recordOf((db) => own(db).selectFrom('policyAbnormalFinding as f').selectAll('f')).with({
  noun: '异常',
  type: 'policy.finding',
  id: 'f.id',
  scope: insurerScope('f.insurerId'),
});
export type FindingRecord = Awaited<ReturnType<typeof findingRecords.get>>;
export const codeOf = (row: { checkCode: string }): CheckCode => checkCodes.schema.parse(row.checkCode);

type Has = (permission: string | { code: string }) => boolean;
/** Who supervises gives any finding to somebody else, who handles his own. */
export const mayTransfer = ({ ownerUserId }: { ownerUserId: string | null }, has: Has, userId: string): boolean =>
  has(may['abnormal.supervise']) || (has(may['abnormal.handle']) && ownerUserId === userId);

/** What somebody may do with a finding: binding ones are never set aside, nobody grants his own wish, who has it hands it in. */
export const findingActionsOf = (
  row: { state: FindingState; checkCode: string; ownerUserId: string | null; ignoreBy: string | null },
  has: Has,
  userId: string,
): string[] => {
  const { binding, rebuilds, replays } = checkFacts[codeOf(row)];
  return findingMachine.allowed(row.state, has).filter((action) => {
    if (action === 'askIgnore') return !binding;
    if (action === 'rebuild') return rebuilds === true;
    if (action === 'replay') return replays === true;
    if (action === 'approveIgnore') return row.ignoreBy !== userId;
    if (action === 'transfer') return mayTransfer(row, has, userId);
    return action !== 'submitFix' || row.ownerUserId === userId;
  });
};

const shown = (row: FindingRecord, now: string, has: Has, userId: string) => ({
  id: row.id,
  checkCode: codeOf(row),
  severity: row.severity,
  subjectType: row.subjectType,
  subjectId: row.subjectId,
  subject: row.subject,
  policyId: row.policyId,
  expected: row.expected,
  actual: row.actual,
  insurerName: row.insurerName,
  owner: row.ownerName,
  firstSeenAt: row.firstSeenAt,
  lastSeenAt: row.lastSeenAt,
  timesSeen: row.timesSeen,
  dueAt: row.dueAt,
  overdue: row.state !== 'RESOLVED' && row.state !== 'IGNORED' && row.dueAt < now,
  state: row.state,
  version: row.version,
  allowedActions: findingActionsOf(row, has, userId),
});

const findingList = listOf(queryFindingList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('policyAbnormalFinding as f')
      .where(scopeFilter(insurerScope('f.insurerId'), staff)),
  )
  .with({
    where: {
      checkCode: 'f.checkCode',
      severity: 'f.severity',
      state: 'f.state',
      mine: (_eb, yes, { staff }) =>
        yes
          ? sql<SqlBool>`f.state in ('OPEN', 'FIXING') and (f.owner_user_id is null or f.owner_user_id = ${staff.userId}::bigint)`
          : undefined,
      insurerId: 'f.insurerId',
      policyNo: (_eb, text) =>
        sql<SqlBool>`f.policy_id in (select p.id from policy_policy p where p.policy_no_norm = ${normalPolicyNo(text)})`,
      firstSeenFrom: (_eb, day) => sql<SqlBool>`f.first_seen_at >= ${day}::date::timestamp at time zone 'Asia/Shanghai'`,
      firstSeenTo: (_eb, day) => sql<SqlBool>`f.first_seen_at < (${day}::date + 1)::timestamp at time zone 'Asia/Shanghai'`,
      overdue: (_eb, yes, { now }) =>
        yes ? sql<SqlBool>`f.state not in ('RESOLVED', 'IGNORED') and f.due_at < ${now}::timestamptz` : undefined,
    },
    id: 'f.id',
    sorts: { firstSeenAt: 'f.id', dueAt: 'f.dueAt' },
    select: (rows) => rows.selectAll('f'),
    present: (rows, { now, has, staff }) => rows.map((row) => shown(row, now, has, staff.userId)),
  });
export const findingExport = listExport(findingList, { call: exportFinding, title: '异常保单数据', routeKey: 'abnormalPolicyData' });

const detail = query(queryFindingDetail, async ({ findingId }, { db, staff, has, now }) => {
  const row = await findingRecords.get(db, staff, findingId);
  const { rows: touched } = await sql<{ contracts: number; claims: number; openPremiumFen: string }>`
    select (
      select count(*)::int
        from policy_cover_use u
        where u.policy_id = ${row.policyId}
          and u.ref_type = 'CONTRACT'
          and u.state = 'LIVE'
          and (${row.subjectType} <> 'insuredItem' or u.insured_item_id = ${row.subjectId})
    ) as contracts,
      (
        select count(*)::int
          from policy_cover_use u
          where u.policy_id = ${row.policyId}
            and u.ref_type = 'CLAIM'
            and u.state <> 'ENDED'
            and (${row.subjectType} <> 'insuredItem' or u.insured_item_id = ${row.subjectId})
      ) as claims,
      (
        select coalesce(sum(o.amount_fen - o.settled_fen), 0)::text
          from policy_premium_order o
          where o.policy_id = ${row.policyId} and o.direction = 'COLLECT' and o.state in ('APPROVED', 'PART_SETTLED')
      ) as open_premium_fen`.execute(db);
  return {
    ...shown(row, now, has, staff.userId),
    guide: [...checkFacts[codeOf(row)].guide],
    impact: touched[0]!,
    fixNote: row.fixNote,
    ignoreUntil: row.ignoreUntil,
    ignoreBy: row.ignoreByName,
    resolvedAt: row.resolvedAt,
    timeline: await trailOf(db, 'policy.finding', row.id),
  };
});

const runColumns = ['r.id', 'r.startedAt', 'r.finishedAt', 'r.startedByName as startedBy', 'r.found', 'r.added', 'r.cleared'] as const;
const checkCount = sql<number>`jsonb_array_length(r.checks)`.as('checkCount');
const runList = listOf(queryRunList)
  .from(({ db }) => own(db).selectFrom('policyAbnormalRun as r'))
  .with({
    where: {},
    id: 'r.id',
    sorts: { startedAt: 'r.startedAt', finishedAt: 'r.finishedAt', found: 'r.found', added: 'r.added', cleared: 'r.cleared' },
    bounded: 'a run a night, and some by hand',
    select: (rows) => rows.select([...runColumns, checkCount]),
    present: (rows) => rows,
  });

const total = query(queryFindingTotal, async (_input, { db, staff }) => {
  const lastRun = await own(db)
    .selectFrom('policyAbnormalRun as r')
    .select([...runColumns, checkCount])
    .orderBy('r.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const open = await own(db)
    .selectFrom('policyAbnormalFinding as f')
    .where(scopeFilter(insurerScope('f.insurerId'), staff))
    .where('f.state', 'not in', ['RESOLVED', 'IGNORED'])
    .groupBy(['f.checkCode', 'f.severity', 'f.insurerId', 'f.insurerName'])
    .orderBy('f.checkCode')
    .orderBy('f.insurerName')
    .select(['f.checkCode', 'f.severity', 'f.insurerId', 'f.insurerName', sql<number>`count(*)::int`.as('count')])
    .execute();
  return { lastRun: lastRun ?? null, open: open.map((row) => ({ ...row, checkCode: codeOf(row) })) };
});

const checks = query(queryCheckList, async (_input, { db, staff }) => {
  const open = await own(db)
    .selectFrom('policyAbnormalFinding as f')
    .where(scopeFilter(insurerScope('f.insurerId'), staff))
    .where('f.state', '<>', 'RESOLVED')
    .groupBy('f.checkCode')
    .select(['f.checkCode', sql<number>`count(*)::int`.as('count')])
    .execute();
  const counted = new Map(open.map((row) => [row.checkCode, row.count]));
  return (await settingsOf(db)).map((setting) => ({ ...setting, openCount: counted.get(setting.checkCode) ?? 0 }));
});

export const findingLists = { list: findingList.handler, rest: [detail, runList.handler, total, checks] };
