import { fenOf } from '../../contract/money.ts';
import type { Day } from '../../contract/time.ts';
import type { ImportCell, ImportColumn } from './importer.ts';
import { cellText, halfWidth, type RawCell } from './normalise.ts';

export type ParsedCell = { value: ImportCell } | { fault: string };

const DEFAULT_LENGTH = 500;
/** Excel counts days from here (with its leap year of 1900). */
const SERIAL_EPOCH = Date.UTC(1899, 11, 30);

function dayOfParts(year: number, month: number, date: number): Day | null {
  const at = new Date(Date.UTC(year, month - 1, date));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === date ? at.toISOString().slice(0, 10) : null;
}

/** `2026-1-5`, `2026/01/05`, `2026年1月5日`, `20260105`, `2026-01-05 08:00:00` or a serial number of Excel. */
export function dayOfText(text: string): Day | null {
  const match = /^(\d{4})(?:[-/.年])(\d{1,2})(?:[-/.月])(\d{1,2})日?(?:[ T].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (match) return dayOfParts(Number(match[1]), Number(match[2]), Number(match[3]));
  const serial = Number(text);
  return /^\d{5}(\.\d+)?$/.test(text) && serial >= 10_000
    ? new Date(SERIAL_EPOCH + Math.floor(serial) * 86_400_000).toISOString().slice(0, 10)
    : null;
}

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** Second-generation id card: birth date and check character (GB 11643). */
export function isIdNo(text: string): boolean {
  if (!/^\d{17}[\dX]$/.test(text) || !dayOfText(text.slice(6, 14))) return false;
  const sum = ID_WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return '10X98765432'[sum % 11] === text[17];
}

/** Basis points: `1.25%` → 125; a bare number is a fraction, as Excel stores percents (`0.0125` → 125). */
function bpOf(text: string): number | null {
  const match = /^(-?\d+)(?:\.(\d+))?(%?)$/.exec(text);
  if (!match) return null;
  const digits = match[3] ? 2 : 4;
  const rest = (match[2] ?? '').replace(/0+$/, '');
  if (rest.length > digits) return null;
  const value = Number(`${match[1]}${rest.padEnd(digits, '0')}`);
  return Number.isSafeInteger(value) ? value : null;
}

type Parse = (column: ImportColumn, text: string) => ImportCell | undefined;

const bare = (text: string) => halfWidth(text).replaceAll(/[,\s]/g, '');

/** `undefined` = not of this type. */
const parsers: Record<Exclude<ImportColumn['type'], 'text'>, { parse: Parse; fault: string }> = {
  int: {
    parse: (_column, text) => (/^-?\d{1,15}$/.test(bare(text)) ? Number(bare(text)) : undefined),
    fault: '须为整数',
  },
  money: {
    parse: (_column, text) => fenOf(bare(text).replace(/^[¥￥]|元$/g, '')) ?? undefined,
    fault: '须为金额，最多两位小数',
  },
  bp: { parse: (_column, text) => bpOf(bare(text)) ?? undefined, fault: '须为百分比，最多两位小数，如1.25%' },
  day: { parse: (_column, text) => dayOfText(halfWidth(text).trim()) ?? undefined, fault: '须为日期，格式YYYY-MM-DD' },
  dict: {
    parse: (column, text) => column.dictionary?.options.find(({ value, label }) => label === text || value === text)?.value,
    fault: '不在可选范围内',
  },
  adcode: { parse: (_column, text) => (/^\d{6}$/.test(bare(text)) ? bare(text) : undefined), fault: '须为6位行政区划代码' },
  mobile: {
    parse: (_column, text) => {
      const number = bare(text)
        .replaceAll('-', '')
        .replace(/^\+?86(?=1\d{10}$)/, '');
      return /^1[3-9]\d{9}$/.test(number) ? number : undefined;
    },
    fault: '须为11位手机号码',
  },
  idNo: {
    parse: (_column, text) => {
      const number = bare(text).toUpperCase();
      return isIdNo(number) ? number : undefined;
    },
    fault: '不是有效的18位身份证号码',
  },
};

/** Reads one cell by the type of its column; the fault is a Chinese sentence that names the column. */
export function parseCell(column: ImportColumn, raw: RawCell): ParsedCell {
  if (typeof raw === 'number' && Number.isInteger(raw) && Math.abs(raw) > 999_999_999_999_999) {
    return { fault: `${column.label}超过15位，请把单元格设为文本格式后重新填写` };
  }
  const text = cellText(raw);
  if (text === '') return column.required ? { fault: `${column.label}不能为空` } : { value: null };
  if (column.type === 'text') {
    const max = column.maxLength ?? DEFAULT_LENGTH;
    return text.length > max ? { fault: `${column.label}最多${max}个字符` } : checked(column, text);
  }
  const { parse, fault } = parsers[column.type];
  const value = parse(column, text);
  return value === undefined ? { fault: `${column.label}${fault}` } : checked(column, value);
}

function checked(column: ImportColumn, value: ImportCell): ParsedCell {
  const fault = column.check?.(value) ?? null;
  return fault === null ? { value } : { fault };
}
