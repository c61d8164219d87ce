/** A decimal number in text, never a float: optional sign, digits, optional fraction. */
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?$/;

export const isDecimal = (text: string): boolean => DECIMAL.test(text);

const partsOf = (text: string) => {
  const match = DECIMAL.exec(text);
  if (!match) throw new Error(`not a decimal number: ${text}`);
  return { negative: match[1] === '-', whole: match[2]!, fraction: match[3] ?? '' };
};

const scaled = (parts: ReturnType<typeof partsOf>, digits: number): bigint => {
  const amount = BigInt(parts.whole + parts.fraction.padEnd(digits, '0'));
  return parts.negative ? -amount : amount;
};

/**
 * Compares two decimal texts exactly, whatever their number of digits: `7.10` equals `7.1`.
 * @returns -1, 0 or 1
 * @throws Error when one of them is no decimal number
 */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  // Up to fifteen digits no two decimals share a float.
  if (left.length <= 15 && right.length <= 15 && isDecimal(left) && isDecimal(right)) {
    const [x, y] = [Number(left), Number(right)];
    return x < y ? -1 : x > y ? 1 : 0;
  }
  const a = partsOf(left);
  const b = partsOf(right);
  const digits = Math.max(a.fraction.length, b.fraction.length);
  const x = scaled(a, digits);
  const y = scaled(b, digits);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Number of digits behind the dot as written. */
export const decimalsOf = (text: string): number => partsOf(text).fraction.length;
