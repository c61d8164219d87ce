import type { Answers, Question } from './content.ts';

/** Numbers that a message is, beside what it calls them and their unit. */
export interface ReplyNumbers {
  label: string;
  numbers: readonly number[];
  unit: string;
}

const NUMBER = String.raw`\d{1,4}(?:\.\d{1,3})?`;
const SAID = new RegExp(
  String.raw`^(?<label>[\p{Script=Han}A-Za-z-]{0,12}?)\s*[:是为]?\s*(?<first>${NUMBER})(?:\s*/\s*(?<second>${NUMBER}))?\s*(?<unit>[\p{L}%°][\p{L}%/·°]{0,10}2?)?$`,
  'u',
);

/** What a unit is written as; the catalogue's spelling comes first. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  mmHg: ['mmhg', '毫米汞柱'],
  '%': ['%'],
  'mmol/L': ['mmol/l', '毫摩尔每升'],
  'μmol/L': ['μmol/l', 'umol/l', '微摩尔每升'],
};
/** As people type it: full-width forms, micro sign and letters of any case are the same. */
const plain = (text: string) => text.normalize('NFKC').replaceAll('µ', 'μ').trim();

/** Reads a message that is a number, or two with a stroke between them, and nothing else. Null: it says more. Pure. */
export function replyNumbers(text: string): ReplyNumbers | null {
  const groups = SAID.exec(plain(text).replace(/[。!！.]$/, ''))?.groups;
  if (!groups) return null;
  const { label = '', first, second, unit = '' } = groups;
  return { label, numbers: [first, second].flatMap((one) => (one === undefined ? [] : [Number(one)])), unit: unit.trim() };
}

const isUnit = (written: string, unit: string): boolean =>
  written === '' || written.toLowerCase() === plain(unit).toLowerCase() || (spellings[unit] ?? []).includes(written.toLowerCase());
/** 血压 names both of its values. */
const isNamed = (label: string, asked: readonly Question[]): boolean =>
  label === '' || asked.every(({ title }) => title.includes(label)) || (asked.length === 2 && label === '血压');
const within = (value: number, { min, max }: Question): boolean =>
  (typeof min !== 'number' || value >= min) && (typeof max !== 'number' || value <= max);

export type ReplyVerdict = { is: 'ANSWER'; answers: Answers } | { is: 'OUT_OF_RANGE' } | { is: 'OTHER' };

/**
 * Whether a message answers a questionnaire: one that must know one number, or the two of a blood pressure, and nothing else. A second
 * number that is not below the first one, another unit or another name say that something else is meant. Pure.
 * @param unitOf the unit in which a variable is kept
 */
export function answerOfReply(questions: readonly Question[], unitOf: (variableCode: string) => string, text: string): ReplyVerdict {
  const asked = questions.filter(({ required }) => required);
  const parsed = replyNumbers(text);
  const fits =
    parsed !== null &&
    parsed.numbers.length === asked.length &&
    asked.every(
      ({ type, variableCode, showIf }) =>
        type === 'NUMBER' && !showIf && typeof variableCode === 'string' && isUnit(parsed.unit, unitOf(variableCode)),
    ) &&
    isNamed(parsed.label, asked);
  if (!fits) return { is: 'OTHER' };
  const [first, second] = parsed.numbers;
  const plausible = asked.every((question, n) => within(parsed.numbers[n]!, question));
  if (second !== undefined && (second >= first! || !plausible)) return { is: 'OTHER' };
  if (!plausible) return { is: 'OUT_OF_RANGE' };
  return { is: 'ANSWER', answers: Object.fromEntries(asked.map(({ key }, n) => [key, parsed.numbers[n]!])) };
}
