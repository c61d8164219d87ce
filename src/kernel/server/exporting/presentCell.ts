import { mask } from '../../contract/masking.ts';
import { yuan } from '../../contract/money.ts';
import { showInstant } from '../../contract/time.ts';
import type { XlsxCell } from '../documents/xlsxStream.ts';
import { Shown, Unreadable, type Cell, type ExportColumnFacts } from './source.ts';

/** Basis points as an exact decimal fraction: `125` → `0.0125`. */
function fraction(bp: bigint): string {
  const absolute = bp < 0n ? -bp : bp;
  return `${bp < 0n ? '-' : ''}${absolute / 10_000n}.${(absolute % 10_000n).toString().padStart(4, '0')}`;
}

const INTEGER = /^-?\d+$/;

/** Stands in the cell of a value that cannot be shown. */
export const UNREADABLE = '【数据异常】';

/** The cell that an export shows for a value, or the mark of one that cannot be shown, which is told to `report`. */
export function safeCell(column: ExportColumnFacts, value: Cell, plain: boolean, report: (error: unknown) => void): XlsxCell {
  try {
    if (value instanceof Unreadable) throw value.error;
    return presentCell(column, value, plain);
  } catch (error) {
    report(error);
    return { text: UNREADABLE };
  }
}

/** The cell that an export shows for a value. Numbers are made by integer division, never by floating point. */
export function presentCell(column: ExportColumnFacts, value: Exclude<Cell, Unreadable>, plain: boolean): XlsxCell {
  if (value === null || value === undefined || value === '') return { text: '' };
  if (value instanceof Shown) return { text: value.text };
  if (column.sensitive && !plain) return { text: mask(column.sensitive, String(value)) };
  switch (column.kind ?? 'text') {
    case 'money':
      return { text: yuan(typeof value === 'boolean' ? 0 : value), numeric: true, style: 'money' };
    case 'bp':
      return { text: fraction(BigInt(value)), numeric: true, style: 'percent' };
    case 'int':
      return INTEGER.test(String(value)) ? { text: String(value), numeric: true, style: 'integer' } : { text: String(value) };
    case 'day':
      return { text: String(value).slice(0, 10) };
    case 'instant':
      return { text: showInstant(String(value)) };
    case 'flag':
      return { text: value === true || value === 1 || value === 'true' ? '是' : '否' };
    case 'text':
      return { text: column.dictionary ? column.dictionary.label(String(value)) : String(value) };
  }
}

/** In CSV a rate reads as percent, because there is no cell format: `0.0125` → `1.25%`. */
export function asCsv(cell: XlsxCell): XlsxCell {
  if (cell.style !== 'percent') return cell;
  const [, sign, whole, rest] = /^(-?)(\d+)\.(\d{4})$/.exec(cell.text)!;
  const percent = `${BigInt(`${whole}${rest!.slice(0, 2)}`)}.${rest!.slice(2)}`;
  return { text: `${sign}${percent}%`, numeric: true };
}
