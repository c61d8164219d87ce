import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';
import type { Answers } from '../../../contract/im/wire.ts';
import {
  type CustomPayload,
  type FilePayload,
  type MessagePayload,
  type MessageType,
  messageTypes,
  type TextPayload,
} from '../../../contract/im/types.ts';
import { wireOf, type ConvName } from './present.ts';
import { messageJson, nameColumns, type SentMessage } from './present.ts';

/** Letters as they are compared: width and case do not matter, white space neither. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, '');

/** All runs of two letters; a text is found where all runs of the keyword stand. */
export function gramsOf(text: string): string[] {
  const letters = [...foldText(text)];
  const grams = new Set<string>(letters.length === 1 ? letters : []);
  for (let at = 0; at + 1 < letters.length; at += 1) grams.add(`${letters[at]}${letters[at + 1]}`);
  return [...grams];
}

/** What of a message can be searched. */
export function searchTextOf(type: MessageType, payload: MessagePayload): string {
  if (type === messageTypes.TEXT) return (payload as TextPayload).text;
  if (type === messageTypes.FILE) return (payload as FilePayload).fileName;
  if (type === messageTypes.CUSTOM) return (payload as CustomPayload).description;
  return '';
}

const AROUND = 20;

/**
 * The part of a text around the first place of a keyword, with all its places in that part.
 * @returns null where the keyword does not stand as a whole.
 */
function highlight(text: string, keyword: string): { snippet: string; highlights: [from: number, to: number][] } | null {
  // Folding letter by letter keeps the way back to the places in the original.
  const letters: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const letter of text) {
    for (const folded of foldText(letter)) {
      letters.push(folded);
      places.push(at);
    }
    at += letter.length;
  }
  const wanted = [...foldText(keyword)];
  if (wanted.length === 0) return null;
  const found: [number, number][] = [];
  for (let index = 0; index + wanted.length <= letters.length; index += 1) {
    if (!wanted.every((letter, offset) => letters[index + offset] === letter)) continue;
    const last = places[index + wanted.length - 1] ?? 0;
    found.push([places[index] ?? 0, last + (text.codePointAt(last)! > 0xffff ? 2 : 1)]);
    index += wanted.length - 1;
  }
  const first = found[0];
  if (!first) return null;
  const from = Math.max(0, first[0] - AROUND);
  const to = Math.min(text.length, first[1] + AROUND * 2);
  const lead = from > 0 ? '…' : '';
  const snippet = `${lead}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  const highlights = found
    .filter(([, end]) => end <= to)
    .map(([start, end]): [number, number] => [start - from + lead.length, end - from + lead.length]);
  return { snippet, highlights };
}

const ROUND = 100;
const ROUNDS = 5;

export interface SearchWish {
  keyword: string;
  cursor?: string | undefined;
  limit: number;
  /** Groups that the reader may look into; null = those of `viewer`. */
  convIds: readonly string[] | null;
  /** Whoever watches looks into all groups. */
  everywhere?: boolean | undefined;
  senderKind?: string | undefined;
  type?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface Row extends ConvName {
  message: SentMessage;
}

/** Candidates are found by their two-letter runs, then compared as a whole: `胸闷气短` never finds `胸闷…气短`. */
async function candidates(
  db: Db,
  viewer: string,
  wish: SearchWish,
  after: { at: string; conv: string; seq: string } | null,
): Promise<Row[]> {
  const letters = [...foldText(wish.keyword)];
  const grams = gramsOf(wish.keyword);
  const { rows } = await sql<Row>`
    select ${nameColumns}, ${messageJson} as message
      from consultation_im_message m
      join consultation_im_conversation c on c.conv_id = m.conv_id
      left join consultation_im_user s on s.im_user_id = m.sender_id
     where m.revoked_at is null
       and ${
         wish.convIds === null
           ? sql`(
             ${wish.everywhere ? sql`c.group_id is not null or ` : sql``}exists (
               select 1
                 from consultation_im_member x
                 where x.conv_id = m.conv_id
                   and x.im_user_id = ${viewer}
                   and x.left_at is null
                   and m.seq > x.cleared_seq
                   and m.seq >= x.from_seq
             )
           )`
           : sql`m.conv_id = any(${wish.convIds}::bigint[])`
       }
       and ${
         letters.length > 1
           ? sql`m.search_tokens @> ${grams}::text[]`
           : sql`
             exists (select 1 from unnest(m.search_tokens) as token where strpos(token, ${letters[0] ?? ''}) > 0)`
       }
       and (${wish.senderKind ?? null}::text is null or left(m.sender_id, 1) = left(${wish.senderKind ?? null}::text, 1))
       and (${wish.type ?? null}::text is null or m.type = ${wish.type ?? null}::text)
       and (${wish.from ?? null}::timestamptz is null or m.sent_at >= ${wish.from ?? null}::timestamptz)
       and (${wish.to ?? null}::timestamptz is null or m.sent_at < ${wish.to ?? null}::timestamptz)
       and (
         ${after?.at ?? null}::timestamptz is null
         or (m.sent_at, m.conv_id, m.seq) < (
           ${after?.at ?? null}::timestamptz, ${after?.conv ?? null}::bigint, ${after?.seq ?? null}::bigint
         )
       )
     order by m.sent_at desc, m.conv_id desc, m.seq desc limit ${ROUND}`.execute(db);
  return rows;
}

/** Newest first; a single letter is looked for only within given conversations. */
export async function searchMessages(db: Db, viewer: string, wish: SearchWish): Promise<Answers['search']> {
  const hits: Answers['search']['hits'] = [];
  let after: { at: string; conv: string; seq: string } | null = null;
  if (wish.cursor) {
    const [at = '', conv = '', seq = ''] = wish.cursor.split('|');
    after = { at, conv, seq };
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows: Row[] = await candidates(db, viewer, wish, after);
    for (const row of rows) {
      const { message } = row;
      after = { at: message.sentAt, conv: message.convId, seq: message.seq };
      const found = highlight(searchTextOf(message.type, message.payload as MessagePayload), wish.keyword);
      if (found) hits.push({ message: wireOf(message, row, viewer, message), ...found });
      if (hits.length === wish.limit) return { hits, total: hits.length, nextCursor: `${after.at}|${after.conv}|${after.seq}` };
    }
    if (rows.length < ROUND) return { hits, total: hits.length, nextCursor: null };
  }
  return { hits, total: hits.length, nextCursor: after ? `${after.at}|${after.conv}|${after.seq}` : null };
}
