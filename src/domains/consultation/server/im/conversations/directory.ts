import { sql } from 'kysely';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { userRoles, type UserRole } from '../../../contract/dictionaries.ts';
import type { ImMember, ImProfile } from '../../../contract/im/types.ts';
import type { Answers } from '../../../contract/im/wire.ts';
import { own, ownTx } from '../../database.ts';
import { appendEvents } from '../sockets/events.ts';
import type { Hub } from '../sockets/hub.ts';
import type { ConvName } from '../messages/present.ts';
import { lockUsers } from './conversations.ts';

const seconds = (at: string | null): number => (at === null ? 0 : Math.floor(Date.parse(at) / 1000));

/** Members in the order in which they came. */
export async function listMembers(
  db: Db,
  conv: ConvName,
  wish: { count: number; offset: number; userIDs?: readonly string[] | undefined },
): Promise<Answers['members']> {
  interface Row {
    imUserId: string;
    nick: string;
    avatar: string | null;
    joinTime: string;
    muteUntil: string | null;
    readSeq: string;
    userRole: UserRole;
    total: number;
  }
  const { rows } = await sql<Row>`
    select m.im_user_id, u.nick, u.avatar, m.join_time, m.mute_until, m.read_seq, m.user_role, count(*) over ()::int as total
      from consultation_im_member m join consultation_im_user u on u.im_user_id = m.im_user_id
     where m.conv_id = ${conv.convId}::bigint
       and m.left_at is null
       and (${wish.userIDs ?? null}::text[] is null or m.im_user_id = any(${wish.userIDs ?? null}::text[]))
     order by m.join_time, m.im_user_id limit ${wish.count} offset ${wish.offset}`.execute(db);
  const members = rows.map((row): ImMember => ({
    userID: row.imUserId,
    nick: row.nick,
    avatar: row.avatar ?? '',
    joinTime: seconds(row.joinTime),
    muteUntil: seconds(row.muteUntil),
    readSeq: Number(row.readSeq),
    memberCustomField: [{ key: 'userRole', value: userRoles.label(row.userRole) as '医生' | '医助' | '患者' }],
  }));
  return { members, total: rows[0]?.total ?? 0 };
}

export async function readGroup(db: Db, conv: ConvName): Promise<Answers['group']> {
  const { rows } = await sql<{ name: string | null; lastSeq: string; createdAt: string; dissolvedAt: string | null; memberCount: number }>`
    select c.name, c.last_seq, c.created_at, c.dissolved_at,
      (select count(*)::int from consultation_im_member m where m.conv_id = c.conv_id and m.left_at is null) as member_count
    from consultation_im_conversation c where c.conv_id = ${conv.convId}::bigint`.execute(db);
  const row = rows[0]!;
  return {
    groupID: conv.groupId ?? '',
    name: row.name ?? '',
    memberCount: row.memberCount,
    lastSeq: Number(row.lastSeq),
    createTime: seconds(row.createdAt),
    isDissolved: row.dissolvedAt !== null,
  };
}

export async function readProfiles(db: Db, ids: readonly string[]): Promise<ImProfile[]> {
  if (ids.length === 0) return [];
  const rows = await own(db)
    .selectFrom('consultationImUser')
    .select(['imUserId', 'nick', 'avatar'])
    .where('imUserId', 'in', [...ids])
    .execute();
  return rows.map(({ imUserId, nick, avatar }) => ({ userID: imUserId, nick, avatar: avatar ?? '' }));
}

const blacklistOf = async (db: Db | Tx, viewer: string): Promise<string[]> => {
  const rows = await own(db)
    .selectFrom('consultationImBlacklist')
    .select('blockedId')
    .where('ownerId', '=', viewer)
    .orderBy('at')
    .orderBy('blockedId')
    .execute();
  return rows.map(({ blockedId }) => blockedId);
};

/** Changes who may write and call to this user; without a change only answers the list. */
export async function changeBlacklist(
  writing: Writing,
  hub: Hub,
  viewer: string,
  wish: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
  now: Instant,
): Promise<string[]> {
  const { tx } = writing;
  if (!wish.add?.length && !wish.remove?.length) return blacklistOf(tx, viewer);
  const users = await lockUsers(tx, [viewer]);
  const added = (wish.add ?? []).filter((id) => id !== viewer);
  if (added.length > 0) {
    await sql`
      insert into consultation_im_blacklist (owner_id, blocked_id, at)
        select ${viewer}, u.im_user_id, ${now}::timestamptz
          from consultation_im_user u
          where u.im_user_id = any(${added}::text[])
          on conflict do nothing`.execute(tx);
  }
  if (wish.remove?.length)
    await ownTx(tx)
      .deleteFrom('consultationImBlacklist')
      .where('ownerId', '=', viewer)
      .where('blockedId', 'in', [...wish.remove])
      .execute();
  const list = await blacklistOf(tx, viewer);
  const deliveries = await appendEvents(tx, [{ to: viewer, event: { type: 'blacklist', list } }], now, users);
  writing.afterCommit(() => hub.deliver({ messages: [], deliveries }));
  return list;
}
