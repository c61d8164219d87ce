import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { agentHandedOver } from '#events/pharma.ts';
import {
  addAgentHandover,
  auditAgentHandover,
  cancelAgentHandover,
  modifyAgentHandover,
  type HandoverPlan,
} from '../../contract/calls/handovers.ts';
import { pharmaErrors } from '../../contract/errors.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { agentMachine, handoverMachine } from '../../contract/states.ts';
import { agentRecords, handoverRecords } from '../access.ts';
import { accessAgent } from '../agents/accessAgent.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { ownTx } from '../database.ts';
import { endAgentHandover } from './endHandover.ts';
import { handoverById } from './handoverRows.ts';
import { belongingsOf, requireCompletePlan, resolvePlan, successorsOf, type FrozenPlan } from './plan.ts';

const NO_PROGRESS = JSON.stringify({ team: { total: 0, done: 0 }, doctors: { total: 0, done: 0 }, channels: { total: 0, done: 0 } });

export const handoverKey = (id: string) => `pharma.handover:${id}`;

type Handover = Awaited<ReturnType<typeof handoverRecords.lock>>;
const place = (row: Pick<Handover, 'id' | 'handoverNo'>) => ({
  targetType: 'pharma.agentHandover',
  targetId: row.id,
  targetNo: row.handoverNo,
});

const requireFuture = (ctx: CommandContext, effectiveOn: string) => {
  if (effectiveOn <= ctx.today)
    throw refuse(pharmaErrors.EFFECTIVE_TOO_EARLY, { fields: [{ path: 'effectiveOn', message: pharmaErrors.EFFECTIVE_TOO_EARLY.text }] });
};

/** The plan is complete: it goes to the approver, and the person is in hand-over from now on. */
async function submit(ctx: CommandContext, kernel: Kernel, row: Handover): Promise<void> {
  const tx = ownTx(ctx.tx);
  const agent = await agentRecords.lock(ctx.tx, ctx.staff, row.fromAgentId);
  const belongings = await belongingsOf(tx, agent.id);
  await requireCompletePlan(ctx.tx, ctx.staff, agent, resolvePlan(row.plan as HandoverPlan, belongings), belongings);
  const agentState = await moveState(ctx, agentMachine, {
    targetType: 'pharma.agent',
    targetId: agent.id,
    targetNo: agent.agentNo,
    action: 'startHandover',
    from: agent.state,
    opinion: row.remark ?? '',
  });
  await tx
    .updateTable('pharmaAgent')
    .set((eb) => ({
      state: agentState,
      handoverFrom: agent.state === 'FROZEN' ? 'FROZEN' : 'ACTIVE',
      version: eb('version', '+', 1),
      ...updatedColumns(ctx),
    }))
    .where('id', '=', agent.id)
    .execute();
  const state = await moveState(ctx, handoverMachine, { ...place(row), action: 'submit', from: 'DRAFT' });
  await tx
    .updateTable('pharmaAgentHandover')
    .set({ state, makerId: ctx.staff.userId, makerName: ctx.staff.displayName, updatedAt: ctx.now })
    .where('id', '=', row.id)
    .execute();
  await publishAgent(ctx, agent.id, ctx.today);
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: handoverKey(row.id),
      title: `离岗交接${row.handoverNo}待审批`,
      body: `${agent.name}，${row.effectiveOn}生效`,
      link: `/agentDetail?agentId=${agent.id}`,
      permission: pharmaPermissions['agent.handoverAudit'].code,
    },
    ctx.now,
  );
}

export const handoverHandlers = (kernel: Kernel): readonly Handler[] => [
  command(addAgentHandover, async ({ fromAgentId, submit: submitting, plan, remark, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    requireFuture(ctx, input.effectiveOn);
    await accessAgent(ctx, fromAgentId);
    const agent = await agentRecords.lock(ctx.tx, ctx.staff, fromAgentId);
    const open = await tx
      .selectFrom('pharmaAgentHandover')
      .select('handoverNo')
      .where('fromAgentId', '=', fromAgentId)
      .where('state', 'in', ['DRAFT', 'PENDING', 'WAITING', 'RUNNING'])
      .executeTakeFirst();
    if (open) throw refuse(pharmaErrors.HANDOVER_OPEN, { no: open.handoverNo });
    if (agent.state !== 'ACTIVE' && agent.state !== 'FROZEN')
      throw refuse(platformErrors.WRONG_STATE, { state: agentMachine.dictionary.label(agent.state) });
    const handoverNo = await nextNumber(ctx.tx, 'JJ', ctx.today);
    const row = await tx
      .insertInto('pharmaAgentHandover')
      .values({
        ...input,
        handoverNo,
        fromAgentId,
        plan: JSON.stringify(plan),
        progress: NO_PROGRESS,
        makerId: ctx.staff.userId,
        makerName: ctx.staff.displayName,
        remark: remark ?? null,
        state: 'DRAFT',
        createdAt: ctx.now,
        ...updatedColumns(ctx),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'pharma.agentHandover', id: row.id, no: handoverNo });
    if (submitting) await submit(ctx, kernel, row);
    return (await handoverById(tx, row.id, ctx.staff.userId))!;
  }),

  command(modifyAgentHandover, async ({ id, version, submit: submitting, plan, remark, ...input }, ctx) => {
    const tx = ownTx(ctx.tx);
    requireFuture(ctx, input.effectiveOn);
    const stored = await handoverRecords.lock(ctx.tx, ctx.staff, id);
    await accessAgent(ctx, stored.fromAgentId);
    await requireVersion(ctx, 'pharma.agentHandover', stored, version, async () => (await handoverById(tx, id, ctx.staff.userId))!);
    if (stored.state !== 'DRAFT') throw refuse(platformErrors.WRONG_STATE, { state: handoverMachine.dictionary.label(stored.state) });
    const row = await tx
      .updateTable('pharmaAgentHandover')
      .set({
        ...input,
        plan: JSON.stringify(plan),
        remark: remark ?? null,
        version: version + 1,
        ...updatedColumns(ctx),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    ctx.target({ type: 'pharma.agentHandover', id, no: stored.handoverNo });
    if (submitting) await submit(ctx, kernel, row);
    return (await handoverById(tx, id, ctx.staff.userId))!;
  }),

  command(auditAgentHandover, async ({ id, version, action, opinion }, ctx) => {
    const tx = ownTx(ctx.tx);
    const row = await handoverRecords.lock(ctx.tx, ctx.staff, id);
    await accessAgent(ctx, row.fromAgentId);
    await requireVersion(ctx, 'pharma.agentHandover', row, version, async () => (await handoverById(tx, id, ctx.staff.userId))!);
    const state = await moveState(ctx, handoverMachine, {
      ...place(row),
      action,
      from: row.state,
      opinion,
      contributors: [row.makerId],
    });
    const decided = {
      state,
      checkerId: ctx.staff.userId,
      checkerName: ctx.staff.displayName,
      opinion: opinion ?? null,
      version: version + 1,
      ...updatedColumns(ctx),
    };
    if (action === 'approve') {
      requireFuture(ctx, row.effectiveOn);
      const frozen = await approve(ctx, row);
      const progress = {
        team: { total: frozen.team.length, done: 0 },
        doctors: { total: frozen.doctors.length, done: 0 },
        channels: { total: frozen.channels.length, done: 0 },
      };
      await tx
        .updateTable('pharmaAgentHandover')
        .set({ ...decided, plan: JSON.stringify(frozen), progress: JSON.stringify(progress) })
        .where('id', '=', id)
        .execute();
    } else {
      await tx.updateTable('pharmaAgentHandover').set(decided).where('id', '=', id).execute();
      await endAgentHandover(ctx, row.fromAgentId);
    }
    await kernel.ports.notices.closeTodo(ctx.tx, handoverKey(id), ctx.now);
    if (row.makerId !== null) {
      await kernel.ports.notices.addResult(
        ctx.tx,
        {
          businessKey: `${handoverKey(id)}:result`,
          title: `离岗交接${row.handoverNo}${action === 'approve' ? '已同意' : '已驳回'}`,
          ...(opinion ? { body: opinion } : {}),
          link: `/agentDetail?agentId=${row.fromAgentId}`,
          userIds: [row.makerId],
        },
        ctx.now,
      );
    }
    return actionAnswer(ctx, handoverMachine, { id, state, version: version + 1 });
  }),

  command(cancelAgentHandover, async ({ id, version, opinion }, ctx) => {
    const tx = ownTx(ctx.tx);
    const row = await handoverRecords.lock(ctx.tx, ctx.staff, id);
    await accessAgent(ctx, row.fromAgentId);
    await requireVersion(ctx, 'pharma.agentHandover', row, version, async () => (await handoverById(tx, id, ctx.staff.userId))!);
    const state = await moveState(ctx, handoverMachine, {
      ...place(row),
      action: 'cancel',
      from: row.state,
      opinion,
    });
    await tx
      .updateTable('pharmaAgentHandover')
      .set({ state, version: version + 1, ...updatedColumns(ctx) })
      .where('id', '=', id)
      .execute();
    if (row.state !== 'DRAFT') await endAgentHandover(ctx, row.fromAgentId);
    await kernel.ports.notices.closeTodo(ctx.tx, handoverKey(id), ctx.now);
    return actionAnswer(ctx, handoverMachine, { id, state, version: version + 1 });
  }),
];

/** Freezes the plan as things stand now and tells every successor's domains, once each. */
async function approve(ctx: CommandContext, row: Handover): Promise<FrozenPlan> {
  const tx = ownTx(ctx.tx);
  const agent = await agentRecords.lock(ctx.tx, ctx.staff, row.fromAgentId);
  const belongings = await belongingsOf(tx, agent.id);
  const { unassigned, ...frozen } = resolvePlan(row.plan as HandoverPlan, belongings);
  await requireCompletePlan(ctx.tx, null, agent, { ...frozen, unassigned }, belongings);
  for (const toAgentId of successorsOf(frozen)) {
    const pairs = frozen.doctors
      .filter((pair) => pair.toAgentId === toAgentId)
      .map(({ doctorId, productLineId }) => ({ doctorId, productLineId }));
    const channelIds = frozen.channels.filter((channel) => channel.toAgentId === toAgentId).map((channel) => channel.channelId);
    if (pairs.length === 0 && channelIds.length === 0) continue;
    await ctx.publish(agentHandedOver, row.id, {
      handoverNo: row.handoverNo,
      fromAgentId: agent.id,
      toAgentId,
      reason: row.reason,
      doctorIds: [...new Set(pairs.map((pair) => pair.doctorId))],
      pairs,
      channelIds,
      effectiveOn: row.effectiveOn,
    });
  }
  return frozen;
}
