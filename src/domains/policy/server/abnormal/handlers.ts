import { sql } from 'kysely';
import { platformErrors, refuse, refuseField } from '../../../../kernel/contract/errors.ts';
import { plusDays } from '../../../../kernel/contract/time.ts';
import { moveState } from '../../../../kernel/server/audit/transition.ts';
import type { CommandContext } from '../../../../kernel/server/context.ts';
import { exportHandler } from '../../../../kernel/server/exporting/exportHandler.ts';
import { command } from '../../../../kernel/server/handler.ts';
import type { JobDeclaration, Kernel } from '../../../../kernel/server/kernel.ts';
import { asSystem } from '../../../../kernel/server/command/acting.ts';
import type { ModulePart } from '../../../../kernel/server/modulePart.ts';
import { requireVersion } from '../../../../kernel/server/record/requireVersion.ts';
import { dayOf } from '../../../../kernel/contract/time.ts';
import { checkFacts, MOST_IGNORED_DAYS, ownerKinds } from '../../contract/abnormal/checks.ts';
import { findingMachine, type FindingAction } from '../../contract/abnormal/states.ts';
import { auditFinding, modifyCheck, runCheck } from '../../contract/calls/abnormal.ts';
import { policyErrors } from '../../contract/errors.ts';
import { refreshPersons, refreshPolicy } from '../cover/cache.ts';
import { own } from '../database.ts';
import { lockedPolicy } from '../endorsements/carryOut.ts';
import { codeOf, findingActionsOf, findingExport, findingLists, findingRecords, type FindingRecord } from './list.ts';
import { handlersOf, ownerHandlers, seesInsurer, tellOwners } from './owners.ts';
import { lookAt, requireAlone, settingsOf, stillFound, writeRun } from './run.ts';
import { replayUse } from './useLooks.ts';

interface Wish {
  note: string;
  toUserId?: string | undefined;
  ignoreUntil?: string | undefined;
}
type Moves = Partial<
  Pick<
    FindingRecord,
    'ownerUserId' | 'ownerName' | 'fixNote' | 'ignoreUntil' | 'ignoreBy' | 'ignoreByName' | 'approvedBy' | 'resolvedAt' | 'state'
  >
>;

const move = (ctx: CommandContext, row: FindingRecord, action: Parameters<typeof findingMachine.canStart>[0], opinion = '') =>
  moveState(ctx, findingMachine, {
    targetType: 'policy.finding',
    targetId: row.id,
    targetNo: row.subject,
    action,
    from: row.state,
    opinion,
  });

/** @throws Refusal SCM13061 where the check still finds it */
async function requireGone(ctx: CommandContext, { secrets }: Kernel, row: FindingRecord): Promise<void> {
  const found = await stillFound({ db: ctx.tx, secrets, now: ctx.now, today: ctx.today }, { ...row, checkCode: codeOf(row) });
  if (found) throw refuse(policyErrors.STILL_WRONG, { detail: `应为${found.expected}，实为${found.actual}` });
}

const audits = (kernel: Kernel): Record<FindingAction, (ctx: CommandContext, row: FindingRecord, wish: Wish) => Promise<Moves>> => ({
  take: async (ctx, row) => ({
    state: await move(ctx, row, 'take'),
    ownerUserId: ctx.staff.userId,
    ownerName: ctx.staff.displayName,
  }),
  async transfer(ctx, row, { note, toUserId }) {
    const state = await move(ctx, row, 'transfer', note);
    const to = (await handlersOf(ctx.tx, ctx.today)).get(toUserId ?? '');
    if (!to) throw refuseField('toUserId', '请选择可以处理异常的责任人');
    if (!seesInsurer(to, row.insurerId))
      throw refuseField('toUserId', `${to.displayName}的数据范围不含${row.insurerName || '未指定保司'}的保单`);
    return { state, ownerUserId: to.userId, ownerName: to.displayName };
  },
  async submitFix(ctx, row, { note }) {
    if (note === '') throw refuse(policyErrors.FIX_NOTE_MISSING);
    const between = await move(ctx, row, 'submitFix', note);
    await requireGone(ctx, kernel, row);
    return { state: await move(ctx, { ...row, state: between }, 'pass'), fixNote: note, resolvedAt: ctx.now };
  },
  async recheck(ctx, row) {
    const state = await move(ctx, row, 'recheck');
    await requireGone(ctx, kernel, row);
    return { state, resolvedAt: ctx.now };
  },
  async rebuild(ctx, row) {
    if (!checkFacts[codeOf(row)].rebuilds || row.policyId === null) throw refuseField('action', '该检查项没有可重建的缓存');
    const state = await move(ctx, row, 'rebuild');
    await lockedPolicy(ctx.tx, row.policyId);
    await refreshPersons(ctx.tx, { policyId: row.policyId }, ctx.today);
    await refreshPolicy(ctx.tx, row.policyId, ctx.today);
    await requireGone(ctx, kernel, row);
    return { state, fixNote: '已按保障区间重建缓存', resolvedAt: ctx.now };
  },
  async replay(ctx, row) {
    if (!checkFacts[codeOf(row)].replays) throw refuseField('action', '该检查项没有可重放的事件');
    const state = await move(ctx, row, 'replay');
    const told = await replayUse(ctx.tx, { refType: row.fingerprint, refId: row.subjectId }, ctx.now);
    if (told === 0) throw refuseField('action', '没有需要重放的事件，请立即复查');
    return { state, ownerUserId: ctx.staff.userId, ownerName: ctx.staff.displayName, fixNote: `已重放${told}个事件` };
  },
  async askIgnore(ctx, row, { note, ignoreUntil }) {
    if (checkFacts[codeOf(row)].binding) throw refuse(policyErrors.NOT_IGNORABLE);
    const state = await move(ctx, row, 'askIgnore', note);
    if (!ignoreUntil || ignoreUntil <= ctx.today || ignoreUntil > plusDays(ctx.today, MOST_IGNORED_DAYS))
      throw refuseField('ignoreUntil', `忽略期限须在${MOST_IGNORED_DAYS}天以内`);
    return { state, ignoreUntil, ignoreBy: ctx.staff.userId, ignoreByName: ctx.staff.displayName };
  },
  async approveIgnore(ctx, row, { note }) {
    const state = await move(ctx, row, 'approveIgnore', note);
    if (row.ignoreBy === ctx.staff.userId) throw refuse(policyErrors.OWN_IGNORE);
    return { state, approvedBy: ctx.staff.userId };
  },
  refuseIgnore: async (ctx, row, { note }) => ({ state: await move(ctx, row, 'refuseIgnore', note) }),
});

const audit = (kernel: Kernel) => {
  const by = audits(kernel);
  return command(auditFinding, async ({ id, version, action, note, ...wish }, ctx) => {
    const row = await findingRecords.lockVersion(ctx, id, version);
    const moved = await by[action](ctx, row, { note: note.trim(), ...wish });
    const now = await own(ctx.tx)
      .updateTable('policyAbnormalFinding')
      .set((eb) => ({ ...moved, version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const owners = [row.ownerUserId, now.ownerUserId].filter((userId) => userId !== null);
    await tellOwners(
      ctx.tx,
      kernel.ports.notices,
      [...new Set(owners)].map((userId) => ({ checkCode: codeOf(row), userId })),
      ctx.now,
    );
    return {
      id,
      state: now.state,
      version: now.version,
      allowedActions: findingActionsOf(now, (permission) => ctx.has(permission), ctx.staff.userId),
    };
  });
};

const run = ({ secrets, ports }: Kernel) =>
  command(runCheck, async ({ checkCode = [] }, ctx) => {
    await requireAlone(ctx.tx);
    const settings = (await settingsOf(ctx.tx)).filter(
      (one) => one.enabled && (checkCode.length === 0 || checkCode.includes(one.checkCode)),
    );
    if (settings.length === 0) throw refuseField('checkCode', '检查项已停用');
    const looked = await lookAt({ db: ctx.tx, secrets, now: ctx.now, today: ctx.today }, settings);
    // The run is the system's word on what is there; who asked for it stands in the run.
    return writeRun(asSystem(ctx, ctx), ports.notices, looked, { startedAt: ctx.now, by: ctx.staff.displayName });
  });

const modify = command(modifyCheck, async ({ checkCode, version, enabled, severity, dueDays, ownerRule }, ctx) => {
  const { rows: known } = await sql<{ id: string }>`
    insert into policy_abnormal_check (check_code, enabled, severity, due_days, created_at, created_by, updated_at, updated_by)
    select ${checkCode}, true, ${severity}, ${dueDays}, ${ctx.now}::timestamptz, ${ctx.staff.userId}::bigint, ${ctx.now}::timestamptz, ${ctx.staff.userId}::bigint
    on conflict (check_code) do update set check_code = excluded.check_code returning id`.execute(ctx.tx);
  const [{ id }] = known as [{ id: string }];
  const row = await own(ctx.tx).selectFrom('policyAbnormalCheck').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await requireVersion(ctx, 'policy.abnormalCheck', row, version);
  const before = (await settingsOf(ctx.tx)).find((one) => one.checkCode === checkCode);
  if (!before) throw refuse(platformErrors.NOT_FOUND);
  ctx.target({ type: 'policy.abnormalCheck', id, no: checkCode });
  await own(ctx.tx)
    .updateTable('policyAbnormalCheck')
    .set((eb) => ({
      enabled,
      severity,
      dueDays,
      ownerKind: ownerRule,
      version: eb('version', '+', 1),
      updatedAt: ctx.now,
      updatedBy: ctx.staff.userId,
    }))
    .where('id', '=', id)
    .execute();
  ctx.changed([
    { path: 'enabled', label: '启用', before: before.enabled, after: enabled },
    { path: 'severity', label: '严重度', before: before.severity, after: severity },
    { path: 'dueDays', label: '处理时限（天）', before: before.dueDays, after: dueDays },
    { path: 'ownerRule', label: '责任人类别', before: ownerKinds.label(before.ownerRule), after: ownerKinds.label(ownerRule) },
  ]);
  const { count } = await own(ctx.tx)
    .selectFrom('policyAbnormalFinding')
    .where('checkCode', '=', checkCode)
    .where('state', '<>', 'RESOLVED')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return { checkCode, enabled, severity, dueDays, ownerRule, binding: before.binding, openCount: count, version: row.version + 1 };
});

/** Reads everything in one snapshot, then writes what it found. */
export const abnormalJob = (kernel: Kernel): JobDeclaration => ({
  name: 'policy.abnormal',
  label: '异常保单数据每日检查',
  cron: '30 2 * * *',
  expireSeconds: 3600,
  async run(_data, { now, traceId, transaction }) {
    const looked = await kernel.transactions.snapshot(async (db) =>
      lookAt(
        { db, secrets: kernel.secrets, now, today: dayOf(now) },
        (await settingsOf(db)).filter(({ enabled }) => enabled),
      ),
    );
    await transaction(async (writing) => {
      await requireAlone(writing.tx);
      await writeRun(asSystem(writing, { now, traceId }), kernel.ports.notices, looked, { startedAt: now, by: '系统' });
    });
  },
});

/** What is wrong with policies, who looks after it, how it is mended. */
export const abnormalPart: ModulePart = {
  handlers: (kernel) => [
    findingLists.list,
    ...findingLists.rest,
    audit(kernel),
    run(kernel),
    modify,
    ...ownerHandlers,
    exportHandler(findingExport, kernel),
  ],
  exports: [findingExport],
  jobs: (kernel) => [abnormalJob(kernel) as JobDeclaration<never>],
};
