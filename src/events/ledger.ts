import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/** Amounts are fen. */
export const transferPosted = event(
  'ledger.transfer.posted',
  z.strictObject({
    transferId: z.string(),
    transferNo: z.string(),
    book: z.string(),
    transferType: z.string(),
    refType: z.string(),
    refId: z.string(),
    totalFen: z.int(),
    postingDate: z.string(),
  }),
);

export const holdTimedOut = event(
  'ledger.hold.timedOut',
  z.strictObject({ holdId: z.string(), businessKey: z.string(), refType: z.string(), refId: z.string(), releasedFen: z.int() }),
);

export const lotExpired = event(
  'ledger.lot.expired',
  z.strictObject({
    accountNo: z.string(),
    ownerType: z.string(),
    ownerId: z.string(),
    lotId: z.string(),
    refType: z.string(),
    refId: z.string(),
    amountFen: z.int(),
  }),
);

const frozen = z.strictObject({
  accountNo: z.string(),
  ownerType: z.string(),
  ownerId: z.string(),
  reason: z.string(),
  operatorId: z.string(),
});
export const accountFrozen = event('ledger.account.frozen', frozen);
export const accountUnfrozen = event('ledger.account.unfrozen', frozen);

const period = z.strictObject({ book: z.string(), period: z.string() });
export const periodClosed = event('ledger.period.closed', period);
export const periodReopened = event('ledger.period.reopened', period);
