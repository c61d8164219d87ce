import { sql } from 'kysely';
import type { Tx } from '../../../kernel/server/context.ts';
import type { Book, Side } from '../contract/books.ts';
import type { AccountState } from '../contract/states.ts';
import { refKey, type AccountRef, type Fen } from './commands.ts';

/** An account whose balance row this transaction holds; amounts in fen, changed in memory until they are written. */
export interface LockedAccount {
  id: string;
  accountNo: string;
  book: Book;
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: string;
  normalSide: Side;
  floor: Fen | null;
  lotted: boolean;
  status: AccountState;
  successorId: string | null;
  stripe: number;
  debit: Fen;
  credit: Fen;
  held: Fen;
  /** Number of its last entry; counted for guarded accounts alone. */
  seq: bigint;
}

export const posted = ({ normalSide, debit, credit }: Pick<LockedAccount, 'normalSide' | 'debit' | 'credit'>): Fen =>
  normalSide === 'D' ? debit - credit : credit - debit;
/** What may still go out before the floor is met; null: an open account has none. */
export const spendable = (account: LockedAccount): Fen | null =>
  account.floor === null ? null : posted(account) - account.held - account.floor;

interface Row {
  id: string;
  accountNo: string;
  book: Book;
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: string;
  normalSide: Side;
  lotted: boolean;
  stripes: number;
  successorAccountId: string | null;
  stripe: number;
  floorFen: string | null;
  status: AccountState;
  debitTotalFen: string;
  creditTotalFen: string;
  heldFen: string;
  lastEntrySeq: string;
}

export class LedgerLockOrderError extends Error {
  override readonly name = 'LedgerLockOrderError';
}

/** Keys in the order in which every transaction locks them: guarded accounts first, hot ones last. */
const lockKey = ({ stripes, id, stripe }: Row) => `${stripes > 1 ? 1 : 0}:${id.padStart(20, '0')}:${String(stripe).padStart(3, '0')}`;
const taken = new WeakMap<Tx, Set<string>>();

/**
 * A second look at smaller keys in one transaction could wait for somebody who waits for it: a business transaction calls the ledger
 * once, or names all at once.
 */
function requireOrder(tx: Tx, rows: readonly Row[]): void {
  const held = taken.get(tx) ?? new Set<string>();
  const last = [...held].toSorted().at(-1) ?? '';
  for (const key of rows.map(lockKey)) {
    if (!held.has(key) && key < last)
      throw new LedgerLockOrderError('The ledger was called twice in one transaction, against the order of its locks');
  }
  for (const key of rows.map(lockKey)) held.add(key);
  taken.set(tx, held);
}

export interface LockedAccounts {
  of(ref: AccountRef): LockedAccount | undefined;
  byId(id: string): LockedAccount | undefined;
  readonly all: readonly LockedAccount[];
}

/**
 * Locks the balances of accounts in one order for all transactions; an open account gives one of its rows, by the number of the transaction.
 * @param strict throws where this transaction locked a larger key before (tests and development)
 */
export async function lockAccounts(tx: Tx, refs: readonly AccountRef[], ids: readonly string[], strict: boolean): Promise<LockedAccounts> {
  const distinct = [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
  const { rows } = await sql<Row>`
    select a.id, a.account_no, a.book, a.account_type, a.owner_type, a.owner_id, a.sub, a.normal_side, a.lotted, a.stripes, a.successor_account_id,
           b.stripe, b.floor_fen, b.status, b.debit_total_fen, b.credit_total_fen, b.held_fen, b.last_entry_seq
      from ledger_account a
      join ledger_balance b on b.account_id = a.id and b.stripe = pg_current_xact_id()::text::bigint % a.stripes
     where (a.book, a.account_type, a.owner_type, a.owner_id, a.sub) in (
             select * from unnest(${distinct.map(({ book }) => book)}::text[], ${distinct.map(({ type }) => type)}::text[],
               ${distinct.map(({ owner }) => owner.type)}::text[], ${distinct.map(({ owner }) => owner.id)}::text[],
               ${distinct.map(({ sub }) => sub ?? '')}::text[]))
        or a.id = any(${[...ids]}::bigint[])
     order by a.stripes > 1, a.id, b.stripe
       for update of b`.execute(tx);
  if (strict) requireOrder(tx, rows);
  const all = rows.map((row): LockedAccount => ({
    id: row.id,
    accountNo: row.accountNo,
    book: row.book,
    accountType: row.accountType,
    ownerType: row.ownerType,
    ownerId: row.ownerId,
    sub: row.sub,
    normalSide: row.normalSide,
    floor: row.floorFen === null ? null : BigInt(row.floorFen),
    lotted: row.lotted,
    status: row.status,
    successorId: row.successorAccountId,
    stripe: row.stripe,
    debit: BigInt(row.debitTotalFen),
    credit: BigInt(row.creditTotalFen),
    held: BigInt(row.heldFen),
    seq: BigInt(row.lastEntrySeq),
  }));
  const byRef = new Map(
    all.map((one) => [
      refKey({ book: one.book, type: one.accountType, owner: { type: one.ownerType, id: one.ownerId }, sub: one.sub }),
      one,
    ]),
  );
  const byId = new Map(all.map((one) => [one.id, one]));
  return { of: (ref) => byRef.get(refKey(ref)), byId: (id) => byId.get(id), all };
}
