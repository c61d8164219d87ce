import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import type { ChannelType } from '../../contract/dictionaries.ts';
import type { ChannelFields } from '../../contract/calls/channels.ts';
import { publishChannel } from './changed.ts';

export type NewChannel = Pick<ChannelFields, 'name' | 'startDate'> &
  Partial<ChannelFields> & {
    channelType: ChannelType;
    /** The channel it hangs below. */
    parent: { id: string; path: readonly (string | number)[]; depth: number } | null;
  };

/** Writes a channel and tells the others of it: the only place that names what a new one consists of beside its fields. */
export async function insertChannel(
  ctx: Writing,
  { parent, ...fields }: NewChannel,
  stamp: { now: Instant; userId: string | null },
): Promise<{ id: string; channelNo: string }> {
  const channelNo = await nextNumber(ctx.tx, 'QD', dayOf(stamp.now));
  // The path holds the own id, so that is drawn first.
  const { rows } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('channel_channel', 'id'))::text as id`.execute(ctx.tx);
  const { id } = rows[0]!;
  const path = [...(parent?.path ?? []), id].map(String);
  const row = {
    id,
    channelNo,
    parentId: parent?.id ?? null,
    path,
    depth: path.length,
    ...fields,
    ...createdColumns(stamp),
  };
  const given = Object.entries(row).filter(([, value]) => value !== undefined);
  await sql`
    insert into channel_channel (${sql.join(given.map(([column]) => sql.ref(column)))}) overriding system value
    values (${sql.join(given.map(([, value]) => value))})`.execute(ctx.tx);
  await publishChannel(ctx, id, stamp.now);
  return { id, channelNo };
}
