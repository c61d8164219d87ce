import { refuse } from '../../contract/errors.ts';
import { fileErrors } from '../../contract/fileErrors.ts';
import { BadZip } from '../documents/zipRead.ts';
import { NOT_CALCULATED, type RawCell } from './normalise.ts';
import { shownNumber } from './sheetNumbers.ts';
import { textIn, textOfValue, type Sheet, type Workbook } from './workbook.ts';
import { attributeOf, xmlElements } from './xmlElements.ts';

export interface SheetRow {
  /** Row of the sheet as its margin counts it, blank ones too. */
  rowNo: number;
  cells: readonly RawCell[];
  /** The operator does not see it: hidden by hand, by a filter or in a folded group. */
  hidden: boolean;
}

/** Cells that are one to the operator; rows and columns count from 0. */
export interface Merged {
  ref: string;
  fromRow: number;
  toRow: number;
  fromColumn: number;
  toColumn: number;
}

const MOST_COLUMNS = 16_384;

/** `C7` → column 2, row 6. */
function placeOf(ref: string): { row: number; column: number } | null {
  const found = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(ref);
  if (!found) return null;
  let column = 0;
  for (const letter of found[1] ?? '') column = column * 26 + letter.charCodeAt(0) - 64;
  return column > MOST_COLUMNS ? null : { row: Number(found[2]) - 1, column: column - 1 };
}

function mergedOf(ref: string): Merged | null {
  const [first, last = first] = ref.split(':');
  const [from, to] = [placeOf(first ?? ''), placeOf(last ?? '')];
  return from && to ? { ref, fromRow: from.row, toRow: to.row, fromColumn: from.column, toColumn: to.column } : null;
}

const CELL = /<(?:\w+:)?c((?:\s[^>]*?)?)(?:\/>|>([\s\S]*?)<\/(?:\w+:)?c>)/g;
const ATTRIBUTE = /\s(r|s|t)=["']([^"']*)["']/g;
const VALUE = /<(?:\w+:)?v(?:\s[^>]*)?>([\s\S]*?)<\/(?:\w+:)?v>/;
const FORMULA = /<(?:\w+:)?f[\s>/]/;

function cellOf({ strings, looks, from1904 }: Workbook, type: string, style: string, xml: string): RawCell {
  if (type === 'inlineStr') return textIn(xml);
  const value = VALUE.exec(xml)?.[1];
  if (value === undefined) {
    // A value of no signs (`<v/>`) is the empty text of a formula.
    if (!FORMULA.test(xml) || /<(?:\w+:)?v\s*\/>/.test(xml)) return undefined;
    return NOT_CALCULATED;
  }
  switch (type) {
    case 's':
      return strings[Number(value)] ?? '#REF!';
    case 'str':
    case 'd':
    case 'e':
      return textOfValue(value);
    case 'b':
      return value === '1' || value === 'true' ? '是' : '否';
    default:
      return value.trim() === '' ? undefined : shownNumber(value.trim(), looks[Number(style)] ?? { kind: 'plain' }, from1904);
  }
}

function cellsOf(book: Workbook, row: string): RawCell[] {
  const cells: RawCell[] = [];
  let next = 0;
  for (const [, tag = '', xml = ''] of row.matchAll(CELL)) {
    let [ref, style, type] = ['', '', ''];
    for (const [, name, value = ''] of tag.matchAll(ATTRIBUTE)) {
      if (name === 'r') ref = value;
      else if (name === 's') style = value;
      else type = value;
    }
    const column = ref === '' ? next : placeOf(ref)?.column;
    if (column === undefined || column >= MOST_COLUMNS) throw new BadZip('broken cell');
    while (cells.length < column) cells.push(undefined);
    cells[column] = cellOf(book, type, style, xml);
    next = column + 1;
  }
  return cells;
}

/**
 * Rows of a sheet, read on as they are taken: memory holds the workbook's texts and one row, however many there are.
 * @param merged takes the merged cells, which stand behind all rows
 * @throws Refusal SCM02043 with the row at which it stopped, where the sheet is broken
 */
export async function* xlsxRows(book: Workbook, sheet: Sheet, merged: Merged[] = []): AsyncGenerator<SheetRow, void, undefined> {
  let rowNo = 0;
  try {
    for await (const { name, xml } of xmlElements(book.bytes, sheet.entry, 'worksheet', ['row', 'mergeCell'])) {
      const tag = xml.slice(0, xml.indexOf('>') + 1);
      if (name === 'mergeCell') {
        const one = mergedOf(attributeOf(tag, 'ref') ?? '');
        if (one) merged.push(one);
        continue;
      }
      const numbered = attributeOf(tag, 'r');
      rowNo = numbered === undefined ? rowNo + 1 : Number(numbered);
      yield { rowNo, cells: cellsOf(book, xml), hidden: /^(?:1|true)$/.test(attributeOf(tag, 'hidden') ?? '') };
    }
  } catch (error) {
    if (error instanceof BadZip) throw refuse(fileErrors.STOPPED, { row: rowNo + 1, reason: '文件已损坏' });
    throw error;
  }
}
