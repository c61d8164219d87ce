import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { analyzeTables } from '#kernel/server/database/analyze.ts';
import type { DemoContext, Kernel } from '#kernel/server/kernel.ts';
import { SYSTEM, type Posting } from '../commands.ts';
import { allowAnyOrder } from '../accounts/lockAccounts.ts';
import { ledgerOf } from '../books.ts';
import type { Book } from '../../contract/books.ts';
import { closingOf, beginOf, monthsTo } from './calendar.ts';
import { writeAdjustments } from './writeAdjustments.ts';
import { writeFindings } from './writeFindings.ts';

/** Days on which a proof ran at two in the morning. */
const PROOFS = 14;

/** The months of the demonstration are open before the owners of books post in them. */
export async function openMonths(ctx: DemoContext, kernel: Kernel): Promise<void> {
  const ledger = ledgerOf(kernel);
  await ctx.transaction(async ({ tx }) => {
    for (const month of monthsTo(dayOf(ctx.now))) await ledger.openPeriods({ tx, now: beginOf(month) }, `${month}-01`);
  });
}

interface Event {
  at: Instant;
  run(posting: Posting): Promise<unknown>;
}

/** What happened to a book by itself: months that were closed, and the nightly proofs. */
function eventsOf(ctx: DemoContext, kernel: Kernel, book: Book): Event[] {
  const ledger = ledgerOf(kernel);
  const today = dayOf(ctx.now);
  const months = monthsTo(today).slice(0, -1);
  const closings = months
    .filter((month) => closingOf(month) < ctx.now)
    .map((month): Event => ({
      at: closingOf(month),
      async run(posting) {
        await ledger.startClose(posting, book, month);
        // The last month of the insurers' book is being closed.
        if (book === 'INSURER' && month === months.at(-1)) return;
        await ledger.finishClose(posting, book, month, SYSTEM);
      },
    }));
  const proofs = Array.from({ length: PROOFS }, (_, before): Event => ({
    at: startOfDay(plusDays(today, -before), '02:00'),
    run: (posting) => ledger.prove(posting, book, 'NIGHTLY'),
  })).filter(({ at }) => at < ctx.now);
  return [...closings, ...proofs].toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

/** The ledger's own part, once all owners have posted: adjustments, months that are closed, proofs, and what one of them found. */
export async function writeBooks(ctx: DemoContext, kernel: Kernel): Promise<void> {
  const ledger = ledgerOf(kernel);
  await ctx.transaction(async (writing) => {
    allowAnyOrder(writing.tx);
    // All owners have posted: without what the tables hold the planner proves a book by loops within loops.
    await analyzeTables(writing.tx, 'ledger');
    const postingAt = (now: Instant): Posting => ({ ...writing, now, traceId: 'demo' });
    if (ledger.chart.books.includes('CARD')) await writeAdjustments(ctx, kernel, postingAt);
    for (const book of ledger.chart.books) {
      for (const { at, run } of eventsOf(ctx, kernel, book)) await run(postingAt(at));
    }
    if (ledger.chart.books.includes('CARD')) await writeFindings(ctx, writing.tx);
  });
}
