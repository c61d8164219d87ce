import { sql, type RawBuilder } from 'kysely';
import type { ConvName, MessageRow } from './present.ts';

/** A message of alias `m` as one JSON value, with its sender of alias `s`; null where there is none. */
export const messageJson: RawBuilder<SentMessage | null> = sql`
  case
    when m.conv_id is null then null
    else jsonb_build_object(
      'convId', m.conv_id::text, 'seq', m.seq::text, 'senderId', m.sender_id, 'clientMsgId', m.client_msg_id, 'vendorId', m.vendor_id,
      'type', m.type, 'payload', m.payload, 'cloudCustomData', m.cloud_custom_data, 'atUserList', m.at_user_list, 'quoteSeq',
      m.quote_seq::text, 'needReadReceipt', m.need_read_receipt, 'countsUnread', m.counts_unread, 'auto', m.auto, 'sentAt', m.sent_at,
      'modifyVersion', m.modify_version, 'revokedAt', m.revoked_at, 'revokedBy', m.revoked_by, 'revokeReason', m.revoke_reason, 'nick',
      coalesce(s.nick, '系统消息'), 'avatar', coalesce(s.avatar, '')
    )
  end`;

export interface SentMessage extends MessageRow {
  nick: string;
  avatar: string;
}

/** Unread messages of member `m` in conversation `c`, as far as they are counted. */
export const unreadCount = (viewer: string, cap: number): RawBuilder<number> => sql`
  (
    select count(*)::int
      from (
        select 1
          from consultation_im_message x
          where x.conv_id = c.conv_id
            and x.seq > greatest(m.read_seq, m.cleared_seq)
            and x.seq <= c.last_seq
            and x.sender_id <> ${viewer}
            and x.revoked_at is null
            and x.counts_unread
          limit ${cap}
      ) as counted
  )`;

/** Columns of a conversation's name, of alias `c`. */
export const nameColumns = sql`c.conv_id, c.group_id, c.user_low, c.user_high`;
export type NameRow = ConvName;
