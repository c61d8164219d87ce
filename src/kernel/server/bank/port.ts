import type { Day } from '../../contract/time.ts';

/** One payment as the bank is told of it. The account is in clear: it lives in memory and in the bank's file alone. */
export interface BankPayout {
  /** Our number of the payment, unique for ever; the bank's answer names it. */
  ref: string;
  amountFen: number;
  payeeName: string;
  account: string;
  bankName: string;
  /** Where the account is held (开户地); '' where nobody knows. */
  bankPlace: string;
  /** 联行号 of twelve digits; '' where nobody knows. */
  cnapsCode: string;
  /** What the payee reads. */
  purpose: string;
}

export interface BankBatch {
  /** Our number of the batch; the same number again is the same batch. */
  batchNo: string;
  payouts: readonly BankPayout[];
}

/** UNKNOWN: the bank did not answer, or does not know yet; it is asked again, never guessed. */
export interface BankAnswer {
  state: 'SUCCESS' | 'FAILED' | 'RETURNED' | 'UNKNOWN';
  /** As the bank paid it; whoever asks compares it with his own sum. */
  amountFen: number | null;
  /** The bank's number. Banks use their numbers again: it names a payment only together with our own reference and the day. */
  serial: string | null;
  day: Day | null;
  failReason: string | null;
}

/** Payments through a bank; files go out and come in without it (`bankFile.ts`, `results.ts`). */
export interface Bank {
  /** Whether anybody can be asked. Without, files are carried by hand and results come in as files. */
  readonly available: boolean;
  /**
   * UNKNOWN: it may have been taken; each payment is asked for, and nothing is sent again under another number.
   * @throws NotConnected where no bank is connected
   */
  submit(batch: BankBatch): Promise<'TAKEN' | 'REFUSED' | 'UNKNOWN'>;
  /** Null: the bank has never seen this payment. Where no bank is connected nobody knows, so all is UNKNOWN. */
  query(ref: string): Promise<BankAnswer | null>;
}

export const unknownPayout: BankAnswer = { state: 'UNKNOWN', amountFen: null, serial: null, day: null, failReason: null };
