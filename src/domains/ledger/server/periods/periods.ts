import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Day } from '#kernel/contract/time.ts';
import { periodClosed, periodReopened } from '#events/ledger.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Book } from '../../contract/books.ts';
import { ledgerErrors } from '../../contract/errors.ts';
import { periodStates, type PeriodState } from '../../contract/states.ts';
import { platformErrors } from '#kernel/contract/errors.ts';
import type { Actor, Posting } from '../commands.ts';
import { own } from '../database.ts';
import type { LedgerFacts } from '../accounts/knownAccounts.ts';
import { prove } from '../proofs/prove.ts';

/** `2026-11` → `2026-10`. */
export function periodBefore(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`;
}
export function periodAfter(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
}

/** The month of a day and the next one exist in every book, so that midnight finds its period open. */
export async function openPeriods({ tx, now }: Pick<Posting, 'tx' | 'now'>, { chart }: LedgerFacts, day: Day): Promise<void> {
  const current = day.slice(0, 7);
  await sql`
    insert into ledger_period (book, period, opened_at)
      select book, period, ${now}::timestamptz
        from unnest(${[...chart.books]}::text[]) as book, unnest(${[current, periodAfter(current)]}::text[]) as period
        on conflict do nothing`.execute(tx);
}

async function lockPeriod(tx: Tx, book: Book, period: string) {
  // Waits for every posting under way in this month, and keeps new ones waiting. The key is the one that postings share in `begin.ts`.
  await lockKeys(tx, 'ledger.period', [`${book}:${period}`]);
  const row = await own(tx)
    .selectFrom('ledgerPeriod')
    .selectAll()
    .where('book', '=', book)
    .where('period', '=', period)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return row;
}

const statusOf = async (tx: Tx, book: Book, period: string): Promise<PeriodState | null> =>
  (await own(tx).selectFrom('ledgerPeriod').select('status').where('book', '=', book).where('period', '=', period).executeTakeFirst())
    ?.status ?? null;

const wrongState = (status: PeriodState) => refuse(platformErrors.WRONG_STATE, { state: periodStates.label(status) });

/**
 * From here on nothing more is posted in the period.
 * @throws Refusal SCM18031 while the one before is not closed, SCM90031
 */
export async function startClose({ tx }: Posting, book: Book, period: string): Promise<void> {
  const row = await lockPeriod(tx, book, period);
  if (row.status !== 'OPEN') throw wrongState(row.status);
  const before = await statusOf(tx, book, periodBefore(period));
  if (before !== null && before !== 'CLOSED') throw refuse(ledgerErrors.EARLIER_PERIOD_OPEN, { p: periodBefore(period) });
  await own(tx).updateTable('ledgerPeriod').set({ status: 'CLOSING' }).where('book', '=', book).where('period', '=', period).execute();
}

/** @throws Refusal SCM90031 */
export async function abortClose({ tx }: Posting, book: Book, period: string): Promise<void> {
  const row = await lockPeriod(tx, book, period);
  if (row.status !== 'CLOSING') throw wrongState(row.status);
  await own(tx).updateTable('ledgerPeriod').set({ status: 'OPEN' }).where('book', '=', book).where('period', '=', period).execute();
}

/**
 * Closes the period with the balances of its accounts, once a proof of the book found nothing.
 * @throws Refusal SCM18032, SCM90031
 */
export async function finishClose(posting: Posting, book: Book, period: string, actor: Actor): Promise<void> {
  const { tx, now } = posting;
  const row = await lockPeriod(tx, book, period);
  if (row.status !== 'CLOSING') throw wrongState(row.status);
  const proof = await prove(posting, book, 'CLOSE');
  const { rows: open } = await sql`select from ledger_finding where book = ${book} and status in ('OPEN', 'ASSIGNED') limit 1`.execute(tx);
  if (proof.status === 'FAILED' || open.length > 0) throw refuse(ledgerErrors.UNPROVEN, { keepWrites: true });
  await sql`
    insert into ledger_period_balance (book, period, account_id, closing_no, opening_fen, debit_fen, credit_fen, closing_fen, held_fen)
    with turnover as (
      select e.account_id, sum(e.amount_fen) filter (where e.side = 'D') as debit, sum(e.amount_fen) filter (where e.side = 'C') as credit
        from ledger_entry e
        join ledger_transfer t on t.id = e.transfer_id
        where t.book = ${book} and t.period = ${period}
        group by e.account_id
    ), opening as (
      select distinct on (p.account_id) p.account_id, p.closing_fen from ledger_period_balance p
       where p.book = ${book} and p.period = ${periodBefore(period)} order by p.account_id, p.closing_no desc
    )
    select ${book}, ${period}, a.id,
      coalesce((select max(closing_no) from ledger_period_balance x where x.book = ${book} and x.period = ${period}), 0) + 1,
           coalesce(o.closing_fen, 0), coalesce(t.debit, 0), coalesce(t.credit, 0),
           coalesce(o.closing_fen, 0) + case a.normal_side when 'D' then 1 else -1 end * (coalesce(t.debit, 0) - coalesce(t.credit, 0)),
           (select sum(b.held_fen) from ledger_balance b where b.account_id = a.id)
      from ledger_account a left join turnover t on t.account_id = a.id left join opening o on o.account_id = a.id
     where a.book = ${book} and (t.account_id is not null or o.account_id is not null)`.execute(tx);
  await own(tx)
    .updateTable('ledgerPeriod')
    .set({ status: 'CLOSED', closedAt: now, closedBy: actor.id, proofId: proof.proofId })
    .where('book', '=', book)
    .where('period', '=', period)
    .execute();
  await posting.publish(periodClosed, `${book}:${period}`, { book, period });
}

/** @throws Refusal SCM18033 where the next one is closed, SCM90031 */
export async function reopen(posting: Posting, book: Book, period: string): Promise<void> {
  const { tx } = posting;
  const row = await lockPeriod(tx, book, period);
  if (row.status !== 'CLOSED') throw wrongState(row.status);
  if ((await statusOf(tx, book, periodAfter(period))) === 'CLOSED') throw refuse(ledgerErrors.LATER_PERIOD_CLOSED);
  await own(tx)
    .updateTable('ledgerPeriod')
    .set({ status: 'OPEN', closedAt: null, closedBy: null, proofId: null })
    .where('book', '=', book)
    .where('period', '=', period)
    .execute();
  await posting.publish(periodReopened, `${book}:${period}`, { book, period });
}
