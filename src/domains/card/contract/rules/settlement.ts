import { sumOf } from './rounding.ts';

/** A settlement line as sums see it: amount and fee are signed, a reversal's are negative. */
export interface SummedLine {
  sourceType: 'WRITE_OFF' | 'REVERSAL' | 'GRANT' | 'ADJUST';
  amount: bigint;
  fee: bigint;
}
export interface BillSums {
  gross: bigint;
  /** Positive. */
  reversal: bigint;
  fee: bigint;
  adjust: bigint;
  net: bigint;
}

/** A line's share of its bill's net amount; a funder pays no fee, its lines carry none. */
export const netOf = ({ amount, fee }: Pick<SummedLine, 'amount' | 'fee'>): bigint => amount - fee;

/** The sums of a bill; its net amount is always the sum of its lines' net amounts. */
export function billSums(lines: readonly SummedLine[]): BillSums {
  const taken = lines.filter(({ sourceType, amount }) => sourceType !== 'ADJUST' && amount < 0n);
  const given = lines.filter(({ sourceType, amount }) => sourceType !== 'ADJUST' && amount >= 0n);
  const gross = sumOf(given, ({ amount }) => amount);
  const reversal = -sumOf(taken, ({ amount }) => amount);
  const fee = sumOf(lines, (line) => line.fee);
  const adjust = sumOf(
    lines.filter(({ sourceType }) => sourceType === 'ADJUST'),
    ({ amount }) => amount,
  );
  return { gross, reversal, fee, adjust, net: gross - reversal - fee + adjust };
}

/** What has to be added to a bill so that a line says what the counterparty says. */
export const adjustmentOf = (ours: bigint, theirs: bigint): bigint => theirs - ours;

/** How far an amount changed against the one before, in percent, rounded; null without one. */
export const changePercent = (before: bigint, now: bigint): number | null =>
  before === 0n ? null : Math.round((Number(now - before) / Math.abs(Number(before))) * 100);

/** Face and bonus of all cards of a batch. */
export const batchTotal = (quantity: number, face: bigint, bonus: bigint): bigint => BigInt(quantity) * (face + bonus);
