import { halfUp } from '#kernel/contract/money.ts';

/** 10,000 basis points are the whole. */
export const WHOLE_BP = 10_000n;

/** What the platform keeps of a line that it pays to a merchant. */
export const feeOf = (amount: bigint, rateBp: number): bigint => halfUp(amount * BigInt(rateBp), WHOLE_BP);

/**
 * What it gives back of that with a reversal: rounded over all reversals together, so that a full reversal gives back exactly the fee.
 * @param before what was reversed of the line, and given back of its fee, until now
 */
export const reversalFeeOf = (line: { amount: bigint; fee: bigint }, before: { amount: bigint; fee: bigint }, amount: bigint): bigint =>
  line.amount === 0n ? 0n : halfUp(line.fee * (before.amount + amount), line.amount) - before.fee;
