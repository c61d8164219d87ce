import type { AccountRef } from '#domains/ledger/server/index.ts';
import { bonusCostOf, committedOf, type Funder, fundOf, receivableOf } from '../chart.ts';

/** Whose the expired value is: who funded it, unless the card type keeps it. */
export function shareOf(lot: Funder & { kind: 'PRINCIPAL' | 'BONUS'; fundingMode: string; expiryPolicy: string }): AccountRef | null {
  if (lot.kind === 'BONUS') return lot.funder === 'PLATFORM' ? bonusCostOf(lot) : receivableOf(lot);
  if (lot.fundingMode === 'ON_USE') return committedOf(lot);
  if (lot.expiryPolicy === 'BREAKAGE' || lot.fundingMode === 'SALE') return null;
  return lot.fundingMode === 'PREPAID' ? fundOf(lot) : receivableOf(lot);
}
