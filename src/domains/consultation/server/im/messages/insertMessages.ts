import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { LockedConversation, LockedUser, MemberRow } from '../conversations/conversations.ts';
import { payloadHash, type Send } from './sending.ts';
import { gramsOf, searchTextOf } from './searching.ts';

/** A send that got its number. */
export interface Numbered {
  send: Send;
  seq: number;
  riskHit: string[];
}

const column = <T>(items: readonly Numbered[], of: (item: Numbered) => T): T[] => items.map(of);

/**
 * Writes messages, the counters of their conversations and accounts, and one event for each member, in one statement.
 * @returns how many messages were written: fewer than given when one of them was stored before.
 */
export async function insertMessages(
  tx: Tx,
  items: readonly Numbered[],
  conversations: readonly LockedConversation[],
  users: readonly LockedUser[],
  events: readonly { to: MemberRow; n: number; convId: string; seq: number }[],
  now: Instant,
): Promise<number> {
  // Whoever wrote nothing keeps his counter of the rate.
  const senders = new Set(items.map(({ send }) => send.senderId));
  const { rows } = await sql<{ written: number }>`
    with written as (
      insert into consultation_im_message (
        conv_id, seq, sender_id, client_msg_id, type, payload, payload_hash, cloud_custom_data, at_user_list, quote_seq, need_read_receipt,
        counts_unread, auto, source_ref, sent_at, search_tokens, risk_hit
      )
        select v.conv, v.seq, v.sender, v.client, v.type, v.payload::jsonb, v.hash, v.custom, string_to_array(v.mentions, ' '), v.quote,
            v.receipt, v.counts, v.auto, v.source, ${now}::timestamptz, string_to_array(v.tokens, ' '), string_to_array(v.risk, ' ')
          from unnest(
            ${column(items, ({ send }) => send.convId)}::bigint[], ${column(items, ({ seq }) => seq)}::bigint[],
            ${column(items, ({ send }) => send.senderId)}::text[], ${column(items, ({ send }) => send.clientMsgId)}::text[],
            ${column(items, ({ send }) => send.type)}::text[], ${column(items, ({ send }) => JSON.stringify(send.payload))}::text[],
            ${column(items, ({ send }) => payloadHash(send))}::text[], ${column(items, ({ send }) => send.cloudCustomData)}::text[],
            ${column(items, ({ send }) => send.atUserList.join(' '))}::text[], ${column(items, ({ send }) => send.quoteSeq)}::bigint[],
            ${column(items, ({ send }) => send.needReadReceipt)}::boolean[], ${column(items, ({ send }) => send.countsUnread)}::boolean[],
            ${column(items, ({ send }) => send.origin !== 'HUMAN')}::boolean[], ${column(items, ({ send }) => send.sourceRef)}::text[],
            ${column(items, ({ send }) => gramsOf(searchTextOf(send.type, send.payload)).join(' '))}::text[],
            ${column(items, ({ riskHit }) => (riskHit.length > 0 ? riskHit.join(' ') : null))}::text[]
          ) as v (conv, seq, sender, client, type, payload, hash, custom, mentions, quote, receipt, counts, auto, source, tokens, risk)
          on conflict (conv_id, sender_id, client_msg_id) do nothing
          returning 1
    ),
    conversation as (
      update consultation_im_conversation c
        set last_seq = v.seq, last_message_at = ${now}::timestamptz, recent_sends = string_to_array(v.recent, ',')::bigint[],
          recent_engine_sends = string_to_array(v.engine, ',')::bigint[]
        from unnest(
          ${conversations.map(({ convId }) => convId)}::bigint[], ${conversations.map(({ lastSeq }) => lastSeq)}::bigint[],
          ${conversations.map(({ recentSends }) => recentSends.join(','))}::text[],
          ${conversations.map(({ recentEngineSends }) => recentEngineSends.join(','))}::text[]
        ) as v (id, seq, recent, engine)
        where c.conv_id = v.id
        returning 1
    ),
    counted as (
      update consultation_im_user u
        set last_event_seq = v.n, recent_sends = coalesce(string_to_array(v.recent, ',')::bigint[], u.recent_sends)
        from unnest(
          ${users.map(({ imUserId }) => imUserId)}::text[], ${users.map(({ lastEventSeq }) => lastEventSeq)}::bigint[],
          ${users.map(({ imUserId, recentSends }) => (senders.has(imUserId) ? recentSends.join(',') : null))}::text[]
        ) as v (id, n, recent)
        where u.im_user_id = v.id
        returning 1
    ),
    logged as (
      insert into consultation_im_event (im_user_id, event_seq, day, type, conv_id, seq, at)
        select v.id, v.n, ${dayOf(now)}::date, 'msg', v.conv, v.seq, ${now}::timestamptz
          from unnest(
            ${events.map(({ to }) => to.imUserId)}::text[], ${events.map(({ n }) => n)}::bigint[],
            ${events.map(({ convId }) => convId)}::bigint[], ${events.map(({ seq }) => seq)}::bigint[]
          ) as v (id, n, conv, seq)
    )
    select count(*)::int as written
      from written`.execute(tx);
  return rows[0]!.written;
}

export interface Earlier {
  convId: string;
  senderId: string;
  clientMsgId: string;
  seq: string;
  sentAt: string;
  payloadHash: string;
}

/** Messages that were stored before under these ids. */
export async function findEarlier(tx: Tx, sends: readonly Send[]): Promise<Map<string, Earlier>> {
  if (sends.length === 0) return new Map();
  const { rows } = await sql<Earlier>`
    select m.conv_id, m.sender_id, m.client_msg_id, m.seq, m.sent_at, m.payload_hash
      from unnest(
        ${sends.map(({ convId }) => convId)}::bigint[], ${sends.map(({ senderId }) => senderId)}::text[],
        ${sends.map(({ clientMsgId }) => clientMsgId)}::text[]
      ) as v (conv, sender, client)
      join consultation_im_message m on m.conv_id = v.conv and m.sender_id = v.sender and m.client_msg_id = v.client`.execute(tx);
  return new Map(rows.map((row) => [sendKey(row), row]));
}

export const sendKey = ({ convId, senderId, clientMsgId }: Pick<Send, 'convId' | 'senderId' | 'clientMsgId'>): string =>
  `${convId}|${senderId}|${clientMsgId}`;
