import { sql } from 'kysely';
import { objectType } from '#kernel/server/objectTypes.ts';
import { seesChannel } from '../access.ts';

/** Channels that carry marks. */
export const channelObjects = objectType({
  code: 'CHANNEL',
  seen: (viewer) => sql`select c.id, c.channel_no as no, c.name from channel_channel c where ${seesChannel(viewer)}`,
  link: ({ id }) => ({ path: '/channelManagement', search: { channelId: id } }),
});
