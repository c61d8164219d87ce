/** Money is an integer number of fen (分); never a floating number. */
export type Fen = bigint | number | string;

/** A count or a number with its thousands set off, as people read it: `12,345`; of a decimal one the whole part. */
export const grouped = (value: number | string): string => String(value).replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** `12345` → `123.45`; with `group`, thousands are set off: `1,234.50`. */
export function yuan(fen: Fen, group = false): string {
  const amount = BigInt(fen);
  const absolute = amount < 0n ? -amount : amount;
  const whole = (absolute / 100n).toString();
  return `${amount < 0n ? '-' : ''}${group ? grouped(whole) : whole}.${(absolute % 100n).toString().padStart(2, '0')}`;
}

/** `123.45` → `12345n`; null when it is no amount of yuan with at most two decimals. */
export function fenOf(text: string): bigint | null {
  const match = /^(-?)(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const amount = BigInt(match[2]!) * 100n + BigInt((match[3] ?? '').padEnd(2, '0'));
  return match[1] ? -amount : amount;
}

/** `a ÷ b` for b > 0, half a fen up (below zero too: -0.5 is 0). */
export function halfUp(a: bigint, b: bigint): bigint {
  const [top, bottom] = [2n * a + b, 2n * b];
  const whole = top / bottom;
  return top % bottom < 0n ? whole - 1n : whole;
}

/** What the first `n` of `all` parts make of a sum, rounded down. */
const untilPart = (sum: Fen, all: Fen, n: bigint): bigint => (BigInt(sum) * n) / BigInt(all);

/**
 * What `more` parts of `all` make of a sum, after `before` of them were given: cumulative, so that however a sum is taken part by part, all
 * parts together are the sum. 10,000 in three: 3,333, 3,333, 3,334.
 * @throws RangeError where there are not so many parts
 */
export function shareOf(sum: Fen, all: Fen, before: Fen, more: Fen): bigint {
  const [first, last] = [BigInt(before), BigInt(before) + BigInt(more)];
  if (first < 0n || last < first || last > BigInt(all)) throw new RangeError(`parts ${first} to ${last} of ${all}`);
  return last === first ? 0n : untilPart(sum, all, last) - untilPart(sum, all, first);
}

/**
 * Divides a sum over parts by their weights, to the fen: what is left after rounding down goes to the largest remainders, the earlier part
 * first among equals. No part gets more than its weight as long as the sum is no more than all weights. Where nothing has a weight all
 * get the same.
 * @throws RangeError for a weight below zero, or a sum that nobody can take
 */
export function spread(sum: Fen, weights: readonly Fen[]): bigint[] {
  const amount = BigInt(sum);
  if (amount < 0n) return spread(-amount, weights).map((part) => -part);
  const given = weights.map(BigInt);
  if (given.some((weight) => weight < 0n)) throw new RangeError('a weight is below zero');
  const whole = given.reduce((all, one) => all + one, 0n);
  if (whole === 0n && given.length > 0)
    return spread(
      amount,
      given.map(() => 1n),
    );
  if (whole === 0n && amount !== 0n) throw new RangeError('nobody takes the sum');
  const parts = given.map((weight, at) => ({ at, floor: (amount * weight) / whole, rest: (amount * weight) % whole }));
  const left = Number(amount - parts.reduce((all, { floor }) => all + floor, 0n));
  const shares = parts.map(({ floor }) => floor);
  const byRest = parts.toSorted((a, b) => (a.rest === b.rest ? a.at - b.at : a.rest > b.rest ? -1 : 1));
  for (const { at } of byRest.slice(0, left)) shares[at]! += 1n;
  return shares;
}
