import type { Column } from './columns.ts';
import { plainText } from './plainText.ts';
import { NOTHING, showRate } from './values.tsx';
import { grouped, yuan } from '../../contract/money.ts';

// How wide a column is for the rows that it shows: numbers, days, states and identifiers as wide as their longest text, since each of their
// characters counts; names and paths give way, with their whole text at hand.

const [WIDE, CAPITAL, DIGIT, NARROW] = [13, 10.2, 8.35, 7.8];
const PADDING = 22;
/** Of a coloured tag around its text, whose letters are smaller. */
const TAG = 15;
const SORT = 16;
const STEP = 4;
/** Of a column that gives way. */
const LEAST = 92;
const MOST_IDENTIFIER = 300;
/** Most of a name that the list is about. */
const MOST_NAME = 240;

/** Pixels of a text in a cell. */
export function textWidth(text: string): number {
  let width = 0;
  for (const letter of text)
    width += letter > '\u2e00' ? WIDE : letter >= 'A' && letter <= 'Z' ? CAPITAL : letter >= '0' && letter <= '9' ? DIGIT : NARROW;
  return width;
}

const INSTANT = '2026-12-31 23:59:59';
const DAY = '2026-12-31';
/** Numbers and codes as machines and registers write them. */
const IDENTIFIER = /^[\w*+./-]{4,40}$/;
/** Days, amounts, counts and what lies between two of them: `2026-01-01 至 长期`, `33.00–290.00`, `2000 04** **** 0064`, `0 / 200`. */
const MEASURE = /^(?:[\d\s*+.,:/%¥–→—-]|至|长期|即日|立即|不限)+$/;

/** Whether each character of a text counts. */
export const isMeasure = (text: string): boolean => MEASURE.test(text);

/** Widths of a column: the one that it wishes, and the least with which it says what it is there for. */
export interface Fit {
  width: number;
  least: number;
  /** As wide as the operator made it: no room that is left over goes to it. */
  kept?: boolean;
}

const cellOf = <Row extends object>(column: Column<Row>, row: Row): unknown =>
  column.value ? column.value(row) : (row as Readonly<Record<string, unknown>>)[column.key];

/** What a cell shows, of the kinds that are as wide as their text; null: the column's own width decides. */
function exactText<Row extends object>(column: Column<Row>, row: Row): string | null {
  const value = cellOf(column, row);
  const text = plainText(value);
  if (text === '' && column.kind !== 'custom' && column.kind !== 'image') return NOTHING;
  switch (column.kind) {
    case 'money':
      return yuan(text, true);
    case 'rate':
      return showRate(Number(value));
    case 'number':
      return grouped(text);
    case 'month':
      return text;
    case 'day':
      return text.length > DAY.length ? text : DAY;
    case 'time':
      return INSTANT;
    case 'flag':
      return '是';
    case 'dict':
      return column.dictionary.label(text);
    default:
      return null;
  }
}

/** @param own the operator's own width, which counts as it is */
export function fitOf<Row extends object>(
  column: Column<Row>,
  {
    rows,
    wish,
    own,
    sorts,
    vital = false,
  }: { rows: readonly Row[]; wish: number; own?: number | undefined; sorts: boolean; vital?: boolean },
): Fit {
  if (own !== undefined) return { width: own, least: own, kept: true };
  const head = textWidth(column.title) + PADDING + (sorts ? SORT : 0);
  const exactly = (texts: readonly string[], more = 0): Fit => {
    const width = Math.ceil(Math.max(head, ...texts.map((text) => textWidth(text) + PADDING + more)) / STEP) * STEP;
    return { width, least: width };
  };
  const shown = rows.map((row) => exactText(column, row));
  const exact = shown.filter((text) => text !== null);
  if (rows.length > 0 && exact.length === rows.length) return exactly(exact, column.kind === 'dict' && !column.plain ? TAG - 4 : 0);
  // One that is drawn by the page and says its text too is as wide as that.
  const drawn = column.kind === 'custom' && column.value === undefined;
  if (drawn || column.kind === 'image' || column.kind === 'masked') return { width: wish, least: Math.min(wish, LEAST * 1.5) };
  const texts = rows.map((row) => plainText(cellOf(column, row))).filter((text) => text !== '');
  if (texts.length > 0 && texts.every((text) => IDENTIFIER.test(text) || isMeasure(text))) {
    const fit = exactly(texts);
    return fit.width > MOST_IDENTIFIER ? { width: MOST_IDENTIFIER, least: MOST_IDENTIFIER } : fit;
  }
  const needed = texts.length === 0 ? wish : exactly(texts).width;
  if (vital) {
    const whole = Math.max(head, Math.min(needed, MOST_NAME));
    return { width: whole, least: whole };
  }
  // Among words, as in `领取后30天` beside a period.
  const counted = Math.min(MOST_IDENTIFIER, exactly(texts.filter(isMeasure)).width);
  const width = Math.max(counted, Math.min(wish, needed));
  return { width, least: Math.max(counted, Math.min(width, LEAST)) };
}
