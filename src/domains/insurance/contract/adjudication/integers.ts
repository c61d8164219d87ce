import { halfUp, spread as spreadFen } from '#kernel/contract/money.ts';

const SAFE = Number.MAX_SAFE_INTEGER / 4;

/** `a × b ÷ c`, half up, for a, b ≥ 0: every division of the engine. Exact also where the product is beyond the safe integers. */
export function share(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= SAFE && c <= SAFE) return Math.floor((2 * product + c) / (2 * c));
  return Number(halfUp(BigInt(a) * BigInt(b), BigInt(c)));
}

/** Divides a sum over parts by their weights without losing a fen; where nothing has a weight nobody gets anything. */
export const spread = (total: number, weights: readonly number[]): number[] =>
  weights.every((weight) => weight === 0) ? weights.map(() => 0) : spreadFen(total, weights).map(Number);

/** A decimal text times a whole number, half up; null where the text is no number of zero or more. */
export function decimalTimes(text: string, factor: number, divisor: number): number | null {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return Number(halfUp(BigInt(whole + fraction) * BigInt(factor), BigInt(divisor) * 10n ** BigInt(fraction.length)));
}
