import type { manualReasons, manualRejectReasons } from '../../contract/manualOrderDictionaries.ts';

export interface ManualSpec {
  /** Days before today on which it was registered; it was bought the day before. */
  came: number;
  ending: 'DRAFT' | 'PENDING_REVIEW' | 'REJECTED' | 'FAILED' | 'DONE' | 'VOIDED';
  reason: (typeof manualReasons.codes)[number];
  kinds: number;
  pieces: number;
  /** Of the same person, store, day and goods as an order that is there. */
  like?: true;
  /** Dearer than the store's list by a third. */
  dear?: true;
  /** So much that a lead reviews it. */
  high?: true;
  /** Paid by a stored-value card as far as it goes. */
  card?: true;
  rejection?: (typeof manualRejectReasons.codes)[number];
}

/** By how far they came. What holds value is of today: a hold lasts three days. */
export const manualSpecs: readonly ManualSpec[] = [
  { came: 0, ending: 'DRAFT', reason: 'OFFLINE_SALE', kinds: 1, pieces: 1 },
  { came: 0, ending: 'DRAFT', reason: 'SYSTEM_DOWN', kinds: 2, pieces: 2 },
  { came: 1, ending: 'DRAFT', reason: 'STORE_MISS', kinds: 1, pieces: 3 },
  { came: 2, ending: 'DRAFT', reason: 'OFFLINE_SALE', kinds: 2, pieces: 1 },
  { came: 4, ending: 'DRAFT', reason: 'CORRECTION', kinds: 1, pieces: 1 },
  { came: 0, ending: 'PENDING_REVIEW', reason: 'OFFLINE_SALE', kinds: 2, pieces: 2 },
  { came: 0, ending: 'PENDING_REVIEW', reason: 'OFFLINE_SALE', kinds: 1, pieces: 1, like: true },
  { came: 0, ending: 'PENDING_REVIEW', reason: 'STORE_MISS', kinds: 1, pieces: 1, dear: true },
  { came: 0, ending: 'PENDING_REVIEW', reason: 'SYSTEM_DOWN', kinds: 1, pieces: 1, high: true },
  { came: 0, ending: 'PENDING_REVIEW', reason: 'OFFLINE_SALE', kinds: 1, pieces: 2, card: true },
  { came: 1, ending: 'PENDING_REVIEW', reason: 'CORRECTION', kinds: 2, pieces: 1 },
  { came: 1, ending: 'REJECTED', reason: 'OFFLINE_SALE', kinds: 1, pieces: 2, rejection: 'RECEIPT_UNCLEAR' },
  { came: 3, ending: 'REJECTED', reason: 'STORE_MISS', kinds: 2, pieces: 1, rejection: 'LINES_DIFFER' },
  { came: 8, ending: 'REJECTED', reason: 'OFFLINE_SALE', kinds: 1, pieces: 1, rejection: 'NO_RX' },
  { came: 0, ending: 'FAILED', reason: 'SYSTEM_DOWN', kinds: 1, pieces: 2 },
  { came: 2, ending: 'FAILED', reason: 'OFFLINE_SALE', kinds: 2, pieces: 1 },
  { came: 0, ending: 'DONE', reason: 'OFFLINE_SALE', kinds: 1, pieces: 1, card: true },
  { came: 2, ending: 'DONE', reason: 'OFFLINE_SALE', kinds: 1, pieces: 2, like: true },
  { came: 5, ending: 'DONE', reason: 'SYSTEM_DOWN', kinds: 2, pieces: 1 },
  { came: 11, ending: 'DONE', reason: 'STORE_MISS', kinds: 1, pieces: 2, dear: true },
  { came: 19, ending: 'DONE', reason: 'OFFLINE_SALE', kinds: 2, pieces: 3 },
  { came: 33, ending: 'DONE', reason: 'CORRECTION', kinds: 1, pieces: 1 },
  { came: 6, ending: 'VOIDED', reason: 'OFFLINE_SALE', kinds: 1, pieces: 1 },
  { came: 14, ending: 'VOIDED', reason: 'STORE_MISS', kinds: 1, pieces: 2 },
];
