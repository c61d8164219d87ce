/** Half up to one: `floor((2a+b)/(2b))`, for a ≥ 0 and b > 0. Every division of the engine is one of these. */
function halfUp(a: bigint, b: bigint): number {
  return Number((2n * a + b) / (2n * b));
}

const SAFE = Number.MAX_SAFE_INTEGER / 4;

/** `a × b ÷ c`, half up; exact also where the product is beyond the safe integers. */
export function share(a: number, b: number, c: number): number {
  const product = a * b;
  if (product <= SAFE && c <= SAFE) return Math.floor((2 * product + c) / (2 * c));
  return halfUp(BigInt(a) * BigInt(b), BigInt(c));
}

/**
 * Divides a sum over parts by their weights without losing a fen: what is left after rounding down goes to the
 * largest remainders, the earlier part first among equals.
 */
export function spread(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, one) => sum + BigInt(one), 0n);
  if (whole === 0n) return weights.map(() => 0);
  const parts = weights.map((weight, index) => {
    const product = BigInt(total) * BigInt(weight);
    return { index, floor: Number(product / whole), rest: product % whole };
  });
  let left = total - parts.reduce((sum, { floor }) => sum + floor, 0);
  const shares = parts.map(({ floor }) => floor);
  for (const { index } of parts.toSorted((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))) {
    if (left <= 0) break;
    shares[index]! += 1;
    left -= 1;
  }
  return shares;
}

/** A decimal text times a whole number, half up; null where the text is no number of zero or more. */
export function decimalTimes(text: string, factor: number, divisor: number): number | null {
  const match = /^(\d{1,15})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return null;
  const [, whole = '', fraction = ''] = match;
  return halfUp(BigInt(whole + fraction) * BigInt(factor), BigInt(divisor) * 10n ** BigInt(fraction.length));
}
