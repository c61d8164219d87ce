import type { Acting } from '#kernel/server/command/acting.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import type { Due } from './postings.ts';
import { moveIncome, settleBooks } from './write.ts';

/** Makes these incomes payable; what somebody else is changing just now is left for the next time. */
export async function matureIncomes(ctx: Acting, ledger: Ledger, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const incomes = await own(ctx.tx)
    .selectFrom('settlementIncome')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('status', '=', 'PENDING')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  const due: Due[] = [];
  for (const income of incomes) due.push({ income: await moveIncome(ctx, income, 'mature', '', { matured: true }), step: 'mature' });
  await settleBooks(ctx, ledger, due);
}
