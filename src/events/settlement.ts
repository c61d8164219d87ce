import * as z from 'zod/mini';
import { event } from '#kernel/contract/event.ts';

/** A doctor's performance belongs to another representative from a day on; null: to nobody. */
export const perfChanged = event(
  'settlement.perf.changed',
  z.strictObject({
    doctorId: z.string(),
    productLineId: z.string(),
    fromAgentId: z.nullable(z.string()),
    toAgentId: z.nullable(z.string()),
    effectiveDate: z.string(),
  }),
);

/** What a doctor has earned and was not paid yet. */
export const doctorBalanceChanged = event(
  'settlement.doctorBalance.changed',
  z.strictObject({ doctorId: z.string(), unsettledFen: z.int() }),
);

/** All payments of a batch have an answer of the bank for the first time; amounts are fen. */
export const batchFinished = event(
  'settlement.batch.finished',
  z.strictObject({
    batchNo: z.string(),
    payerEntityId: z.string(),
    taxMonth: z.string(),
    successFen: z.int(),
    taxFen: z.int(),
    failFen: z.int(),
  }),
);
