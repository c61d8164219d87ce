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
