/** What a table file may hold in a cell. */
export type RawCell = string | number | boolean | Date | null | undefined;

const FULL_WIDTH_OFFSET = 0xfee0;
const toHalf = (text: string, pattern: RegExp) =>
  text.replace(pattern, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET));

/** Full-width digits and letters become half-width; Chinese punctuation stays. */
export const halfWidthLetters = (text: string) => toHalf(text, /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g);

/** Every full-width sign of ASCII becomes half-width, for numbers, days and codes. */
export const halfWidth = (text: string) => toHalf(text.replaceAll('\u3000', ' '), /[\uFF01-\uFF5E]/g);

/** A number as Excel shows it: at most 15 digits, never in exponent form for whole numbers. */
function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return BigInt(value).toString();
  return String(Number(value.toPrecision(15)));
}

/** Text of a cell: trimmed, half-width digits and letters; a date as `YYYY-MM-DD`. */
export function cellText(raw: RawCell): string {
  if (raw === null || raw === undefined) return '';
  if (raw instanceof Date) return Number.isNaN(raw.getTime()) ? '' : raw.toISOString().slice(0, 10);
  if (typeof raw === 'number') return numberText(raw);
  if (typeof raw === 'boolean') return raw ? '是' : '否';
  return halfWidthLetters(raw).replaceAll(/^[\s\u3000]+|[\s\u3000]+$/g, '');
}
