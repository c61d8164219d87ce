import { sql } from 'kysely';
import { days, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import { channelChanged } from '#events/channel.ts';
import { ownTx } from '../database.ts';

const SCANS_OF_MS = days(30);

/** Tells the other domains of a channel as it stands now. */
export async function publishChannel(ctx: Writing, id: string, now: Instant, deleted = false): Promise<void> {
  const row = await ownTx(ctx.tx)
    .selectFrom('channelChannel as c')
    .select(['c.channelNo', 'c.name', 'c.channelType', 'c.agentId', 'c.companyId', 'c.state'])
    .select(
      sql<number>`(
        select count(*)::int
          from channel_qr_scan s
          where s.channel_id = c.id and s.counted and s.at >= ${plusMs(now, -SCANS_OF_MS)}::timestamptz
      )`.as('scans30'),
    )
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow();
  await ctx.publish(channelChanged, id, {
    channelId: id,
    ...row,
    state: deleted ? 'DELETED' : row.state,
  });
}
