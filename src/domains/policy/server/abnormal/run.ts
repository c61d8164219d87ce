import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { tryLockKey } from '#kernel/server/command/lockKeys.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { FailureIsolation } from '#kernel/server/jobs/isolateFailures.ts';
import type { Notices } from '#kernel/server/ports.ts';
import { checkCodes, checkFacts, dueDaysOf, type CheckCode } from '../../contract/abnormal/checks.ts';
import { findingMachine } from '../../contract/abnormal/states.ts';
import { policyErrors } from '../../contract/errors.ts';
import { json, own } from '../database.ts';
import { coverLooks } from './coverLooks.ts';
import type { Found, Look, Looking } from './look.ts';
import { moneyLooks } from './moneyLooks.ts';
import { personLooks } from './personLooks.ts';
import { ownerIn, readOwners, notifyOwners, type Owned, type Owners } from './owners.ts';
import { policyLooks } from './policyLooks.ts';
import { useLooks } from './useLooks.ts';

const looks: Readonly<Record<CheckCode, Look>> = {
  ...policyLooks,
  ...personLooks,
  ...coverLooks,
  ...moneyLooks,
  ...useLooks,
};

/** How a check is set: as it was declared, or otherwise. */
export async function settingsOf(db: Db | Tx) {
  const set = new Map((await own(db).selectFrom('policyAbnormalCheck').selectAll().execute()).map((row) => [row.checkCode, row]));
  return checkCodes.codes.map((checkCode) => {
    const { severity, owner = 'INSURER', binding = false } = checkFacts[checkCode];
    const row = set.get(checkCode);
    return {
      checkCode,
      binding,
      enabled: row?.enabled ?? true,
      severity: row?.severity ?? severity,
      dueDays: row?.dueDays ?? dueDaysOf[severity],
      ownerRule: row?.ownerKind ?? owner,
      version: row?.version ?? 1,
    };
  });
}
type Setting = Awaited<ReturnType<typeof settingsOf>>[number];

export interface Looked {
  setting: Setting;
  found: Found[];
  ms: number;
}

/** Asks checks one after another; `db` is one snapshot. One that fails ends the run, unless `isolate` does: then it is left out. */
export async function lookAt(looking: Looking, settings: readonly Setting[], isolate?: FailureIsolation['run']): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const setting of settings) {
    const began = performance.now();
    const look = async () => {
      const found = await looks[setting.checkCode](looking);
      looked.push({ setting, found, ms: Math.round(performance.now() - began) });
    };
    if (!isolate) await look();
    else {
      await sql`savepoint one_check`.execute(looking.db);
      if (!(await isolate(setting.checkCode, look))) await sql`rollback to savepoint one_check`.execute(looking.db);
    }
  }
  return looked;
}

/** Whether one finding is still there. */
export async function stillFound(
  looking: Looking,
  one: { checkCode: CheckCode; subjectType: string; subjectId: string; fingerprint: string },
): Promise<Found | undefined> {
  const found = await looks[one.checkCode](looking);
  return found.find(
    ({ subjectType, subjectId, fingerprint }) =>
      subjectType === one.subjectType && subjectId === one.subjectId && fingerprint === one.fingerprint,
  );
}

/** @throws Refusal SCM13064 while somebody else writes what checks found */
export async function requireAlone(tx: Tx): Promise<void> {
  if (!(await tryLockKey(tx, 'policy.abnormal'))) throw refuse(policyErrors.CHECK_RUNNING);
}

/** New violations become findings, known ones are seen once more, what is gone or was set aside too long moves on. */
async function write(acting: Acting, owners: Owners, { setting, found }: Looked) {
  const { tx, now, today } = acting;
  const { checkCode, severity, dueDays, ownerRule } = setting;
  const owned = found.map((one) => ({ ...one, ...ownerIn(owners, ownerRule, one.insurerId) }));
  const { rows: written } = await sql<{ isNew: boolean; ownerUserId: string | null }>`
    insert into policy_abnormal_finding (check_code, severity, subject_type, subject_id, subject, policy_id, insurer_id, insurer_name,
      fingerprint, expected, actual, owner_user_id, owner_name, first_seen_at, last_seen_at, due_at)
    select ${checkCode}, ${severity}, f."subjectType", f."subjectId", f.subject, f."policyId", f."insurerId", f."insurerName",
      f.fingerprint, f.expected, f.actual, f."ownerUserId", f."ownerName", ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz + make_interval(days => ${dueDays}::int)
    from jsonb_to_recordset(${json(owned)}::jsonb) as f ("subjectType" text, "subjectId" bigint, subject text, "policyId" bigint,
      "insurerId" bigint, "insurerName" text, fingerprint text, expected text, actual text,
      "ownerUserId" bigint, "ownerName" text)
    on conflict (check_code, subject_type, subject_id, fingerprint) where state <> 'RESOLVED' do update set
      expected = excluded.expected, actual = excluded.actual, subject = excluded.subject, last_seen_at = excluded.last_seen_at,
      times_seen = policy_abnormal_finding.times_seen + 1
    returning (xmax = 0) as is_new, owner_user_id`.execute(tx);
  const seen = new Set(found.map((one) => `${one.subjectType}:${one.subjectId}:${one.fingerprint}`));
  const open = await own(tx)
    .selectFrom('policyAbnormalFinding')
    .select(['id', 'subject', 'state', 'subjectType', 'subjectId', 'fingerprint', 'ignoreUntil', 'ownerUserId'])
    .where('checkCode', '=', checkCode)
    .where('state', '<>', 'RESOLVED')
    .orderBy('id')
    .forUpdate()
    .execute();
  let cleared = 0;
  const concerned = new Set(written.flatMap(({ isNew, ownerUserId }) => (isNew && ownerUserId ? [ownerUserId] : [])));
  for (const row of open) {
    const gone = !seen.has(`${row.subjectType}:${row.subjectId}:${row.fingerprint}`);
    const over = row.state === 'IGNORED' && row.ignoreUntil !== null && row.ignoreUntil < today;
    if (!gone && !over) continue;
    const state = await moveState(acting, findingMachine, {
      targetType: 'policy.finding',
      targetId: row.id,
      targetNo: row.subject,
      action: gone ? 'resolve' : 'reopen',
      from: row.state,
    });
    await own(tx)
      .updateTable('policyAbnormalFinding')
      .set((eb) => ({ state, version: eb('version', '+', 1), ...(gone && { resolvedAt: now }) }))
      .where('id', '=', row.id)
      .execute();
    if (gone) cleared += 1;
    if (row.ownerUserId) concerned.add(row.ownerUserId);
  }
  const owns: Owned[] = [...concerned].map((userId) => ({ checkCode, userId }));
  return { added: written.filter(({ isNew }) => isNew).length, cleared, owns };
}

export async function writeRun(acting: Acting, notices: Notices, looked: readonly Looked[], at: { startedAt: Instant; by: string }) {
  const checks: { checkCode: CheckCode; found: number; added: number; cleared: number; ms: number }[] = [];
  const owners = await readOwners(acting.tx, acting.today);
  for (const one of looked) {
    const { owns, ...done } = await write(acting, owners, one);
    checks.push({ checkCode: one.setting.checkCode, found: one.found.length, ...done, ms: one.ms });
    await notifyOwners(acting.tx, notices, owns, acting.now);
  }
  const sum = (key: 'found' | 'added' | 'cleared') => checks.reduce((total, check) => total + check[key], 0);
  const { id } = await own(acting.tx)
    .insertInto('policyAbnormalRun')
    .values({
      startedAt: at.startedAt,
      finishedAt: acting.now,
      startedByName: at.by,
      found: sum('found'),
      added: sum('added'),
      cleared: sum('cleared'),
      checks: json(checks),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    id,
    startedAt: at.startedAt,
    finishedAt: acting.now,
    startedBy: at.by,
    checkCount: checks.length,
    found: sum('found'),
    added: sum('added'),
    cleared: sum('cleared'),
  };
}
