import { requireAnother } from '#kernel/server/audit/fourEyes.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { platformErrors, refuse, type ErrorDeclaration } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { holdsLease, releaseLease, takeLease } from '#kernel/server/lease/lease.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { claimNextQualApply, claimQualApply, heartbeatQualApply, releaseQualApply } from '../../contract/calls/qual.ts';
import { qualApplyMachine } from '../../contract/states.ts';
import { seesDoctor } from '../access.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { ownTx } from '../database.ts';
import { applyRecords, type ApplyRecord } from './payload.ts';
import { findAgain } from './checks/findings.ts';
import { APPLY_TARGET } from './submit.ts';

const LEASE_MINUTES = 15;
const resource = (id: string) => ({ type: APPLY_TARGET, id });
export const noLease = { leaseUserId: null, leaseUserName: null, leaseToken: null, leaseUntil: null } as const;

/** Whoever entered, changed or already judged a case does not take it either. @throws Refusal as declared */
export const requireOther = (ctx: CommandContext, apply: ApplyRecord, declared: ErrorDeclaration): Promise<void> =>
  requireAnother(
    ctx.tx,
    ctx.staff,
    {
      targetType: APPLY_TARGET,
      targetId: apply.id,
      contributors: [apply.enteredBy, ...(apply.state === 'RECHECK' ? [apply.firstAuditorId] : [])],
    },
    declared,
  );

/** @throws Refusal SCM07026 unless the caller holds the case in this very tab. */
export async function requireLease(ctx: CommandContext, apply: ApplyRecord, token: string | undefined): Promise<void> {
  const mine = apply.state === 'REVIEWING' && apply.leaseUserId === ctx.staff.userId && apply.leaseToken === token;
  if (!mine || !(await holdsLease(ctx.tx, resource(apply.id), ctx.staff.userId, ctx.now))) throw refuse(doctorErrors.LEASE_LOST);
}

export const dropLease = (ctx: Pick<CommandContext, 'tx'>, apply: Pick<ApplyRecord, 'id' | 'leaseUserId'>): Promise<void> =>
  apply.leaseUserId === null ? Promise.resolve() : releaseLease(ctx.tx, resource(apply.id), apply.leaseUserId);

/** Takes a locked case; by its holder it is prolonged and answered with the same token. */
async function claim(kernel: Kernel, ctx: CommandContext, apply: ApplyRecord) {
  const from = apply.state;
  await requireOther(ctx, apply, doctorErrors.OWN_ENTRY);
  if (!qualApplyMachine.canStart('claim', from)) throw refuse(platformErrors.WRONG_STATE, { state: qualApplyMachine.states[from].label });
  const held = apply.leaseUserId === ctx.staff.userId && (await holdsLease(ctx.tx, resource(apply.id), ctx.staff.userId, ctx.now));
  const lease = await takeLease(ctx.tx, resource(apply.id), ctx.staff, { minutes: LEASE_MINUTES, now: ctx.now });
  if (lease.userId !== ctx.staff.userId) throw refuse(doctorErrors.CLAIMED, { user: lease.displayName });
  const facts = {
    leaseUserId: ctx.staff.userId,
    leaseUserName: ctx.staff.displayName,
    leaseUntil: lease.until,
    ...updatedColumns(ctx),
  };
  const leaseToken = held && apply.leaseToken !== null ? apply.leaseToken : randomUUID();
  const state = held
    ? from
    : await moveState(ctx, qualApplyMachine, {
        targetType: APPLY_TARGET,
        targetId: apply.id,
        targetNo: apply.applyNo,
        action: 'claim',
        from,
      });
  const row = await ownTx(ctx.tx)
    .updateTable('doctorQualApply')
    .set((eb) => ({ ...facts, state, leaseToken, ...(held ? {} : { version: eb('version', '+', 1) }) }))
    .where('id', '=', apply.id)
    .returning(['id', 'state', 'version'])
    .executeTakeFirstOrThrow();
  if (!held) await findAgain(kernel, ctx, apply);
  return { ...actionAnswer(ctx, qualApplyMachine, row), state, leaseToken, leaseUntil: lease.until };
}

/** Oldest case that nobody holds and that the caller did not type in; parallel callers skip each other's. */
async function nextOf(ctx: CommandContext): Promise<string | null> {
  const row = await ownTx(ctx.tx)
    .selectFrom('doctorQualApply as q')
    .innerJoin('doctorDoctor as d', 'd.id', 'q.doctorId')
    .select('q.id')
    .where(seesDoctor(ctx.staff))
    .where((eb) => eb.or([eb('q.state', '=', 'PENDING'), eb.and([eb('q.state', '=', 'REVIEWING'), eb('q.leaseUntil', '<=', ctx.now)])]))
    .where(sql<boolean>`q.entered_by is distinct from ${ctx.staff.userId}::bigint`)
    .orderBy('q.submittedAt')
    .orderBy('q.id')
    .limit(1)
    .forUpdate('q')
    .skipLocked()
    .executeTakeFirst();
  return row?.id ?? null;
}

export const leaseHandlers = (kernel: Kernel): readonly Handler[] => [
  command(claimQualApply, async ({ applyId }, ctx) => claim(kernel, ctx, await applyRecords.lock(ctx.tx, ctx.staff, applyId))),
  command(claimNextQualApply, async (_input, ctx) => {
    const id = await nextOf(ctx);
    if (id === null) throw refuse(doctorErrors.NONE_TO_CLAIM);
    return claim(kernel, ctx, await applyRecords.lock(ctx.tx, ctx.staff, id));
  }),
  command(heartbeatQualApply, async ({ applyId, leaseToken }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    await requireLease(ctx, apply, leaseToken);
    const { until } = await takeLease(ctx.tx, resource(applyId), ctx.staff, { minutes: LEASE_MINUTES, now: ctx.now });
    await ownTx(ctx.tx).updateTable('doctorQualApply').set({ leaseUntil: until }).where('id', '=', applyId).execute();
    ctx.target({ type: APPLY_TARGET, id: applyId, no: apply.applyNo });
    return { leaseUntil: until };
  }),
  command(releaseQualApply, async ({ applyId, leaseToken }, ctx) => {
    const apply = await applyRecords.lock(ctx.tx, ctx.staff, applyId);
    await requireLease(ctx, apply, leaseToken);
    const state = await moveState(ctx, qualApplyMachine, {
      targetType: APPLY_TARGET,
      targetId: applyId,
      targetNo: apply.applyNo,
      action: 'release',
      from: apply.state,
    });
    await dropLease(ctx, apply);
    const row = await ownTx(ctx.tx)
      .updateTable('doctorQualApply')
      .set((eb) => ({ ...noLease, state, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
      .where('id', '=', applyId)
      .returning(['id', 'state', 'version'])
      .executeTakeFirstOrThrow();
    return { ...actionAnswer(ctx, qualApplyMachine, row), state };
  }),
];
