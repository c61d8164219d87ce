/** This many messages stand in the page at most. */
export const MOST_SHOWN = 400;
const STEP = 60;

/** Which part of the loaded messages stands in the page: `from` inclusive, `to` exclusive. */
export interface Range {
  from: number;
  to: number;
}

const at = (from: number, count: number): Range => ({ from: Math.max(0, from), to: Math.min(count, Math.max(0, from) + MOST_SHOWN) });

/** The newest ones. */
export const atEnd = (count: number): Range => ({ from: Math.max(0, count - MOST_SHOWN), to: count });

/** Older messages came before the first: what is shown stays, the new ones join it, the newest leave beyond the limit. */
export const afterPrepend = (range: Range, added: number, count: number): Range =>
  at(range.from === 0 ? 0 : range.from + added, Math.min(count, range.to + added));

/** Newer messages came behind the last one. */
export const afterAppend = (range: Range, before: number, count: number, follow: boolean): Range =>
  follow || (range.to === before && count - range.from <= MOST_SHOWN) ? (follow ? atEnd(count) : { from: range.from, to: count }) : range;

/** Upwards within what is loaded. */
export const shiftUp = (range: Range, count: number): Range => at(range.from - STEP, count);
/** Downwards within what is loaded. */
export function shiftDown(range: Range, count: number): Range {
  const to = Math.min(count, range.to + STEP);
  return { from: Math.max(range.from, to - MOST_SHOWN), to };
}
/** So that one place is in the middle. */
export const around = (index: number, count: number): Range =>
  at(Math.min(Math.max(0, index - MOST_SHOWN / 2), Math.max(0, count - MOST_SHOWN)), count);
