import type { Kernel } from '#kernel/server/kernel.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { ledgerOf, SYSTEM, tryLedger } from '#domains/ledger/server/index.ts';
import type { CaptureCommand, Spending } from './capture.ts';
import { holdCards, type HoldRequest, type Use } from './hold.ts';
import { reverseNow, type ReversalRequest } from './reverse.ts';
import { captureHolds, releaseHolds } from './several.ts';
import { usableCards } from './usable.ts';

/** Cards as domains use them that keep no books: each call in the open transaction of their business, as its last statement. */
export function cardsOf(kernel: Kernel) {
  const ledger = ledgerOf(kernel);
  return {
    usable: (db: Db | Tx, wanted: Parameters<typeof usableCards>[2], now: string) => usableCards(db, ledger, wanted, now),
    hold: (use: Use, request: Omit<HoldRequest, 'operator'>) =>
      holdCards(use, ledger, { ...request, operator: { ...SYSTEM, type: 'AUTO' } }),
    capture: (use: Spending, holdIds: readonly string[]) =>
      captureHolds(
        use,
        ledger,
        holdIds.map((holdId): CaptureCommand => ({ holdId, by: { ...SYSTEM, type: 'AUTO' } })),
      ),
    release: (use: Use, holdIds: readonly string[], reason: string) => releaseHolds(use, ledger, { holdIds, reason, by: SYSTEM }),
    reverse: (use: Spending, request: Omit<ReversalRequest, 'requestedBy'>) => reverseNow(use, ledger, { ...request, requestedBy: SYSTEM }),
    /** Runs what may be refused so that a refusal leaves the transaction as it was. */
    attempt: tryLedger,
  };
}
