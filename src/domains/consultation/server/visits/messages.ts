import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { VisitMessage } from '../../contract/calls/visits.ts';
import { roleOf } from '../../contract/im/ids.ts';
import {
  messageTypes,
  type AudioPayload,
  type FilePayload,
  type MessagePayload,
  type MessageType,
  type TipPayload,
} from '../../contract/im/types.ts';
import { own } from '../database.ts';
import { foldText, gramsOf, searchTextOf } from '../im/messages/searching.ts';
import type { InquiryRow } from '../inquiries/rows.ts';

/** The stretch of the conversation that belongs to an inquiry; open at the end while it runs. */
export interface Stretch {
  convId: string;
  from: number;
  to: number;
}
export async function stretchOf(db: Db | Tx, inquiry: Pick<InquiryRow, 'groupId' | 'startSeq' | 'endSeq'>): Promise<Stretch | null> {
  if (inquiry.groupId === null || inquiry.startSeq === null) return null;
  const group = await own(db)
    .selectFrom('consultationMedicalGroup')
    .select('convId')
    .where('groupId', '=', inquiry.groupId)
    .executeTakeFirst();
  return group
    ? {
        convId: group.convId,
        from: Number(inquiry.startSeq),
        to: inquiry.endSeq === null ? Number.MAX_SAFE_INTEGER : Number(inquiry.endSeq),
      }
    : null;
}

const LABELS: Readonly<Partial<Record<MessageType, string>>> = {
  [messageTypes.IMAGE]: '[图片]',
  [messageTypes.AUDIO]: '[语音]',
  [messageTypes.VIDEO]: '[视频]',
};

/** What can be read of a message without its file. */
export function readableText(type: MessageType, payload: MessagePayload): string {
  if (type === messageTypes.TIP) return (payload as TipPayload).text ?? '';
  return LABELS[type] ?? searchTextOf(type, payload);
}
const fileOf = (payload: unknown): string | null =>
  typeof payload === 'object' && payload !== null && 'fileId' in payload ? String((payload as FilePayload).fileId) : null;
export const contentOf = (type: string, payload: unknown) => ({
  text: readableText(type as MessageType, payload as MessagePayload),
  fileId: fileOf(payload),
});

interface Row {
  seq: string;
  senderId: string;
  type: string;
  payload: unknown;
  sentAt: string;
  auto: boolean;
  revokedAt: string | null;
  revokeReason: string | null;
  nick: string | null;
  hasOriginal: boolean;
}

function present(row: Row): VisitMessage {
  const isRevoked = row.revokedAt !== null;
  const { text, fileId } = isRevoked ? { text: '', fileId: null } : contentOf(row.type, row.payload);
  return {
    seq: Number(row.seq),
    at: row.sentAt,
    from: row.senderId,
    nick: row.nick ?? '系统消息',
    role: roleOf(row.senderId),
    type: row.type,
    text,
    fileId,
    second: row.type === messageTypes.AUDIO && !isRevoked ? ((row.payload as AudioPayload).second ?? null) : null,
    auto: row.auto,
    isRevoked,
    revokeReason: row.revokeReason,
    hasOriginal: row.hasOriginal,
  };
}

export interface MessageWish {
  afterSeq?: number | undefined;
  beforeSeq?: number | undefined;
  keyword?: string | undefined;
  pageSize: number;
}

/** A page of the stretch, oldest first: from the start, after or before a place; with a keyword only what holds it. */
export async function messagesOf(
  db: Db | Tx,
  stretch: Stretch,
  wish: MessageWish,
): Promise<{ messages: VisitMessage[]; isCompleted: boolean }> {
  const after = Math.max(stretch.from - 1, wish.afterSeq ?? 0);
  const before = Math.min(stretch.to + 1, wish.beforeSeq ?? Number.MAX_SAFE_INTEGER);
  const backwards = wish.beforeSeq !== undefined && wish.afterSeq === undefined;
  const keyword = wish.keyword?.trim() ?? '';
  const found = keyword === '' ? sql`true` : sql`m.revoked_at is null and m.search_tokens @> ${gramsOf(keyword)}::text[]`;
  const { rows } = await sql<Row>`
    select m.seq, m.sender_id, m.type, m.payload, m.sent_at, m.auto, m.revoked_at, m.revoke_reason, s.nick,
      exists (select from consultation_im_message_original o where o.conv_id = m.conv_id and o.seq = m.seq) as has_original
      from consultation_im_message m left join consultation_im_user s on s.im_user_id = m.sender_id
     where m.conv_id = ${stretch.convId}::bigint and m.seq > ${after} and m.seq < ${before} and ${found}
     order by m.seq ${backwards ? sql`desc` : sql`asc`} limit ${wish.pageSize}`.execute(db);
  const page = backwards ? rows.toReversed() : rows;
  const messages = page.map(present);
  return {
    messages: keyword === '' ? messages : messages.filter(({ text }) => foldText(text).includes(foldText(keyword))),
    isCompleted: rows.length < wish.pageSize,
  };
}

/** What a message said before it was recalled or changed. @throws Refusal SCM90040 outside the inquiry. */
export async function originalsOf(tx: Tx, stretch: Stretch, seq: number) {
  if (seq < stretch.from || seq > stretch.to) throw refuse(platformErrors.NOT_FOUND);
  const rows = await own(tx)
    .selectFrom('consultationImMessageOriginal as o')
    .innerJoin('consultationImMessage as m', (join) => join.onRef('m.convId', '=', 'o.convId').onRef('m.seq', '=', 'o.seq'))
    .leftJoin('consultationImUser as u', 'u.imUserId', 'o.by')
    .select(['m.type', 'o.payload', 'o.at', 'o.reason', 'o.by', 'u.nick'])
    .where('o.convId', '=', stretch.convId)
    .where('o.seq', '=', String(seq))
    .orderBy('o.modifyVersion')
    .execute();
  if (rows.length === 0) throw refuse(platformErrors.NOT_FOUND);
  return rows.map(({ type, payload, at, reason, by, nick }) => ({ ...contentOf(type, payload), byName: nick ?? by, at, reason }));
}
