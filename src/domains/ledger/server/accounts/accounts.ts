import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { accountFrozen, accountUnfrozen } from '#events/ledger.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import type { AccountState } from '../../contract/states.ts';
import type { AccountRef, Actor, Fen, Posting } from '../commands.ts';
import { own } from '../database.ts';
import type { LedgerFacts } from './knownAccounts.ts';

export interface Account {
  id: string;
  accountNo: string;
  book: Book;
  accountType: string;
  ownerType: string;
  ownerId: string;
  sub: string;
  ownerName: string;
  status: AccountState;
}

const BOOK_LETTERS: Readonly<Record<Book, string>> = { CARD: 'C', DOCTOR: 'D', INSURER: 'I' };
const COLUMNS = ['id', 'accountNo', 'book', 'accountType', 'ownerType', 'ownerId', 'sub', 'ownerName', 'status'] as const;

const rowsOf = (tx: Tx, ref: AccountRef) =>
  own(tx)
    .selectFrom('ledgerAccount')
    .where('book', '=', ref.book)
    .where('accountType', '=', ref.type)
    .where('ownerType', '=', ref.owner.type)
    .where('ownerId', '=', ref.owner.id)
    .where('sub', '=', ref.sub ?? '');

/**
 * Opens an account, or answers the one that is there.
 * @param options.floor fen; overrides the chart's floor (a credit line is a negative one)
 * @throws Refusal SCM18008 for an account type that the chart does not know or another kind of owner
 */
export async function openAccount(
  { tx, now }: Pick<Posting, 'tx' | 'now'>,
  { chart }: LedgerFacts,
  ref: AccountRef,
  options: { ownerName: string; floor?: Fen },
): Promise<Account> {
  const type = chart.accountType(ref.book, ref.type);
  if (!type || type.ownerType !== ref.owner.type || (options.floor !== undefined && type.floorFen === null))
    throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
  const floor = type.floorFen === null ? null : String(options.floor ?? type.floorFen);
  await sql`
    with opened as (
      insert into ledger_account (
        account_no, book, account_type, owner_type, owner_id, sub, owner_name, normal_side, floor_fen, stripes, lotted, created_at
      )
        select ${`LA${BOOK_LETTERS[ref.book]}`} || lpad(nextval('ledger_account_no')::text, 10, '0'), ${ref.book}, ${ref.type},
            ${ref.owner.type}, ${ref.owner.id}, ${ref.sub ?? ''}, ${options.ownerName}, ${type.normalSide}, ${floor}::bigint,
            ${type.stripes}::smallint, ${type.lotted ?? false}, ${now}::timestamptz
          on conflict (book, account_type, owner_type, owner_id, sub) do nothing
          returning id, normal_side, floor_fen, stripes
    )
    insert into ledger_balance (account_id, stripe, sign, floor_fen)
    select id, stripe, case normal_side when 'D' then 1 else -1 end, floor_fen
      from opened, generate_series(0, stripes - 1) as stripe`.execute(tx);
  return rowsOf(tx, ref).select(COLUMNS).executeTakeFirstOrThrow();
}

/** Opens many accounts at once, as far as they are not there. @throws Refusal SCM18008 for an account type that the chart does not know */
export async function openAccounts(
  { tx, now }: Pick<Posting, 'tx' | 'now'>,
  { chart }: LedgerFacts,
  wanted: readonly { ref: AccountRef; ownerName: string }[],
): Promise<void> {
  const rows = wanted.map(({ ref, ownerName }) => {
    const type = chart.accountType(ref.book, ref.type);
    if (!type || type.ownerType !== ref.owner.type) throw refuse(ledgerErrors.WRONG_ACCOUNT_TYPE);
    return { ref, ownerName, type };
  });
  const column = <T>(of: (row: (typeof rows)[number]) => T): T[] => rows.map(of);
  await sql`
    with opened as (
      insert into ledger_account (
        account_no, book, account_type, owner_type, owner_id, sub, owner_name, normal_side, floor_fen, stripes, lotted, created_at
      )
        select u.letter || lpad(nextval('ledger_account_no')::text, 10, '0'), u.book, u.type, u.owner_type, u.owner_id, u.sub, u.owner_name,
            u.side, u.floor, u.stripes, u.lotted, ${now}::timestamptz
          from unnest(
            ${column(({ ref }) => `LA${BOOK_LETTERS[ref.book]}`)}::text[], ${column(({ ref }) => ref.book)}::text[],
            ${column(({ ref }) => ref.type)}::text[], ${column(({ ref }) => ref.owner.type)}::text[],
            ${column(({ ref }) => ref.owner.id)}::text[], ${column(({ ref }) => ref.sub ?? '')}::text[],
            ${column(({ ownerName }) => ownerName)}::text[], ${column(({ type }) => type.normalSide)}::text[],
            ${column(({ type }) => (type.floorFen === null ? null : String(type.floorFen)))}::bigint[],
            ${column(({ type }) => type.stripes)}::smallint[], ${column(({ type }) => type.lotted ?? false)}::boolean[]
          ) as u (letter, book, type, owner_type, owner_id, sub, owner_name, side, floor, stripes, lotted)
          on conflict (book, account_type, owner_type, owner_id, sub) do nothing
          returning id, normal_side, floor_fen, stripes
    )
    insert into ledger_balance (account_id, stripe, sign, floor_fen)
    select id, stripe, case normal_side when 'D' then 1 else -1 end, floor_fen
      from opened, generate_series(0, stripes - 1) as stripe`.execute(tx);
}

/** The owner's new name, for searches; what was posted keeps its texts. */
export async function renameOwner(tx: Tx, owner: { type: string; id: string }, ownerName: string): Promise<void> {
  await own(tx)
    .updateTable('ledgerAccount')
    .set({ ownerName })
    .where('ownerType', '=', owner.type)
    .where('ownerId', '=', owner.id)
    .execute();
}

/** The account with its balances, for acts on its state. @throws Refusal SCM18004 */
export async function lockAccount(tx: Tx, ref: AccountRef) {
  // The balance first, as postings do: who waits here for one sees what it posted, and who comes after sees the state.
  await sql`select from ledger_balance b where b.account_id = (${rowsOf(tx, ref).select('id')}) order by b.stripe for update`.execute(tx);
  const account = await rowsOf(tx, ref)
    .select([...COLUMNS, 'frozenBy', 'version'])
    .forUpdate()
    .executeTakeFirst();
  if (!account) throw refuse(ledgerErrors.NO_ACCOUNT);
  return account;
}

async function setStatus(
  tx: Tx,
  account: { id: string; version: number },
  status: AccountState,
  more: { frozenBy?: string | null; closedAt?: string },
) {
  await own(tx)
    .updateTable('ledgerAccount')
    .set({ status, version: account.version + 1, ...more })
    .where('id', '=', account.id)
    .execute();
  await own(tx).updateTable('ledgerBalance').set({ status }).where('accountId', '=', account.id).execute();
  return own(tx).selectFrom('ledgerAccount').select(COLUMNS).where('id', '=', account.id).executeTakeFirstOrThrow();
}

export interface Reasoned {
  reason: string;
  actor: Actor;
}

const payloadOf = (account: Account, { reason, actor }: Reasoned) => ({
  accountNo: account.accountNo,
  ownerType: account.ownerType,
  ownerId: account.ownerId,
  reason,
  operatorId: actor.id,
});

/**
 * Nothing goes out of a frozen account, and nothing new is held on it; what comes in, releases and captures of earlier holds go on.
 * @param act.byHand somebody pressed the button, and somebody else must undo it
 * @throws Refusal SCM18003, SCM18004
 */
export async function freeze(posting: Posting, ref: AccountRef, act: Reasoned & { byHand?: boolean }): Promise<Account> {
  const account = await lockAccount(posting.tx, ref);
  if (account.status === 'CLOSED') throw refuse(ledgerErrors.CLOSED);
  if (account.status === 'FROZEN') return account;
  const frozen = await setStatus(posting.tx, account, 'FROZEN', { frozenBy: act.byHand ? act.actor.id : null });
  await posting.publish(accountFrozen, account.id, payloadOf(account, act));
  return frozen;
}

/** @throws Refusal SCM18003, SCM18004, SCM18051 for who froze it by hand */
export async function unfreeze(posting: Posting, ref: AccountRef, act: Reasoned): Promise<Account> {
  const account = await lockAccount(posting.tx, ref);
  if (account.status === 'CLOSED') throw refuse(ledgerErrors.CLOSED);
  if (account.status === 'OPEN') return account;
  if (account.frozenBy !== null && account.frozenBy === act.actor.id) throw refuse(ledgerErrors.OWN_UNFREEZE);
  const opened = await setStatus(posting.tx, account, 'OPEN', { frozenBy: null });
  await posting.publish(accountUnfrozen, account.id, payloadOf(account, act));
  return opened;
}

/** @throws Refusal SCM18004, SCM18040 unless nothing is posted and nothing held */
export async function close({ tx, now }: Pick<Posting, 'tx' | 'now'>, ref: AccountRef): Promise<Account> {
  const account = await lockAccount(tx, ref);
  if (account.status === 'CLOSED') return account;
  const { rows } = await sql<{ empty: boolean }>`
    select sum(debit_total_fen) = sum(credit_total_fen) and sum(held_fen) = 0 as empty
      from ledger_balance
      where account_id = ${account.id}`.execute(tx);
  if (!rows[0]?.empty) throw refuse(ledgerErrors.NOT_EMPTY);
  return setStatus(tx, account, 'CLOSED', { closedAt: now, frozenBy: null });
}
