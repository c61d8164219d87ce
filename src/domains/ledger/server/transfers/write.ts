import { CompiledQuery, sql } from 'kysely';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Fen, Posting } from '../commands.ts';
import { parametersOf, rowsText, rowsValues, textOf, type Columns } from './rows.ts';
import type { Grant, Made, Move } from './apply.ts';
import type { LockedAccount } from '../accounts/lockAccounts.ts';

/** Turnover and holds of an account since it was locked. */
export interface BalanceChange {
  account: LockedAccount;
  debit: Fen;
  credit: Fen;
  held: Fen;
  entries: number;
}

const texts = (values: readonly bigint[]) => values.map(String);

const ENTRY: Columns = [
  ['id', 'bigint'],
  ['transfer_id', 'bigint'],
  ['line_no', 'smallint'],
  ['account_id', 'bigint'],
  ['side', 'text'],
  ['amount_fen', 'bigint'],
  ['account_seq', 'bigint'],
  ['balance_after_fen', 'bigint'],
  ['original_entry_id', 'bigint'],
];
const CHANGE: Columns = [
  ['account_id', 'bigint'],
  ['stripe', 'smallint'],
  ['debit', 'bigint'],
  ['credit', 'bigint'],
  ['held', 'bigint'],
  ['seq', 'bigint'],
  ['last_at', 'timestamptz'],
];

const changeText = (changes: number, first: number) => `
  update ledger_balance b
     set debit_total_fen = b.debit_total_fen + v.debit, credit_total_fen = b.credit_total_fen + v.credit, held_fen = b.held_fen + v.held,
         last_entry_seq = v.seq, last_entry_at = coalesce(v.last_at, b.last_entry_at)
    from ${rowsText('v', CHANGE, changes, first)}
   where b.account_id = v.account_id and b.stripe = v.stripe`;
const changeRows = (changes: readonly BalanceChange[], now: Instant) =>
  changes.map(({ account, debit, credit, held, entries }) => [
    account.id,
    account.stripe,
    String(debit),
    String(credit),
    String(held),
    String(account.seq),
    entries > 0 ? now : null,
  ]);

const writeText = textOf(
  (entries, changes) => `
  with written as (
    insert into ledger_entry (${ENTRY.map(([name]) => name).join(', ')}) overriding system value
    select * from ${rowsText('u', ENTRY, entries, 1)}
  ), as_before as materialized (
    select set_config('plan_cache_mode', 'auto', true) || set_config('enable_seqscan', 'on', true) as mode
  )${changeText(changes, 1 + parametersOf(ENTRY, entries))} and (select mode from as_before) is not null${WITH_COMMIT}`,
);

/** The entries of transfers and the balances after them, in one statement that nobody waits for before the commit. */
export async function writeEntries(
  { tx, now }: Posting,
  transfers: readonly { transferId: string; made: Made; ids: readonly string[] }[],
  changes: readonly BalanceChange[],
): Promise<void> {
  const entries = transfers.flatMap(({ transferId, made, ids }) =>
    made.entries.map(({ account, side, amount, seq, balanceAfter, originalEntryId }, at) => [
      ids[at]!,
      transferId,
      at + 1,
      account.id,
      side,
      String(amount),
      seq === null ? null : String(seq),
      balanceAfter === null ? null : String(balanceAfter),
      originalEntryId,
    ]),
  );
  const rows = changeRows(changes, now);
  await tx.executeQuery(
    CompiledQuery.raw(writeText(entries.length, rows.length), [...rowsValues(ENTRY, entries), ...rowsValues(CHANGE, rows)]),
  );
}

const updateText = textOf((changes) => changeText(changes, 1));

export async function updateBalances({ tx, now }: Posting, changes: readonly BalanceChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changeRows(changes, now);
  await tx.executeQuery(CompiledQuery.raw(updateText(rows.length), rowsValues(CHANGE, rows)));
}

/** Grants become lots, each by the transfer that brought it. */
export async function insertLots({ tx, now }: Posting, grants: readonly (Grant & { transferId: string })[]): Promise<void> {
  if (grants.length === 0) return;
  await sql`
    with given as (
      insert into ledger_lot (lot_no, account_id, source_transfer_id, ref_type, ref_id, original_fen, remaining_fen, valid_from, expires_at)
        select 'LO' || to_char(
          ${now}::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDD'
        ) || lpad((nextval('ledger_lot_no') % 100000000)::text, 8, '0'),
            u.account_id, u.transfer_id, u.ref_type, u.ref_id, u.amount, u.amount, ${now}::timestamptz, u.expires_at
          from unnest(
            ${grants.map(({ accountId }) => accountId)}::bigint[], ${grants.map(({ transferId }) => transferId)}::bigint[],
            ${grants.map(({ grant }) => grant.refType)}::text[], ${grants.map(({ grant }) => grant.refId)}::text[],
            ${texts(grants.map(({ amount }) => amount))}::bigint[], ${grants.map(({ grant }) => grant.expiresAt)}::timestamptz[]
          ) as u (account_id, transfer_id, ref_type, ref_id, amount, expires_at)
          returning id, source_transfer_id, original_fen
    )
    insert into ledger_lot_move (lot_id, transfer_id, kind, delta_remaining_fen, delta_held_fen)
    select id, source_transfer_id, 'GRANT', original_fen, 0
      from given`.execute(tx);
}

/** Moves of lots, and the lots as they are after them, in one statement. */
export async function writeMoves(
  { tx }: Posting,
  moves: readonly (Move & { transferId: string | null; holdId: string | null })[],
): Promise<void> {
  if (moves.length === 0) return;
  await sql`
    with moved as (
      select *
        from unnest(
          ${moves.map(({ lotId }) => lotId)}::bigint[], ${moves.map(({ transferId }) => transferId)}::bigint[],
          ${moves.map(({ holdId }) => holdId)}::bigint[], ${moves.map(({ kind }) => kind)}::text[],
          ${texts(moves.map(({ remaining }) => remaining))}::bigint[], ${texts(moves.map(({ held }) => held))}::bigint[]
        ) with ordinality as u (lot_id, transfer_id, hold_id, kind, remaining, held, at)
    ),
    written as (
      insert into ledger_lot_move (lot_id, transfer_id, hold_id, kind, delta_remaining_fen, delta_held_fen)
        select lot_id, transfer_id, hold_id, kind, remaining, held
          from moved
          order by at
    ) update ledger_lot l
    set remaining_fen = l.remaining_fen + s.remaining, held_fen = l.held_fen + s.held
    from (select lot_id, sum(remaining)::bigint as remaining, sum(held)::bigint as held from moved group by lot_id) s
    where l.id = s.lot_id`.execute(tx);
}
