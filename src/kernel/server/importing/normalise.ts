import { withoutMarks } from '../../contract/plainText.ts';

/**
 * A cell as the operator sees it in his table; undefined where nothing stands. What nobody can read any more (a cut number, an error, a
 * formula without its value) is a text that says so wherever it is stored: `brokenBy` knows it.
 */
export type RawCell = string | undefined;

const FULL_WIDTH_OFFSET = 0xfee0;
const toHalf = (text: string, pattern: RegExp) =>
  text.replace(pattern, (sign) => String.fromCharCode(sign.charCodeAt(0) - FULL_WIDTH_OFFSET));

/** Full-width digits and letters become half-width; Chinese punctuation stays. */
const halfWidthLetters = (text: string) => toHalf(text, /[\uFF10-\uFF19\uFF21-\uFF3A\uFF41-\uFF5A]/g);

/** Every full-width sign of ASCII becomes half-width, for numbers, days and codes. */
export const halfWidth = (text: string) => toHalf(text.replaceAll('\u3000', ' '), /[\uFF01-\uFF5E]/g);

/** Excel keeps 15 digits of a number; those behind are zeros that nobody typed. */
const MOST_EXACT = 999_999_999_999_999;
/** Stands for a formula that was saved without its value. */
export const NOT_CALCULATED = '#未计算';

/** A number as Excel keeps it; of one that it cut no digits are told. */
export function numberText(value: number): string {
  if (Math.abs(value) > MOST_EXACT) return String(Number(value.toPrecision(6)).toExponential()).toUpperCase();
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(15)));
}

/** Text of a cell: trimmed, without marks that nobody sees, half-width digits and letters. */
export const cellText = (raw: RawCell): string =>
  raw === undefined ? '' : halfWidthLetters(withoutMarks(raw)).replaceAll(/^[\s\u3000]+|[\s\u3000]+$/g, '');

const ERROR_VALUE = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!)$/i;
/** A number of many digits as Excel writes it where it cut them or its column is narrow. */
const POWER_OF_TEN = /^[-+]?\d(?:\.\d+)?E[-+]?\d{1,3}$/i;
const TOO_NARROW = /^#{3,}$/;

/** Why a text cannot be read as what was typed, behind the name of its column; null: it can. */
export function brokenBy(text: string): string | null {
  if (text === NOT_CALCULATED) return '的公式没有保存计算结果；请用Excel打开并保存，或粘贴为数值后重新上传';
  if (ERROR_VALUE.test(text)) return `的单元格是错误值${text}，请改为正确的内容`;
  if (POWER_OF_TEN.test(text)) return `的数字“${text}”超过15位或已变成科学计数法，原来的数字已丢失；请把该列设为文本格式后重新填写`;
  return TOO_NARROW.test(text) ? '的内容是####，原来的内容已丢失；请加宽该列后重新保存' : null;
}
