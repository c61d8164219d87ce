import { CompiledQuery } from 'kysely';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { AccountRef, Posting } from '../commands.ts';
import type { KnownAccount, LedgerFacts } from '../accounts/knownAccounts.ts';
import { type BalanceRow, LOCK_KEY, lockAccounts, type LockedAccounts, lockedOf, lockKeys, lockText } from '../accounts/lockAccounts.ts';
import type { Plan } from './plan.ts';
import { type Columns, parametersOf, rowsText, rowsValues, textOf } from './rows.ts';
import { keyOf, periodOf, type WrittenTransfer } from './transfers.ts';

/** Accounts that plans name by what they are. */
const refsOf = (plans: readonly Plan[]): AccountRef[] =>
  plans.flatMap(({ lines }) =>
    lines.flatMap((line) => [...('id' in line.account ? [] : [line.account]), ...(line.lots?.kind === 'CHOOSE' ? line.lots.from : [])]),
  );
/** Accounts that they name by their ids. */
const idsOf = (plans: readonly Plan[]): string[] =>
  plans.flatMap(({ lines, unheld }) => [
    ...lines.flatMap(({ account }) => ('id' in account ? [account.id] : [])),
    ...unheld.map(({ accountId }) => accountId),
  ]);

const TRANSFER: Columns = [
  ['book', 'text'],
  ['type', 'text'],
  ['key', 'text'],
  ['hash', 'text'],
  ['day', 'date'],
  ['period', 'text'],
  ['total', 'bigint'],
  ['ref_type', 'text'],
  ['ref_id', 'text'],
  ['ref_no', 'text'],
  ['memo', 'text'],
  ['original', 'bigint'],
  ['whole', 'boolean'],
  ['hold', 'bigint'],
  ['operator_id', 'text'],
  ['operator_name', 'text'],
  ['made_at', 'timestamptz'],
  ['at', 'int'],
];

/**
 * Transfers, of which each business key makes one, and the balances that they move, in one way to the database. The insert waits for
 * whoever writes the same key. Balances are locked in one order for
 * all transactions, guarded accounts first and hot ones last. Ids of entries are drawn here, so that nobody waits for them later.
 */
const begin = textOf(
  (transfers, keys) => `
    with posted as (
      insert into ledger_transfer (
        transfer_no, book, transfer_type, business_key, payload_hash, posting_date, total_fen, ref_type, ref_id, ref_no, memo,
        original_transfer_id, whole, hold_id, operator_id, operator_name, trace_id, created_at)
      select 'LT' || to_char(u.day, 'YYYYMMDD') || lpad((nextval('ledger_transfer_no') % 100000000)::text, 8, '0'), u.book, u.type, u.key,
        u.hash, u.day, u.total,
             u.ref_type, u.ref_id, u.ref_no, u.memo, u.original, u.whole, u.hold, u.operator_id, u.operator_name, $1, u.made_at
        from ${rowsText('u', TRANSFER, transfers, 3)}
        join ledger_period p on p.book = u.book and p.period = u.period and p.status = 'OPEN'
       order by u.at
      on conflict (book, business_key) do nothing
      returning id, transfer_no, book, business_key
    ), locked as (${lockText(keys, 3 + parametersOf(TRANSFER, transfers))})
    select (select array_agg(array[id::text, transfer_no, book, business_key]) from posted) as posted,
           (select array_agg(nextval('ledger_entry_id_seq')::text) from generate_series(1, $2::int)) as entry_ids,
           -- Last: from here on others wait.
           (
             select array_agg(
               array[account_id::text, stripe::text, floor_fen::text, status, debit_total_fen::text, credit_total_fen::text, held_fen::text,
                                   last_entry_seq::text]) from locked) as locked`,
);

const MONTH: Columns = [
  ['book', 'text'],
  ['period', 'text'],
];

/**
 * Months stay open until the transaction ends: a close waits for it. A lock of its own, before the statement that looks whether they are
 * open, so that who waited for a close sees it; both go to the database together. Not `lockKeys`: shared, all months in one statement of
 * the measured path, by the key that `lockPeriod` takes. What a posting sends is the same whatever it moves: until its last statement it
 * is not planned anew each time.
 */
const lockMonths = textOf(
  (months) => `
  select set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true),
         pg_advisory_xact_lock_shared(hashtextextended('ledger.period:' || m.book || ':' || m.period, 0))
    from ${rowsText('m', MONTH, months, 1)}${WITH_COMMIT}`,
);

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
  const months = [...new Map(plans.map((plan) => [`${plan.book}:${periodOf(plan)}`, [plan.book, periodOf(plan)]])).entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, month]) => month);
  const sorted = plans.length === 1 ? plans : plans.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const transfers = sorted.map((plan, at) => [
    plan.book,
    plan.type,
    plan.businessKey,
    plan.hash,
    plan.day,
    periodOf(plan),
    String(plan.total),
    plan.ref.type,
    plan.ref.id,
    plan.ref.no ?? null,
    plan.memo,
    plan.originalId,
    plan.whole,
    plan.holdId,
    plan.actor.id,
    plan.actor.name,
    plan.at ?? posting.now,
    at,
  ]);
  const keys = lockKeys(posting.tx, known);
  const entries = plans.reduce((sum, plan) => sum + mostEntries(plan), 0);
  await posting.tx.executeQuery(CompiledQuery.raw(lockMonths(months.length), rowsValues(MONTH, months)));
  const { rows } = await posting.tx.executeQuery<Row>(
    CompiledQuery.raw(begin(transfers.length, keys.length), [
      posting.traceId,
      entries,
      ...rowsValues(TRANSFER, transfers),
      ...rowsValues(LOCK_KEY, keys),
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
