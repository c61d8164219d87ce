import { messageTypes, type ImMessage } from '../../../../contract/im/types.ts';
import type { NoteRow } from '../facts.ts';

/** What stands between the head of the chat and its composer, from top to bottom. */
export type TimelineItem =
  | { kind: 'divider'; key: string; at: number }
  | { kind: 'tip'; key: string; message: ImMessage }
  | { kind: 'message'; key: string; message: ImMessage }
  | { kind: 'note'; key: string; note: NoteRow };

const DIVIDER_SEC = 5 * 60;

/** The same before and after the message is stored. */
export const keyOf = (message: Pick<ImMessage, 'from' | 'clientMsgId' | 'ID'>): string =>
  `${message.from}:${message.clientMsgId || message.ID}`;

/** By seq alone, never by time; what is not stored yet stands behind, in the order in which it was written. */
const inOrder = (messages: readonly ImMessage[]): ImMessage[] => {
  const stored = messages.filter(({ sequence }) => sequence > 0).toSorted((a, b) => a.sequence - b.sequence);
  return [...stored, ...messages.filter(({ sequence }) => sequence === 0)];
};

/** Puts messages into those that are there: known ones are replaced, others join. */
export function merged(known: readonly ImMessage[], fresh: readonly ImMessage[]): ImMessage[] {
  const byKey = new Map(known.map((message) => [keyOf(message), message]));
  for (const message of fresh) byKey.set(keyOf(message), { ...message });
  return inOrder([...byKey.values()]);
}

/**
 * Messages with a divider after five minutes of silence, and the internal notes at their place. Notes before the first or behind
 * the last message shown are left to the part of the conversation that is not shown.
 */
export function timelineOf(
  messages: readonly ImMessage[],
  notes: readonly NoteRow[],
  ends: { isFirst: boolean; isLast: boolean },
): TimelineItem[] {
  const items: TimelineItem[] = [];
  const first = ends.isFirst ? -1 : (messages[0]?.sequence ?? 0);
  const waiting = notes
    .filter(({ afterSeq }) => afterSeq >= first)
    .toSorted((a, b) => a.afterSeq - b.afterSeq || (a.createdAt < b.createdAt ? -1 : 1));
  let next = 0;
  let last = 0;
  const notesBefore = (seq: number) => {
    for (; next < waiting.length && waiting[next]!.afterSeq < seq; next += 1)
      items.push({ kind: 'note', key: `note:${waiting[next]!.id}`, note: waiting[next]! });
  };
  for (const message of messages) {
    notesBefore(message.sequence > 0 ? message.sequence : Number.MAX_SAFE_INTEGER);
    const key = keyOf(message);
    if (message.time - last > DIVIDER_SEC) items.push({ kind: 'divider', key: `at:${key}`, at: message.time });
    last = message.time;
    items.push(message.type === messageTypes.TIP ? { kind: 'tip', key, message } : { kind: 'message', key, message });
  }
  if (ends.isLast) notesBefore(Number.MAX_SAFE_INTEGER);
  return items;
}

/** This many messages stand in the page at most. */
export const MOST_SHOWN = 400;
const STEP = 60;

/** Which part of the loaded messages stands in the page: `from` inclusive, `to` exclusive. */
export interface Range {
  from: number;
  to: number;
}

const at = (from: number, count: number): Range => ({ from: Math.max(0, from), to: Math.min(count, Math.max(0, from) + MOST_SHOWN) });

/** The newest ones. */
export const atEnd = (count: number): Range => ({ from: Math.max(0, count - MOST_SHOWN), to: count });

/** Older messages came before the first: what is shown stays, the new ones join it, the newest leave beyond the limit. */
export const afterPrepend = (range: Range, added: number, count: number): Range =>
  at(range.from === 0 ? 0 : range.from + added, Math.min(count, range.to + added));

/** Newer messages came behind the last one. */
export const afterAppend = (range: Range, before: number, count: number, follow: boolean): Range =>
  follow || (range.to === before && count - range.from <= MOST_SHOWN) ? (follow ? atEnd(count) : { from: range.from, to: count }) : range;

/** Upwards within what is loaded. */
export const shiftUp = (range: Range, count: number): Range => at(range.from - STEP, count);
/** Downwards within what is loaded. */
export function shiftDown(range: Range, count: number): Range {
  const to = Math.min(count, range.to + STEP);
  return { from: Math.max(range.from, to - MOST_SHOWN), to };
}
/** So that one place is in the middle. */
export const around = (index: number, count: number): Range =>
  at(Math.min(Math.max(0, index - MOST_SHOWN / 2), Math.max(0, count - MOST_SHOWN)), count);
