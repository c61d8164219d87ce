import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql } from 'kysely';
import { plusDays, type Day, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { Context, Writing } from '#kernel/server/context.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { vipChanged } from '#events/channel.ts';
import { auditChannelVip, changeChannelVipState } from '../../contract/calls/vips.ts';
import { vipStates } from '../../contract/states.ts';
import { vips } from '../access.ts';
import { ownTx } from '../database.ts';
import { requireNoOverlap, VIP_TARGET } from './save.ts';

type State = keyof typeof vipStates.states;
type Vip = Awaited<ReturnType<typeof vips.lock>>;

/** A move that the dates make, on the row's timeline as the system's. */
const moveByDate = (
  ctx: Writing,
  vip: Pick<Vip, 'id' | 'vipNo'>,
  action: 'activate' | 'expire',
  from: State,
  at: { now: Instant; traceId: string },
) => moveState(asSystem(ctx, at), vipStates, { targetType: VIP_TARGET, targetId: vip.id, targetNo: vip.vipNo, action, from });

const publish = (ctx: Writing, vip: Pick<Vip, 'id' | 'channelId' | 'level'>, state: string) =>
  ctx.publish(vipChanged, vip.id, { vipId: vip.id, channelId: vip.channelId, level: vip.level, state });

async function setState(
  ctx: Writing,
  vip: Pick<Vip, 'id' | 'channelId' | 'level'>,
  state: State,
  by: Parameters<typeof updatedColumns>[0],
  more: { endDate?: Day; checkerId?: string } = {},
): Promise<void> {
  await ownTx(ctx.tx)
    .updateTable('channelVip')
    .set((eb) => ({ ...more, state, version: eb('version', '+', 1), ...updatedColumns(by) }))
    .where('id', '=', vip.id)
    .execute();
  await publish(ctx, vip, state);
}

/**
 * Ends the row that a new one follows, the day before the new one starts, and hands over what was used and who belongs to it.
 * Runs before the new row becomes live, so that the two never overlap.
 */
async function replacePrevious(ctx: Writing & Pick<Context, 'now' | 'today' | 'traceId'>, vip: Vip): Promise<void> {
  if (vip.previousVipId === null) return;
  const previous = await ownTx(ctx.tx)
    .selectFrom('channelVip')
    .selectAll()
    .where('id', '=', vip.previousVipId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (['WAITING', 'ACTIVE', 'SUSPENDED'].includes(previous.state) && previous.endDate >= vip.startDate) {
    const state = vip.startDate <= ctx.today ? await moveByDate(ctx, previous, 'expire', previous.state, ctx) : previous.state;
    await setState(ctx, previous, state, { now: ctx.now, userId: null }, { endDate: plusDays(vip.startDate, -1) });
  }
  await sql`update channel_vip set used_fen = least(total_budget_fen, ${previous.usedFen}::bigint) where id = ${vip.id}`.execute(ctx.tx);
  await sql`
    insert into channel_vip_member (vip_id, patient_id, scan_id, joined_at)
      select ${vip.id}, patient_id, scan_id, joined_at
        from channel_vip_member
        where vip_id = ${previous.id}
        on conflict do nothing`.execute(ctx.tx);
}

/** 通过 and 驳回, by somebody other than the maker. */
export const auditVip = command(auditChannelVip, async ({ id, version, action, opinion }, ctx) => {
  const row = await vips.lockVersion(ctx, id, version, (seen) => seen);
  const moved = await moveState(ctx, vipStates, {
    targetType: VIP_TARGET,
    targetId: id,
    targetNo: row.vipNo,
    action,
    from: row.state,
    opinion,
    contributors: [row.makerId, row.createdBy],
  });
  let state: State = moved;
  if (action === 'approve') {
    await requireNoOverlap(ctx.tx, row);
    await replacePrevious(ctx, row);
    const due = row.endDate < ctx.today ? 'expire' : row.startDate <= ctx.today ? 'activate' : null;
    if (due !== null) state = await moveByDate(ctx, row, due, moved, ctx);
    ctx.target({ type: VIP_TARGET, id, no: row.vipNo });
  }
  await setState(ctx, row, state, ctx, { checkerId: ctx.staff.userId });
  return actionAnswer(ctx, vipStates, { id, state, version: version + 1 });
});

/** 暂停, 恢复, 终止. */
export const changeVipState = command(changeChannelVipState, async ({ id, version, action, opinion }, ctx) => {
  const row = await vips.lockVersion(ctx, id, version, (seen) => seen);
  const state = await moveState(ctx, vipStates, {
    targetType: VIP_TARGET,
    targetId: id,
    targetNo: row.vipNo,
    action,
    from: row.state,
    opinion,
  });
  await setState(ctx, row, state, ctx);
  return actionAnswer(ctx, vipStates, { id, state, version: version + 1 });
});

/** What the dates decide: waiting rows start, past ones end. */
export async function activateDueVips(ctx: Writing, at: { now: Instant; traceId: string }, today: Day): Promise<void> {
  const due = await ownTx(ctx.tx)
    .selectFrom('channelVip')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'WAITING'), eb('startDate', '<=', today)]),
        eb.and([eb('state', 'in', ['WAITING', 'ACTIVE', 'SUSPENDED']), eb('endDate', '<', today)]),
      ]),
    )
    // Ended rows first: a follower may start on the very day.
    .orderBy('endDate')
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const row of due) {
    await setState(ctx, row, await moveByDate(ctx, row, row.endDate < today ? 'expire' : 'activate', row.state, at), {
      now: at.now,
      userId: null,
    });
  }
}
