import { everyone } from '#kernel/server/auth/viewer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { hours, plusMs } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { HandoverProgress } from '../../contract/calls/handovers.ts';
import { pairKey } from '../../contract/rules/handoverPlan.ts';
import { handoverMachine } from '../../contract/states.ts';
import { agentRecords, handoverRecords } from '../access.ts';
import { hangUnder, lockTree } from '../agents/hierarchy.ts';
import { publishAgent } from '../agents/agentEvents.ts';
import { ownTx } from '../database.ts';
import { endAgentHandover } from './endHandover.ts';
import { belongingsOf, type FrozenPlan } from './plan.ts';

type Handover = Awaited<ReturnType<typeof handoverRecords.lock>>;
const place = (row: Pick<Handover, 'id' | 'handoverNo'>) => ({
  targetType: 'pharma.agentHandover',
  targetId: row.id,
  targetNo: row.handoverNo,
});

/** On the day: the team moves, once, however often this runs. */
export async function startHandover(ctx: Acting, handoverId: string): Promise<void> {
  const seen = await handoverRecords.lock(ctx.tx, everyone, handoverId);
  if (seen.state !== 'WAITING' || seen.effectiveOn > ctx.today) return;
  const agent = await agentRecords.lock(ctx.tx, everyone, seen.fromAgentId);
  await lockTree(ctx.tx, agent.companyId);
  const plan = seen.plan as FrozenPlan;
  const tx = ownTx(ctx.tx);
  if (plan.teamToAgentId !== null) {
    const target = await agentRecords.lock(ctx.tx, everyone, plan.teamToAgentId);
    const team = await tx
      .selectFrom('pharmaAgent')
      .select(['id', 'path'])
      .where('parentId', '=', agent.id)
      .where('state', '<>', 'LEFT')
      .orderBy('id')
      .execute();
    for (const member of team) {
      await hangUnder(ctx.tx, member, target);
      await publishAgent(ctx, member.id, ctx.today);
    }
  }
  const state = await moveState(ctx, handoverMachine, { ...place(seen), action: 'start', from: 'WAITING' });
  await tx
    .updateTable('pharmaAgentHandover')
    .set((eb) => ({ state, startedAt: ctx.now, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', handoverId)
    .execute();
  await recountHandover(ctx, handoverId);
}

/** What has not arrived yet, by the copies of doctors and channels. */
export async function missingOf(ctx: Pick<Acting, 'tx'>, row: Handover) {
  const plan = row.plan as FrozenPlan;
  const open = await belongingsOf(ownTx(ctx.tx), row.fromAgentId);
  const pairs = new Set(plan.doctors.map(pairKey));
  const channels = new Set(plan.channels.map((channel) => channel.channelId));
  return {
    doctors: open.doctors.filter((doctor) => pairs.has(pairKey(doctor))),
    channels: open.channels.filter((channel) => channels.has(channel.channelId)),
    /** Anything at all that the person still has. */
    left: open.doctors.length + open.channels.length + open.team.length,
    team: open.team,
  };
}

/** Brings the counters up to date; all full ends the hand-over, and with the reason LEAVE the person leaves. */
export async function recountHandover(ctx: Acting, handoverId: string): Promise<void> {
  const row = await handoverRecords.lock(ctx.tx, everyone, handoverId);
  if (row.state !== 'RUNNING') return;
  const tx = ownTx(ctx.tx);
  const missing = await missingOf(ctx, row);
  const { team, doctors, channels } = row.progress as HandoverProgress;
  const progress: HandoverProgress = {
    team: { total: team.total, done: Math.max(0, team.total - missing.team.length) },
    doctors: { total: doctors.total, done: doctors.total - missing.doctors.length },
    channels: { total: channels.total, done: channels.total - missing.channels.length },
  };
  const full =
    missing.doctors.length === 0 &&
    missing.channels.length === 0 &&
    (row.reason === 'LEAVE' ? missing.left === 0 : missing.team.length === 0);
  const state = full ? await moveState(ctx, handoverMachine, { ...place(row), action: 'finish', from: 'RUNNING' }) : 'RUNNING';
  await tx
    .updateTable('pharmaAgentHandover')
    .set((eb) => ({
      progress: JSON.stringify(progress),
      state,
      version: full ? eb('version', '+', 1) : eb.ref('version'),
      updatedAt: ctx.now,
    }))
    .where('id', '=', handoverId)
    .execute();
  if (full) await endAgentHandover(ctx, row.fromAgentId, row.reason === 'LEAVE');
}

/** The running hand-over of a person, after something of his was moved. */
export async function recountOf(ctx: Acting, agentId: string | null): Promise<void> {
  if (agentId === null) return;
  const running = await ownTx(ctx.tx)
    .selectFrom('pharmaAgentHandover')
    .select('id')
    .where('fromAgentId', '=', agentId)
    .where('state', '=', 'RUNNING')
    .executeTakeFirst();
  if (running) await recountHandover(ctx, running.id);
}

/** After 24 hours the maker is told what is missing, once. */
export async function remindOfHandover(ctx: Acting, kernel: Kernel, handoverId: string): Promise<void> {
  const row = await handoverRecords.lock(ctx.tx, everyone, handoverId);
  if (
    row.state !== 'RUNNING' ||
    row.remindedAt !== null ||
    row.startedAt === null ||
    row.startedAt > plusMs(ctx.now, -hours(24)) ||
    row.makerId === null
  )
    return;
  const missing = await missingOf(ctx, row);
  const names = [...missing.doctors.map((doctor) => doctor.doctorName), ...missing.channels.map((channel) => channel.name)];
  await kernel.ports.notices.addTodo(
    ctx.tx,
    {
      businessKey: `pharma.handover:${row.id}:missing`,
      title: `离岗交接${row.handoverNo}超过24小时未完成`,
      body: `未完成：${names.slice(0, 20).join('、')}${names.length > 20 ? `等${names.length}项` : ''}`,
      link: `/agentDetail?agentId=${row.fromAgentId}`,
      userIds: [row.makerId],
    },
    ctx.now,
  );
  await ownTx(ctx.tx).updateTable('pharmaAgentHandover').set({ remindedAt: ctx.now }).where('id', '=', handoverId).execute();
}
