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

/** Part of its width that a column may lose rather than be pushed out of sight. */
const LEAST_PART = 0.75;

/**
 * Widths that fill the room exactly, so that no column is cut in two by the fixed columns beside it: what is left over
 * goes to the columns in proportion. Of wider tables the first columns fill the room, and the others follow beyond it.
 */
export function fitted(widths: readonly number[], room: number): readonly number[] {
  let used = 0;
  let count = 0;
  while (count < widths.length && used + widths[count]! <= room) used += widths[count++]!;
  if (count === widths.length) return stretch(widths, room);
  const next = widths[count]!;
  if (room - used >= next * LEAST_PART) return widths.with(count, room - used);
  return [...stretch(widths.slice(0, count), room), ...widths.slice(count)];
}

function stretch(widths: readonly number[], room: number): readonly number[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total === 0) return widths;
  let given = 0;
  return widths.map((width, index) => {
    const stretched = index === widths.length - 1 ? room - given : Math.floor((width / total) * room);
    given += stretched;
    return stretched;
  });
}

export const sumOf = (widths: readonly number[], from: number, to: number): number =>
  widths.slice(from, to).reduce((sum, width) => sum + width, 0);
