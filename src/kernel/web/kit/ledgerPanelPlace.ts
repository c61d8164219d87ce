import { slot } from '../slots.tsx';

export type LedgerTab = 'accounts' | 'entries' | 'holds' | 'lots' | 'adjustments' | 'proofs';

export interface LedgerPanelProps {
  /** As the ledger calls it: `CARD`. Absent: a switch between the books that the viewer may see. */
  book?: string;
  /** Only these accounts, or those of one owner; absent: all of the book. */
  scope?: { accountNos: readonly string[] } | { ownerType: string; ownerId: string };
  /** In this order; absent: all that the viewer may see. */
  tabs?: readonly LedgerTab[];
}

/** 账簿: accounts, entries, holds and lots of a book, or of some of its accounts; nothing for who may not see it. */
export const ledgerPanelPlace = slot<LedgerPanelProps>('ledgerPanel');
