import { createHash } from 'node:crypto';
import { imCodes, type ImCodeName } from '../../../contract/im/codes.ts';
import type { MessagePayload, MessageType } from '../../../contract/im/types.ts';

/** A message that somebody wants stored. */
export interface Send {
  convId: string;
  senderId: string;
  clientMsgId: string;
  type: MessageType;
  payload: MessagePayload;
  cloudCustomData: string;
  atUserList: readonly string[];
  quoteSeq: number | null;
  needReadReceipt: boolean;
  countsUnread: boolean;
  /** A person's, an engine's in somebody's name, or the system's own. */
  origin: 'HUMAN' | 'ENGINE' | 'SYSTEM';
  sourceRef: string | null;
}

/** A message that the server writes, whichever service carries it. */
export interface Post {
  convId: string;
  /** `A…` for an engine that writes in an assistant's name, `SYSTEM` for tips and cards. */
  senderId: string;
  clientMsgId: string;
  type: MessageType;
  payload: MessagePayload;
  cloudCustomData?: string;
  sourceRef?: string | null;
  /** Tips and status cards do not count. */
  countsUnread?: boolean;
}

export interface Stored {
  ID: string;
  seq: number;
  /** Milliseconds. */
  at: number;
  duplicate: boolean;
}

export interface Refused {
  refused: ImCodeName;
  message: string;
}
export type Outcome = Stored | Refused;

export const refusal = (name: ImCodeName, message?: string): Refused => ({ refused: name, message: message ?? imCodes[name][1] });
export const isRefused = (outcome: Outcome): outcome is Refused => 'refused' in outcome;

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** Tells whether a repeated id carries the same message; kept beside it, since a recall empties the content. */
export const payloadHash = ({ type, payload, cloudCustomData }: Pick<Send, 'type' | 'payload' | 'cloudCustomData'>): string =>
  createHash('sha256')
    .update(JSON.stringify([type, sorted(payload), cloudCustomData]))
    .digest('base64url')
    .slice(0, 22);

/** Bytes that the limit of 12 KB is about: a text's own, else those of the whole content. */
export const payloadBytes = (payload: MessagePayload): number =>
  Buffer.byteLength('text' in payload && Object.keys(payload).length === 1 ? payload.text : JSON.stringify(payload));

/** Files that a message carries. */
export const filesIn = (payload: MessagePayload): string[] => [
  ...('fileId' in payload ? [payload.fileId] : []),
  ...('thumbFileId' in payload && payload.thumbFileId !== undefined ? [payload.thumbFileId] : []),
];

/** What the database cannot keep as JSON: a zero letter, half a character. */
export const isStorable = (payload: MessagePayload, cloudCustomData: string): boolean => {
  const text = JSON.stringify([payload, cloudCustomData]);
  return !/\\u0000|\\ud[89a-f]/i.test(text.replaceAll('\\\\', ''));
};

/** Whether one more at `now` stays within the rule; `sentAt` keeps the times within the window. */
export function countSend(sentAt: number[], rule: { count: number; seconds: number }, now: number): boolean {
  const oldest = now - rule.seconds * 1000;
  while (sentAt.length > 0 && sentAt[0]! <= oldest) sentAt.shift();
  if (sentAt.length >= rule.count) return false;
  sentAt.push(now);
  return true;
}
