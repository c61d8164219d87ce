/** The middle of some numbers; of an even count the mean of the two in the middle, rounded half up. */
export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : Math.floor(((sorted[middle - 1] ?? 0) + upper + 1) / 2);
}

/** The smallest number that at least so many of ten thousand do not exceed (nearest rank). */
export function percentile(values: readonly number[], bp: number): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((sorted.length * bp) / 10_000) - 1)] ?? null;
}

/** A part in ten-thousandths, rounded half up; null of nothing. */
export const shareBp = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 20_000 + whole) / (2 * whole));

/** Mean rounded half up; null of nothing. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : Math.floor((values.reduce((sum, value) => sum + value, 0) * 2 + values.length) / (2 * values.length));
