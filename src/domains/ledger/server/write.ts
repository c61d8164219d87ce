import { CompiledQuery, sql } from 'kysely';
import { WITH_COMMIT } from '../../../kernel/server/database/roundTrips.ts';
import type { Fen, Posting } from './commands.ts';
import type { Grant, Made, Move } from './apply.ts';
import type { LockedAccount } from './lockAccounts.ts';

/** Turnover and holds of an account since it was locked. */
export interface BalanceChange {
  account: LockedAccount;
  debit: Fen;
  credit: Fen;
  held: Fen;
  entries: number;
}

const texts = (values: readonly bigint[]) => values.map(String);

const ENTRIES = `
  with written as (
    insert into ledger_entry (id, transfer_id, line_no, account_id, side, amount_fen, account_seq, balance_after_fen, original_entry_id) overriding system value
    select * from unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
  ), as_before as materialized (
    select set_config('plan_cache_mode', 'auto', true) || set_config('enable_seqscan', 'on', true) as mode
  )
  update ledger_balance b
     set debit_total_fen = b.debit_total_fen + v.debit, credit_total_fen = b.credit_total_fen + v.credit, held_fen = b.held_fen + v.held,
         last_entry_seq = v.seq, last_entry_at = case when v.entries > 0 then $17::timestamptz else b.last_entry_at end
    from unnest($10::bigint[], $11::smallint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::int[])
           as v (account_id, stripe, debit, credit, held, seq, entries)
   where b.account_id = v.account_id and b.stripe = v.stripe and (select mode from as_before) is not null${WITH_COMMIT}`;

/** The entries of transfers and the balances after them, in one statement that nobody waits for before the commit. */
export async function writeEntries(
  { tx, now }: Posting,
  transfers: readonly { transferId: string; made: Made; ids: readonly string[] }[],
  changes: readonly BalanceChange[],
): Promise<void> {
  const rows = transfers.flatMap(({ transferId, made, ids }) =>
    made.entries.map((entry, at) => ({ ...entry, id: ids[at]!, transferId, lineNo: at + 1 })),
  );
  await tx.executeQuery(
    CompiledQuery.raw(ENTRIES, [
      rows.map(({ id }) => id),
      rows.map(({ transferId }) => transferId),
      rows.map(({ lineNo }) => lineNo),
      rows.map(({ account }) => account.id),
      rows.map(({ side }) => side),
      texts(rows.map(({ amount }) => amount)),
      rows.map(({ seq }) => (seq === null ? null : String(seq))),
      rows.map(({ balanceAfter }) => (balanceAfter === null ? null : String(balanceAfter))),
      rows.map(({ originalEntryId }) => originalEntryId),
      changes.map(({ account }) => account.id),
      changes.map(({ account }) => account.stripe),
      texts(changes.map(({ debit }) => debit)),
      texts(changes.map(({ credit }) => credit)),
      texts(changes.map(({ held }) => held)),
      texts(changes.map(({ account }) => account.seq)),
      changes.map(({ entries }) => entries),
      now,
    ]),
  );
}

export async function updateBalances({ tx, now }: Posting, changes: readonly BalanceChange[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update ledger_balance b
       set debit_total_fen = b.debit_total_fen + v.debit, credit_total_fen = b.credit_total_fen + v.credit, held_fen = b.held_fen + v.held,
           last_entry_seq = v.seq, last_entry_at = case when v.entries > 0 then ${now}::timestamptz else b.last_entry_at end
      from unnest(${changes.map(({ account }) => account.id)}::bigint[], ${changes.map(({ account }) => account.stripe)}::smallint[],
             ${texts(changes.map(({ debit }) => debit))}::bigint[], ${texts(changes.map(({ credit }) => credit))}::bigint[],
             ${texts(changes.map(({ held }) => held))}::bigint[], ${texts(changes.map(({ account }) => account.seq))}::bigint[],
             ${changes.map(({ entries }) => entries)}::int[]) as v (account_id, stripe, debit, credit, held, seq, entries)
     where b.account_id = v.account_id and b.stripe = v.stripe`.execute(tx);
}

/** Grants become lots, each by the transfer that brought it. */
export async function insertLots({ tx, now }: Posting, grants: readonly (Grant & { transferId: string })[]): Promise<void> {
  if (grants.length === 0) return;
  await sql`
    with given as (
      insert into ledger_lot (lot_no, account_id, source_transfer_id, ref_type, ref_id, original_fen, remaining_fen, valid_from, expires_at)
      select 'LO' || to_char(${now}::timestamptz at time zone 'Asia/Shanghai', 'YYYYMMDD') || lpad((nextval('ledger_lot_no') % 100000000)::text, 8, '0'),
             u.account_id, u.transfer_id, u.ref_type, u.ref_id, u.amount, u.amount, ${now}::timestamptz, u.expires_at
        from unnest(${grants.map(({ accountId }) => accountId)}::bigint[], ${grants.map(({ transferId }) => transferId)}::bigint[],
               ${grants.map(({ grant }) => grant.refType)}::text[], ${grants.map(({ grant }) => grant.refId)}::text[],
               ${texts(grants.map(({ amount }) => amount))}::bigint[], ${grants.map(({ grant }) => grant.expiresAt)}::timestamptz[])
             as u (account_id, transfer_id, ref_type, ref_id, amount, expires_at)
      returning id, source_transfer_id, original_fen
    )
    insert into ledger_lot_move (lot_id, transfer_id, kind, delta_remaining_fen, delta_held_fen)
    select id, source_transfer_id, 'GRANT', original_fen, 0 from given`.execute(tx);
}

/** Moves of lots, and the lots as they are after them, in one statement. */
export async function writeMoves(
  { tx }: Posting,
  moves: readonly (Move & { transferId: string | null; holdId: string | null })[],
): Promise<void> {
  if (moves.length === 0) return;
  await sql`
    with moved as (
      select * from unnest(${moves.map(({ lotId }) => lotId)}::bigint[], ${moves.map(({ transferId }) => transferId)}::bigint[],
        ${moves.map(({ holdId }) => holdId)}::bigint[], ${moves.map(({ kind }) => kind)}::text[], ${texts(moves.map(({ remaining }) => remaining))}::bigint[],
        ${texts(moves.map(({ held }) => held))}::bigint[]) with ordinality as u (lot_id, transfer_id, hold_id, kind, remaining, held, at)
    ), written as (
      insert into ledger_lot_move (lot_id, transfer_id, hold_id, kind, delta_remaining_fen, delta_held_fen)
      select lot_id, transfer_id, hold_id, kind, remaining, held from moved order by at
    )
    update ledger_lot l set remaining_fen = l.remaining_fen + s.remaining, held_fen = l.held_fen + s.held
      from (select lot_id, sum(remaining)::bigint as remaining, sum(held)::bigint as held from moved group by lot_id) s
     where l.id = s.lot_id`.execute(tx);
}
