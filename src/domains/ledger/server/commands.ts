import { createHash } from 'node:crypto';
import type { Day, Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { Book, Side } from '../contract/books.ts';

/** An amount of money in fen. */
export type Fen = bigint;

/** Who posts; `SYSTEM` for jobs. */
export interface Actor {
  id: string;
  name: string;
}
export const SYSTEM: Actor = { id: '0', name: 'SYSTEM' };

/** The transaction of the caller's business, whose last statements a posting is, with the time that it takes for now. */
export type Posting = Pick<Writing, 'tx' | 'publish' | 'publishMany'> & { now: Instant; traceId: string };

export interface AccountRef {
  book: Book;
  type: string;
  owner: { type: string; id: string };
  /** Tells several accounts of one owner apart. */
  sub?: string;
}

/** What a credit adds to a lotted account. @property expiresAt exclusive; null: never */
export interface LotGrant {
  refType: string;
  refId: string;
  expiresAt: Instant | null;
}
/** So much of the lot that came by this grant. */
export interface LotPick {
  refType: string;
  refId: string;
  amount: Fen;
}

export interface Leg {
  /** Several: a funding group, out of whose lots a debit is taken as if they were one account. */
  account: AccountRef | readonly AccountRef[];
  amount: Fen;
  /** Of a credit of a lotted account. */
  lot?: LotGrant;
  /** Of a debit of lotted accounts: chosen by the caller instead of by their expiry. */
  lots?: readonly LotPick[];
}

export interface Reference {
  type: string;
  id: string;
  no?: string;
}

export interface PostCommand {
  /** `{domain}:{document}:{id}:{step}`: one effect, however often it is sent. */
  businessKey: string;
  book: Book;
  type: string;
  debit: readonly Leg[];
  credit: readonly Leg[];
  /** Default: today in Shanghai. */
  postingDate?: Day;
  /** When it happened, of many that are posted together afterwards; default: now. */
  at?: Instant;
  ref: Reference;
  memo?: string;
  actor: Actor;
}

export interface HoldCommand {
  businessKey: string;
  book: Book;
  legs: readonly Leg[];
  expiresAt: Instant | null;
  ref: Reference;
  actor: Actor;
}

export interface LotUse {
  lotId: string;
  amount: Fen;
  expiresAt: Instant | null;
}
export interface EntryResult {
  entryId: string;
  accountNo: string;
  side: Side;
  amount: Fen;
  /** Posted after this entry; null for open accounts. */
  balanceAfter: Fen | null;
  lots: LotUse[];
}
export interface TransferResult {
  transferId: string;
  transferNo: string;
  /** The same command was posted before; this is what it did then. */
  replayed: boolean;
  entries: EntryResult[];
}

/** Sums of a plan as one text, whatever the order of its keys; bigints as digits. */
function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`)
      .join(',')}}`;
  return JSON.stringify(value ?? null);
}

/** Fingerprint of what a command asks for, without who asks: the same key with another one is refused. */
export const payloadHash = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex');

/** An account by what it is, for maps. */
export const refKey = ({ book, type, owner, sub }: AccountRef): string => JSON.stringify([book, type, owner.type, owner.id, sub ?? '']);
