import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { publishChannel } from '../channels/changed.ts';

/** Keeps a hand-over until its day; scans already recorded keep their agent. */
export async function keepHandover(
  ctx: Writing,
  handover: { handoverNo: string; fromAgentId: string; toAgentId: string; channelIds: readonly string[]; effectiveOn: string },
): Promise<void> {
  await sql`
    insert into channel_handover (handover_no, from_agent_id, to_agent_id, channel_ids, effective_on)
      values (
        ${handover.handoverNo}, ${handover.fromAgentId}, ${handover.toAgentId}, ${[...handover.channelIds]}::bigint[],
        ${handover.effectiveOn}
      )
      on conflict do nothing`.execute(ctx.tx);
}

/** Moves the channels of every hand-over whose day has come. */
export async function applyHandovers(ctx: Writing, now: Instant): Promise<void> {
  const { rows } = await sql<{ id: string; fromAgentId: string; toAgentId: string; channelIds: string[] }>`
    select id, from_agent_id, to_agent_id, channel_ids::text[] as channel_ids
      from channel_handover
      where applied_at is null and effective_on <= ${dayOf(now)}::date
      order by id for update`.execute(ctx.tx);
  for (const { id, fromAgentId, toAgentId, channelIds } of rows) {
    const moved = await sql<{ id: string }>`
      update channel_channel
        set agent_id = ${toAgentId}, version = version + 1, updated_at = ${now}
        where id = any(${channelIds}::bigint[]) and agent_id = ${fromAgentId}
        returning id`.execute(ctx.tx);
    for (const channel of moved.rows) await publishChannel(ctx, channel.id, now);
    await sql`update channel_handover set applied_at = ${now} where id = ${id}`.execute(ctx.tx);
  }
}
