import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { scopeFilter, scopedResource, unscoped } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from './database.ts';

export type { Viewer };

const rest = scopedResource({ region: { column: 'c.adcode' }, insurer: 'free', channel: 'free', own: { columns: ['c.created_by'] } });

/**
 * What somebody sees of channels (alias `c`) and of everything that hangs on one: a channel of his scope or one below it,
 * its region, and of insurers' channels those of his insurers.
 */
export function seesChannel({ userId, scope }: Viewer): RawBuilder<SqlBool> {
  const tree = scope.channel === null ? sql<SqlBool>`true` : sql<SqlBool>`c.path && ${[...scope.channel]}::bigint[]`;
  const insurer =
    scope.insurer === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(c.channel_type <> 'INSURER' or c.owner_id::text = any(${[...scope.insurer]}::text[]))`;
  return sql<SqlBool>`(${scopeFilter(rest, { userId, scope })} and ${tree} and ${insurer})`;
}

/**
 * What somebody sees of WeChat Work members (alias `m`): of his channels those who stand behind a live code or were added through
 * one; OWN means the member bound to the user.
 */
export function seesMember(viewer: Viewer): RawBuilder<SqlBool> {
  const { own: mine, channel, region, insurer } = viewer.scope;
  const bound = mine ? sql<SqlBool>`m.staff_user_id = ${viewer.userId}` : sql<SqlBool>`true`;
  if (channel === null && region === null && insurer === null) return bound;
  const within = seesChannel({ ...viewer, scope: { ...viewer.scope, own: false } });
  return sql<SqlBool>`(
    ${bound}
    and (
      exists (
        select from channel_live_code_member b
          join channel_live_code l on l.id = b.live_code_id and l.state <> 'DELETED'
          join channel_channel c on c.id = l.channel_id
          where b.member_id = m.id and not b.removed and ${within}
      )
      or exists (
        select from channel_wecom_contact t
          join channel_live_code l on l.id = t.live_code_id
          join channel_channel c on c.id = l.channel_id
          where t.member_id = m.id and ${within}
      )
    )
  )`;
}

/** Channels within the scope. */
export const channels = recordOf((db) => own(db).selectFrom('channelChannel as c').selectAll('c')).with({
  type: 'channel.channel',
  id: 'c.id',
  scope: seesChannel,
});

// What hangs on a channel is seen by who sees the channel; a lock of it leaves the channel free.

export const codes = recordOf((db) =>
  own(db).selectFrom('channelQrCode as q').innerJoin('channelChannel as c', 'c.id', 'q.channelId').selectAll('q'),
).with({ type: 'channel.code', id: 'q.id', scope: seesChannel, locks: 'q' });

export const batches = recordOf((db) =>
  own(db).selectFrom('channelQrBatch as b').innerJoin('channelChannel as c', 'c.id', 'b.channelId').selectAll('b'),
).with({ type: 'channel.batch', id: 'b.id', scope: seesChannel, locks: 'b' });

export const vips = recordOf((db) =>
  own(db).selectFrom('channelVip as v').innerJoin('channelChannel as c', 'c.id', 'v.channelId').selectAll('v'),
).with({ type: 'channel.vip', id: 'v.id', scope: seesChannel, locks: 'v' });

export const sceneCodes = recordOf((db) =>
  own(db).selectFrom('channelSceneCode as s').innerJoin('channelChannel as c', 'c.id', 's.channelId').selectAll('s'),
).with({ type: 'channel.sceneCode', id: 's.id', scope: seesChannel, locks: 's' });

export const liveCodes = recordOf((db) =>
  own(db)
    .selectFrom('channelLiveCode as l')
    .innerJoin('channelChannel as c', 'c.id', 'l.channelId')
    .selectAll('l')
    .where('l.state', '<>', 'DELETED'),
).with({ type: 'channel.liveCode', id: 'l.id', scope: seesChannel, locks: 'l' });

export const members = recordOf((db) => own(db).selectFrom('channelWecomMember as m').selectAll('m')).with({
  type: 'channel.wecomMember',
  id: 'm.id',
  scope: seesMember,
});

export const corps = recordOf((db) => own(db).selectFrom('channelWecomCorp as k').selectAll('k')).with({
  type: 'channel.wecomCorp',
  id: 'k.id',
  scope: unscoped,
});

export const codeHosts = recordOf((db) => own(db).selectFrom('channelCodeHost as h').selectAll('h')).with({
  type: 'channel.codeHost',
  id: 'h.id',
  scope: unscoped,
});
