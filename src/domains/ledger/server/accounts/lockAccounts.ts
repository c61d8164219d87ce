import { CompiledQuery } from 'kysely';
import type { Tx } from '#kernel/server/context.ts';
import type { AccountState } from '../../contract/states.ts';
import { refKey, type AccountRef, type Fen } from '../commands.ts';
import { type KnownAccount, type LedgerFacts, refOf } from './knownAccounts.ts';
import { rowsText, rowsValues, textOf, type Columns } from '../transfers/rows.ts';

/** An account whose balance row this transaction holds; amounts in fen, changed in memory until they are written. */
export interface LockedAccount extends KnownAccount {
  floor: Fen | null;
  status: AccountState;
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

/** A balance row as it was locked. */
export interface BalanceRow {
  accountId: string;
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

const taken = new WeakMap<Tx, Set<string>>();
const free = new WeakSet<Tx>();

/** For work beside which nobody else posts, as a demonstration: one transaction may then call the ledger as often as it wants. */
export const allowAnyOrder = (tx: Tx): void => void free.add(tx);

/**
 * A second look at smaller keys in one transaction could wait for somebody who waits for it: a business transaction calls the ledger
 * once, or names all at once.
 */
function requireOrder(tx: Tx, keys: readonly string[]): void {
  if (free.has(tx)) return;
  const held = taken.get(tx) ?? new Set<string>();
  const last = [...held].toSorted().at(-1) ?? '';
  if (keys.some((key) => !held.has(key) && key < last))
    throw new LedgerLockOrderError('The ledger was called twice in one transaction, against the order of its locks');
  for (const key of keys) held.add(key);
  taken.set(tx, held);
}

const stripesOf = new WeakMap<Tx, number>();
/** Processes begin anywhere; transactions of one take turns, so that those side by side do not meet on one row. */
let nextStripe = Math.floor(Math.random() * 64);
/** The row of open accounts that a transaction works on, the same for all of them. */
function stripeIn(tx: Tx, stripes: number): number {
  const chosen = stripesOf.get(tx) ?? nextStripe++;
  stripesOf.set(tx, chosen);
  return chosen % stripes;
}

export interface LockedAccounts {
  of(ref: AccountRef): LockedAccount | undefined;
  byId(id: string): LockedAccount | undefined;
  readonly all: readonly LockedAccount[];
}

export const LOCK_KEY: Columns = [
  ['id', 'bigint'],
  ['stripe', 'smallint'],
  ['hot', 'boolean'],
];

/** Rows by which a statement locks the balances of accounts: an open account gives one of its rows. */
export const lockKeys = (tx: Tx, known: readonly KnownAccount[]) =>
  known.map(({ id, stripes }) => [id, stripeIn(tx, stripes), stripes > 1] as const);

/** Locks them, in one order for all transactions; their parameters are numbered from `first`. */
export const lockText = (keys: number, first: number): string => `
    select b.account_id, b.stripe, b.floor_fen, b.status, b.debit_total_fen, b.credit_total_fen, b.held_fen, b.last_entry_seq
      from ${rowsText('u', LOCK_KEY, keys, first)}
      join ledger_balance b on b.account_id = u.id and b.stripe = u.stripe
     order by u.hot, b.account_id for update of b`;
const lock = textOf((keys) => lockText(keys, 1));

/**
 * The locked accounts of the rows that a statement locked.
 * @returns null where one of them was not there: opened by a transaction that was rolled back; it is forgotten
 */
export function lockedOf(
  tx: Tx,
  { accounts, strict }: Pick<LedgerFacts, 'accounts' | 'strict'>,
  known: readonly KnownAccount[],
  rows: readonly BalanceRow[],
): LockedAccounts | null {
  const facts = new Map(known.map((one) => [one.id, one]));
  if (rows.length < facts.size) {
    const there = new Set(rows.map(({ accountId }) => accountId));
    accounts.forget([...facts.keys()].filter((id) => !there.has(id)));
    return null;
  }
  if (strict)
    requireOrder(
      tx,
      rows.map(({ accountId }) => `${facts.get(accountId)!.stripes > 1 ? 1 : 0}:${accountId.padStart(20, '0')}`),
    );
  const all = rows.map((row): LockedAccount => ({
    ...facts.get(row.accountId)!,
    floor: row.floorFen === null ? null : BigInt(row.floorFen),
    status: row.status,
    stripe: row.stripe,
    debit: BigInt(row.debitTotalFen),
    credit: BigInt(row.creditTotalFen),
    held: BigInt(row.heldFen),
    seq: BigInt(row.lastEntrySeq),
  }));
  const byRef = new Map(all.map((one) => [refOf(one), one]));
  const byId = new Map(all.map((one) => [one.id, one]));
  return { of: (ref) => byRef.get(refKey(ref)), byId: (id) => byId.get(id), all };
}

/**
 * Locks the balances of accounts in one order for all transactions, guarded accounts first and hot ones last; an open account gives one
 * of its rows. Accounts that do not exist are left out.
 */
export async function lockAccounts(
  tx: Tx,
  facts: Pick<LedgerFacts, 'accounts' | 'strict'>,
  refs: readonly AccountRef[],
  ids: readonly string[],
): Promise<LockedAccounts> {
  const known = await facts.accounts.find(tx, refs, ids);
  const keys = lockKeys(tx, known);
  const { rows } = await tx.executeQuery<BalanceRow>(CompiledQuery.raw(lock(keys.length), rowsValues(LOCK_KEY, keys)));
  return lockedOf(tx, facts, known, rows) ?? lockAccounts(tx, facts, refs, ids);
}
