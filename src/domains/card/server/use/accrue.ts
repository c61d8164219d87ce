import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { SYSTEM, type Ledger, type Posting } from '#domains/ledger/server/index.ts';
import { own } from '../database.ts';
import { committedOf, funderKey, receivableOf } from '../chart.ts';
import { fundingOf, isOnUse } from './capture.ts';
import { lotsIn } from './hold.ts';

export const accrueReversalJob: JobKind<{ reversalId: string }> = {
  name: 'card.accrueReversal',
  label: '冲正冲减应收',
  retryLimit: 5,
  subject: ({ reversalId }) => reversalId,
};

type Funded = Awaited<ReturnType<typeof fundingOf>>[number];
const byFunder = (parts: readonly Funded[]) =>
  [...Map.groupBy(parts.filter(isOnUse), (part) => `${funderKey(part)}:${part.productCode ?? ''}`).values()].map((own) => ({
    funder: own[0]!,
    amount: own.reduce((sum, one) => sum + one.amount, 0n),
  }));

async function accrual(use: Posting, ledger: Ledger, holdId: string) {
  const hold = await own(use.tx).selectFrom('cardHold').selectAll().where('id', '=', holdId).executeTakeFirstOrThrow();
  const owed = byFunder(await fundingOf(use, lotsIn(hold.lots)));
  if (hold.state !== 'CAPTURED' || owed.length === 0) return null;
  for (const { funder } of owed) {
    await ledger.openAccount(use, receivableOf(funder), { ownerName: funderKey(funder) });
    await ledger.openAccount(use, committedOf(funder), { ownerName: funderKey(funder) });
  }
  return ledger.post(use, {
    businessKey: `card:hold:${holdId}:accrue`,
    book: 'CARD',
    type: 'CARD_ACCRUE',
    debit: owed.map(({ funder, amount }) => ({ account: receivableOf(funder), amount })),
    credit: owed.map(({ funder, amount }) => ({ account: committedOf(funder), amount })),
    ref: { type: 'cardAccrual', id: holdId, no: hold.holdNo },
    actor: SYSTEM,
  });
}

export const accrueHold = async (use: Posting, ledger: Ledger, holdId: string): Promise<void> => {
  await accrual(use, ledger, holdId);
};

/** The part of a reversal that a funder owed is owed no longer. */
export async function accrueReversal(use: Posting, ledger: Ledger, reversalId: string): Promise<void> {
  const reversal = await own(use.tx)
    .selectFrom('cardReversal as r')
    .innerJoin('cardWriteOff as w', 'w.id', 'r.writeOffId')
    .select(['r.id', 'r.lots', 'w.holdId', 'r.opinion'])
    .where('r.id', '=', reversalId)
    .executeTakeFirstOrThrow();
  const back = byFunder(await fundingOf(use, lotsIn(reversal.lots)));
  if (back.length === 0) return;
  const done = await accrual(use, ledger, reversal.holdId);
  if (!done) return;
  const legs: { entryId: string; amount: bigint }[] = [];
  for (const { funder, amount } of back)
    for (const ref of [receivableOf(funder), committedOf(funder)]) {
      const { accountNo } = await ledger.openAccount(use, ref, { ownerName: funderKey(funder) });
      const entry = done.entries.find((one) => one.accountNo === accountNo);
      if (entry) legs.push({ entryId: entry.entryId, amount });
    }
  await ledger.refund(use, {
    transfer: done.transferId,
    businessKey: `card:rv:${reversalId}:accrue`,
    legs,
    reason: '核销冲正',
    actor: SYSTEM,
  });
}
