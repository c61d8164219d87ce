import type { Fit } from './columnWidths.ts';

/** Pixels of one row; cells are single lines, cut by CSS. */
export const ROW_HEIGHT = 35;
/** Rows above which only the visible ones are in the document. */
export const VIRTUAL_ABOVE = 60;
const ROWS_BEYOND = 6;
const PIXELS_BEYOND = 200;

export interface Range {
  from: number;
  /** Exclusive. */
  to: number;
}

/** Rows to draw for a scroll position. */
export function rowRange(count: number, top: number, height: number): Range {
  const from = Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_BEYOND);
  return { from, to: Math.min(count, Math.ceil((top + height) / ROW_HEIGHT) + ROWS_BEYOND) };
}

/** Columns to draw for a horizontal scroll position. */
export function columnRange(widths: readonly number[], left: number, width: number): Range {
  let at = 0;
  let from = -1;
  let to = widths.length;
  for (let index = 0; index < widths.length; index += 1) {
    const end = at + (widths[index] ?? 0);
    if (from === -1 && end > left - PIXELS_BEYOND) from = index;
    if (at > left + width + PIXELS_BEYOND) {
      to = index;
      break;
    }
    at = end;
  }
  return { from: Math.max(0, from), to };
}

/**
 * Widths that fill the room exactly, so that no column is cut in two by the fixed columns beside it. As many columns as have room with the
 * least of their widths share it; the others follow beyond. What is left over goes to those that could be wider.
 */
export function fitted(columns: readonly Fit[], room: number): readonly number[] {
  let used = 0;
  let count = 0;
  while (count < columns.length && used + columns[count]!.least <= room) used += columns[count++]!.least;
  const seen = columns.slice(0, Math.max(1, count));
  const wishes = seen.map(({ width }) => width);
  const wished = sumOf(wishes, 0, wishes.length);
  const beyond = columns.slice(seen.length).map(({ width }) => width);
  if (count === 0) return [...wishes, ...beyond];
  const gives = seen.map(({ width, least }) => width - least);
  const given = sumOf(gives, 0, gives.length);
  // Too much to give way for: each gives its part. Room to spare: those that give way elsewhere take it, else all of them.
  const shares = wished > room || given > 0 ? gives : seen.map(({ width, kept }) => (kept ? 0 : width));
  return [...share(wishes, shares, room - wished), ...beyond];
}

/** `wishes` and what is left (or lacking) by these shares; whole pixels that make up the sum, and nobody gives more than his share. */
function share(wishes: readonly number[], shares: readonly number[], rest: number): readonly number[] {
  const all = sumOf(shares, 0, shares.length);
  if (all === 0) return wishes;
  const parts = shares.map((part) => Math.trunc((part / all) * rest));
  let left = rest - sumOf(parts, 0, parts.length);
  for (let at = 0; left !== 0 && at < parts.length; at += 1) {
    if (shares[at] === 0 || (rest < 0 && -parts[at]! >= shares[at]!)) continue;
    parts[at]! += Math.sign(left);
    left -= Math.sign(left);
  }
  return wishes.map((wish, at) => wish + parts[at]!);
}

export const sumOf = (widths: readonly number[], from: number, to: number): number =>
  widths.slice(from, to).reduce((sum, width) => sum + width, 0);
