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

/** Widths that fill the room: what is left over goes to the columns in proportion. */
export function stretch(widths: readonly number[], room: number): readonly number[] {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total === 0 || total >= room) return widths;
  let given = 0;
  return widths.map((width, index) => {
    const stretched = index === widths.length - 1 ? room - given : Math.floor((width / total) * room);
    given += stretched;
    return stretched;
  });
}

export const sumOf = (widths: readonly number[], from: number, to: number): number =>
  widths.slice(from, to).reduce((sum, width) => sum + width, 0);
