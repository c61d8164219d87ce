import { CompiledQuery } from 'kysely';
import { WITH_COMMIT } from '../../../kernel/server/database/roundTrips.ts';
import type { Posting } from './commands.ts';
import type { LedgerFacts } from './facts.ts';
import type { KnownAccount } from './knownAccounts.ts';
import { lockAccounts, lockedOf, lockKeys, type BalanceRow, type LockedAccounts } from './lockAccounts.ts';
import type { Plan } from './plan.ts';
import { idsOf, refsOf } from './planAccounts.ts';
import { keyOf, periodOf, type WrittenTransfer } from './transfers.ts';

/**
 * Transfers, of which each business key makes one, and the balances that they move, in one way to the database. The insert waits for
 * whoever writes the same key. Balances are locked in one order for
 * all transactions, guarded accounts first and hot ones last. Ids of entries are drawn here, so that nobody waits for them later.
 */
const TEXT = `
  with open as (
    select p.book, p.period from ledger_period p
     where (p.book, p.period) in (select * from unnest($1::text[], $2::text[])) and p.status = 'OPEN'
  ), posted as (
    insert into ledger_transfer (transfer_no, book, transfer_type, business_key, payload_hash, posting_date, total_fen, ref_type, ref_id, ref_no, memo,
      original_transfer_id, whole, hold_id, operator_id, operator_name, trace_id, created_at)
    select 'LT' || to_char(u.day, 'YYYYMMDD') || lpad((nextval('ledger_transfer_no') % 100000000)::text, 8, '0'), u.book, u.type, u.key, u.hash, u.day, u.total,
           u.ref_type, u.ref_id, u.ref_no, u.memo, u.original, u.whole, u.hold, u.operator_id, u.operator_name, $18, coalesce(u.made_at, $19::timestamptz)
      from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::date[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::text[],
             $13::bigint[], $14::boolean[], $15::bigint[], $16::text[], $17::text[], $24::timestamptz[])
             with ordinality as u (book, type, key, hash, day, total, ref_type, ref_id, ref_no, memo, original, whole, hold, operator_id, operator_name, made_at, at)
      join open on open.book = u.book and open.period = to_char(u.day, 'YYYY-MM')
     order by u.at
    on conflict (book, business_key) do nothing
    returning id, transfer_no, book, business_key
  ), locked as (
    select b.account_id, b.stripe, b.floor_fen, b.status, b.debit_total_fen, b.credit_total_fen, b.held_fen, b.last_entry_seq
      from unnest($20::bigint[], $21::smallint[], $22::boolean[]) as u (id, stripe, hot)
      join ledger_balance b on b.account_id = u.id and b.stripe = u.stripe
     order by u.hot, b.account_id for update of b
  )
  select (select array_agg(array[id::text, transfer_no, book, business_key]) from posted) as posted,
         (select array_agg(array[account_id::text, stripe::text, floor_fen::text, status, debit_total_fen::text, credit_total_fen::text, held_fen::text,
                                 last_entry_seq::text]) from locked) as locked,
         (select array_agg(nextval('ledger_entry_id_seq')::text) from generate_series(1, $23::int)) as entry_ids`;

/**
 * Months stay open until the transaction ends: a close waits for it. A lock of its own, before the statement that looks whether they are
 * open, so that who waited for a close sees it; both go to the database together. What a posting sends is the same whatever it moves:
 * until its last statement it is not planned anew each time.
 */
const MONTHS = `
  select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
         pg_advisory_xact_lock_shared(hashtextextended('ledger.period:' || m.book || ':' || m.period, 0))
    from (select u.book, u.period from unnest($1::text[], $2::text[]) as u (book, period) order by 1, 2) m${WITH_COMMIT}`;

interface Row {
  posted: [id: string, transferNo: string, book: string, key: string][] | null;
  locked:
    | [
        accountId: string,
        stripe: string,
        floorFen: string | null,
        status: BalanceRow['status'],
        debit: string,
        credit: string,
        held: string,
        seq: string,
      ][]
    | null;
  entryIds: string[] | null;
}

/** Entries that a plan makes at most: a funding group gives one per account. */
const mostEntries = ({ lines }: Plan): number => lines.reduce((sum, { lots }) => sum + (lots?.kind === 'CHOOSE' ? lots.from.length : 1), 0);

export interface Begun {
  /** Per plan its fresh transfer, or null where the same was posted before or its period is not open. */
  transfers: (WrittenTransfer | null)[];
  accounts: LockedAccounts;
  entryIds: string[];
}

const balanceRow = ([accountId, stripe, floorFen, status, debit, credit, held, seq]: NonNullable<Row['locked']>[number]): BalanceRow => ({
  accountId,
  stripe: Number(stripe),
  floorFen,
  status,
  debitTotalFen: debit,
  creditTotalFen: credit,
  heldFen: held,
  lastEntrySeq: seq,
});

async function send(posting: Posting, plans: readonly Plan[], known: readonly KnownAccount[]): Promise<Row> {
  const periods = [...new Map(plans.map((plan) => [`${plan.book}:${periodOf(plan)}`, plan])).values()];
  const sorted = plans.length === 1 ? plans : plans.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const keys = lockKeys(posting.tx, known);
  const column = <T>(of: (plan: Plan) => T): T[] => sorted.map(of);
  const months = [periods.map(({ book }) => book), periods.map(periodOf)];
  await posting.tx.executeQuery(CompiledQuery.raw(MONTHS, months));
  const { rows } = await posting.tx.executeQuery<Row>(
    CompiledQuery.raw(TEXT, [
      ...months,
      column(({ book }) => book),
      column(({ type }) => type),
      column(({ businessKey }) => businessKey),
      column(({ hash }) => hash),
      column(({ day }) => day),
      column(({ total }) => String(total)),
      column(({ ref }) => ref.type),
      column(({ ref }) => ref.id),
      column(({ ref }) => ref.no ?? null),
      column(({ memo }) => memo),
      column(({ originalId }) => originalId),
      column(({ whole }) => whole),
      column(({ holdId }) => holdId),
      column(({ actor }) => actor.id),
      column(({ actor }) => actor.name),
      posting.traceId,
      posting.now,
      keys.ids,
      keys.stripes,
      keys.hot,
      plans.reduce((sum, plan) => sum + mostEntries(plan), 0),
      column(({ at }) => at ?? null),
    ]),
  );
  return rows[0]!;
}

/** Writes the transfers of plans and locks what they move. */
export async function beginPosting(posting: Posting, facts: LedgerFacts, plans: readonly Plan[]): Promise<Begun> {
  const known = await facts.accounts.find(posting.tx, refsOf(plans), idsOf(plans));
  const row = await send(posting, plans, known);
  const fresh = new Map<string, WrittenTransfer>(
    (row.posted ?? []).map(([id, transferNo, book, businessKey]) => [`${book}:${businessKey}`, { id, transferNo }] as const),
  );
  const locked = lockedOf(posting.tx, facts, known, (row.locked ?? []).map(balanceRow));
  const seen = new Set<string>();
  return {
    transfers: plans.map((plan) => {
      const key = keyOf(plan);
      if (seen.has(key)) return null;
      seen.add(key);
      return fresh.get(key) ?? null;
    }),
    accounts: locked ?? (await lockAccounts(posting.tx, facts, refsOf(plans), idsOf(plans))),
    entryIds: row.entryIds ?? [],
  };
}
