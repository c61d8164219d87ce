import { fenOf } from '../../contract/money.ts';
import { idNumberFault } from '../../contract/idNumber.ts';
import { mobileForm } from '../../contract/plainText.ts';
import type { Day } from '../../contract/time.ts';
import type { ImportCell, ImportColumn } from './importer.ts';
import { brokenBy, cellText, halfWidth, type RawCell } from './normalise.ts';

export type ParsedCell = { value: ImportCell } | { fault: string };

const DEFAULT_LENGTH = 500;
const [FIRST_YEAR, LAST_YEAR] = [1900, 2199];

const DAYS = [
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/,
  /^(\d{4})(年)(\d{1,2})月(\d{1,2})日?$/,
  /^(\d{4})()(\d{2})(\d{2})$/,
];

/** `2026-1-5`, `2026/01/05`, `2026年1月5日`, `20260105` or `2026-01-05 08:00:00`, from 1900 to 2199; nothing else is a day. */
export function dayOfText(text: string): Day | null {
  for (const form of DAYS) {
    const [, year, , month, date] = form.exec(text) ?? [];
    if (year === undefined) continue;
    const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)));
    const known = Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR && at.getUTCMonth() === Number(month) - 1;
    return known && at.getUTCDate() === Number(date) ? at.toISOString().slice(0, 10) : null;
  }
  return null;
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
const parsers: Record<Exclude<ImportColumn['type'], 'text' | 'idNo'>, { parse: Parse; fault: string }> = {
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
      const number = mobileForm(bare(text));
      return /^1[3-9]\d{9}$/.test(number) ? number : undefined;
    },
    fault: '须为11位手机号码',
  },
};

/**
 * Reads one cell by the type of its column; the fault is a Chinese sentence that names the column.
 * @param today nobody is born after it, where it is known
 */
export function parseCell(column: ImportColumn, raw: RawCell, today?: Day): ParsedCell {
  const { label, type } = column;
  const text = cellText(raw);
  const broken = brokenBy(text);
  if (broken !== null) return { fault: `${label}${broken}` };
  if (text === '') return column.required ? { fault: `${label}不能为空` } : { value: null };
  if (type === 'text') {
    const max = column.maxLength ?? DEFAULT_LENGTH;
    const formed = column.form?.(text) ?? text;
    return formed.length > max ? { fault: `${label}最多${max}个字符` } : checked(column, formed);
  }
  if (type === 'idNo') {
    const number = bare(text).toUpperCase();
    const fault = idNumberFault(number, today);
    return fault === null ? checked(column, number) : { fault: `${label}不是有效的18位身份证号码（${fault}）` };
  }
  const { parse, fault } = parsers[type];
  const value = parse(column, text);
  return value === undefined ? { fault: `${label}${fault}` } : checked(column, value);
}

function checked(column: ImportColumn, value: ImportCell): ParsedCell {
  const fault = column.check?.(value) ?? null;
  return fault === null ? { value } : { fault };
}
