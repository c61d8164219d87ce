import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import { UNREAD_CAP } from '../../../contract/im/limits.ts';
import type { RemindType } from '../../../contract/im/types.ts';
import type { WireConversation } from '../../../contract/im/wire.ts';
import { conversationIdFor, wireOf, type ConvName } from '../messages/present.ts';
import { nameColumns, unreadCount, type SentMessage } from '../messages/present.ts';

interface Row extends ConvName {
  asOf: string;
  name: string | null;
  lastSeq: string;
  createdAt: string;
  orderedAt: string;
  dissolvedAt: string | null;
  readSeq: string;
  clearedSeq: string;
  isMarked: boolean;
  isPinned: boolean;
  remindType: RemindType;
  draftText: string;
  memberCount: number;
  unreadCount: number;
  isMentioned: boolean;
  lastMessage: SentMessage | null;
  peerId: string | null;
  peerNick: string | null;
  peerAvatar: string | null;
}

const present = (row: Row, viewer: string): WireConversation => ({
  conversationID: conversationIdFor(row, viewer),
  asOf: Number(row.asOf),
  name: row.name ?? row.peerNick ?? '',
  memberCount: row.memberCount,
  createTime: Math.floor(Date.parse(row.createdAt) / 1000),
  lastSeq: Number(row.lastSeq),
  readSeq: Number(row.readSeq),
  clearedSeq: Number(row.clearedSeq),
  unreadCount: row.unreadCount,
  isMarked: row.isMarked,
  isPinned: row.isPinned,
  remindType: row.remindType,
  draftText: row.draftText,
  isDissolved: row.dissolvedAt !== null,
  isMentioned: row.isMentioned,
  lastMessage: row.lastMessage && wireOf(row.lastMessage, row, viewer, row.lastMessage),
  peer: row.peerId === null ? null : { userID: row.peerId, nick: row.peerNick ?? '', avatar: row.peerAvatar ?? '' },
});

/**
 * A user's conversations, newest first, with the number of the last event that they hold: one statement, so one moment.
 * @param only one conversation, also a hidden one.
 */
export async function listConversations(
  db: Db,
  viewer: string,
  wish: { only?: string; cursor?: string; limit: number },
): Promise<{ conversations: WireConversation[]; nextCursor: string | null }> {
  const [at, id] = wish.cursor?.split('|') ?? [];
  const { rows } = await sql<Row>`
    select u.last_event_seq as as_of, ${nameColumns}, c.name, c.last_seq, c.created_at,
        coalesce(c.last_message_at, c.created_at) as ordered_at, c.dissolved_at, m.read_seq, m.cleared_seq, m.is_marked, m.is_pinned,
        m.remind_type, m.draft_text,
        (select count(*)::int from consultation_im_member x where x.conv_id = c.conv_id and x.left_at is null) as member_count,
        ${unreadCount(viewer, UNREAD_CAP)} as unread_count,
        exists (
          select 1
            from (
              select at_user_list
                from consultation_im_message x
                where x.conv_id = c.conv_id and x.seq > greatest(m.read_seq, m.cleared_seq) and x.revoked_at is null
                order by x.seq desc limit 200
            ) as recent
            where ${viewer} = any(at_user_list)
        ) as is_mentioned,
        last.message as last_message, p.im_user_id as peer_id, p.nick as peer_nick, p.avatar as peer_avatar
      from consultation_im_user u
      join consultation_im_member m on m.im_user_id = u.im_user_id and m.left_at is null
      join consultation_im_conversation c on c.conv_id = m.conv_id
      left join consultation_im_user p on c.type = 'C2C'
        and p.im_user_id = case when c.user_low = ${viewer} then c.user_high else c.user_low end
      left join lateral (${lastMessage}) as last on true
      where u.im_user_id = ${viewer}
        and (${wish.only ?? null}::bigint is null or c.conv_id = ${wish.only ?? null}::bigint)
        and (${wish.only ?? null}::bigint is not null or m.cleared_seq < c.last_seq or m.cleared_seq = 0)
        and (
          ${at ?? null}::timestamptz is null
          or (coalesce(c.last_message_at, c.created_at), c.conv_id) < (${at ?? null}::timestamptz, ${id ?? null}::bigint)
        )
      order by coalesce(c.last_message_at, c.created_at) desc, c.conv_id desc limit ${wish.limit + 1}`.execute(db);
  const page = rows.slice(0, wish.limit);
  const end = page.at(-1);
  return {
    conversations: page.map((row) => present(row, viewer)),
    nextCursor: rows.length > wish.limit && end ? `${end.orderedAt}|${end.convId}` : null,
  };
}

const lastMessage = sql`
  select jsonb_build_object(
    'convId', x.conv_id::text, 'seq', x.seq::text, 'senderId', x.sender_id, 'clientMsgId', x.client_msg_id, 'vendorId', x.vendor_id, 'type',
    x.type, 'payload', x.payload, 'cloudCustomData', x.cloud_custom_data, 'atUserList', x.at_user_list, 'quoteSeq', x.quote_seq::text,
    'needReadReceipt', x.need_read_receipt, 'countsUnread', x.counts_unread, 'auto', x.auto, 'sentAt', x.sent_at, 'modifyVersion',
    x.modify_version, 'revokedAt', x.revoked_at, 'revokedBy', x.revoked_by, 'revokeReason', x.revoke_reason, 'nick',
    coalesce(s.nick, '系统消息'), 'avatar', coalesce(s.avatar, '')
  ) as message
    from consultation_im_message x
    left join consultation_im_user s on s.im_user_id = x.sender_id
    where x.conv_id = c.conv_id and x.seq = c.last_seq and x.seq > m.cleared_seq`;
