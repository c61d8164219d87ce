import { sql } from 'kysely';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import { platformErrors, Refusal, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, procedure } from '#kernel/server/handler.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownerKinds } from '../../contract/abnormal/checks.ts';
import { findingMachine } from '../../contract/abnormal/states.ts';
import { auditFinding, batchTransferFinding, modifyCheck, runCheck } from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { decide } from './decide.ts';
import { findingActionsOf, findingRecords, mayTransfer } from './list.ts';
import { lookAt, requireAlone, settingsOf, writeRun } from './run.ts';

type Act = Omit<CheckedInputOf<typeof auditFinding>, 'id' | 'version'>;

/** What somebody does about one finding, in one transaction. */
async function act(kernel: Kernel, ctx: CommandContext, { id, version }: { id: string; version: number }, { action, ...wish }: Act) {
  // A transfer of one's own finding needs no more than handling it does.
  const handles = action !== 'approveIgnore' && action !== 'refuseIgnore' && (action !== 'transfer' || ctx.has(may['abnormal.handle']));
  ctx.requirePermission(handles ? may['abnormal.handle'] : may['abnormal.supervise']);
  const row = await findingRecords.lockVersion(ctx, id, version);
  const has = (permission: string | { code: string }) => ctx.has(permission);
  if (action === 'transfer' && !mayTransfer(row, has, ctx.staff.userId))
    throw refuse(platformErrors.NO_PERMISSION, { permission: '转派异常' }, { message: '只有责任人或有转派权限的人可以转派' });
  if (action === 'submitFix' && findingMachine.canStart(action, row.state) && row.ownerUserId !== ctx.staff.userId)
    throw refuse(
      platformErrors.NO_PERMISSION,
      { permission: '提交处理' },
      { message: `该异常由${row.ownerName ?? '他人'}处理，请由责任人提交` },
    );
  const now = await decide(ctx, kernel, row, action, wish);
  return {
    id,
    state: now.state,
    version: now.version,
    allowedActions: findingActionsOf(now, has, ctx.staff.userId),
  };
}

export const audit = (kernel: Kernel) => command(auditFinding, ({ id, version, ...wish }, ctx) => act(kernel, ctx, { id, version }, wish));

export const transferMany = (kernel: Kernel) =>
  procedure(batchTransferFinding, async ({ items, toUserId, note }, ctx) => {
    ctx.requirePermission(ctx.has(may['abnormal.supervise']) ? may['abnormal.supervise'] : may['abnormal.handle']);
    const outcomes = [];
    for (const one of items) {
      try {
        await ctx.transaction((writing) => act(kernel, writing, one, { action: 'transfer', toUserId, note }));
        outcomes.push({ id: one.id, ok: true, code: null, message: '成功' });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        outcomes.push({ id: one.id, ok: false, code: error.code, message: error.fields?.[0]?.message ?? error.message });
      }
    }
    return outcomes;
  });

export const run = ({ secrets, ports }: Kernel) =>
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

export const modify = command(modifyCheck, async ({ checkCode, version, enabled, severity, dueDays, ownerRule }, ctx) => {
  const { rows: known } = await sql<{ id: string }>`
    insert into policy_abnormal_check (check_code, enabled, severity, due_days, created_at, created_by, updated_at, updated_by)
    select ${checkCode}, true, ${severity}, ${dueDays}, ${ctx.now}::timestamptz, ${ctx.staff.userId}::bigint, ${ctx.now}::timestamptz,
      ${ctx.staff.userId}::bigint
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
      ...updatedColumns(ctx),
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
  async run(_data, ctx) {
    const { now, traceId, transaction } = ctx;
    const failures = isolateFailures(ctx);
    const looked = await kernel.transactions.snapshot(async (db) =>
      lookAt(
        { db, secrets: kernel.secrets, now, today: dayOf(now) },
        (await settingsOf(db)).filter(({ enabled }) => enabled),
        failures.run,
      ),
    );
    await transaction(async (writing) => {
      await requireAlone(writing.tx);
      await writeRun(asSystem(writing, { now, traceId }), kernel.ports.notices, looked, { startedAt: now, by: '系统' });
    });
    failures.throwIfAny();
  },
});
