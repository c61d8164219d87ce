import { plainText } from '#kernel/web/kit/plainText.ts';
import type { FieldFacts } from '#kernel/contract/field.ts';
import { fenOf, yuan } from '#kernel/contract/money.ts';

/** How a value is typed into a cell: amounts in yuan, rates in percent, codes by their names. */
export function cellText(facts: FieldFacts, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (facts.kind === 'money' && (typeof value === 'number' || typeof value === 'string')) return yuan(value);
  if (facts.kind === 'rate' && typeof value === 'number') return String(value / 100);
  if (facts.kind === 'flag') return value === true ? '是' : '否';
  if (facts.kind === 'dict' && typeof value === 'string') return facts.dictionary?.label(value) ?? value;
  return plainText(value);
}

/** What was typed, or came from another sheet, as the value; `undefined`: it is none. */
export function cellValue(facts: FieldFacts, typed: string): unknown {
  const text = typed
    .trim()
    .replace(/[,，](?=\d{3})/g, '')
    .replace(/[%％元]$/, '');
  if (text === '') return null;
  switch (facts.kind) {
    case 'money': {
      const fen = fenOf(text);
      return fen === null ? undefined : Number(fen);
    }
    case 'rate': {
      const found = /^\d{1,3}(\.\d{1,2})?$/.exec(text);
      return found ? Math.round(Number(text) * 100) : undefined;
    }
    case 'number':
      return /^-?\d+$/.test(text) ? Number(text) : undefined;
    case 'flag':
      return text === '是' ? true : text === '否' ? false : undefined;
    case 'dict':
      return facts.dictionary?.options.find(({ value, label }) => value === text || label === text)?.value;
    default:
      return typed.trim();
  }
}
