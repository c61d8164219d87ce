import type { Day } from './time.ts';

/** Weights and check characters of GB 11643-1999. */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS = '10X98765432';

/** The check character of the first 17 digits. */
export function checkCharacter(digits17: string): string {
  const sum = [...digits17].reduce((total, digit, index) => total + Number(digit) * WEIGHTS[index]!, 0);
  return CHECKS[sum % 11]!;
}

/** What the numbers of the provinces begin with, those of Taiwan, Hong Kong and Macao and of permits to live on the mainland. */
const PROVINCES = /^(?:1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[1-3])/;

/** `YYYY-MM-DD` of the number; null when it is no day of the calendar. */
export function birthOfIdNumber(value: string): Day | null {
  const [, year, month, day] = /^\d{6}(\d{4})(\d{2})(\d{2})/.exec(value) ?? [];
  if (!year || !month || !day) return null;
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}

/** 1 man, 2 woman: the parity of the 17th digit. */
export const genderOfIdNumber = (value: string): 1 | 2 => (Number(value[16]) % 2 === 1 ? 1 : 2);

const FIRST_BIRTH = '1900-01-01';
const LAST_BIRTH = '2199-12-31';

/**
 * Why no resident has the number, behind the name of its field; null: somebody may.
 * @param today nobody is born after it, where it is known
 */
export function idNumberFault(value: string, today: Day = LAST_BIRTH): string | null {
  if (!/^\d{17}[\dX]$/.test(value)) return '应为18位';
  if (!PROVINCES.test(value)) return '开头的省份代码不存在';
  const birth = birthOfIdNumber(value);
  if (birth === null || birth < FIRST_BIRTH || birth > today) return '中的出生日期不存在，须在1900年至今天之间';
  return checkCharacter(value.slice(0, 17)) === value[17] ? null : '校验位不正确';
}

/** Resident identity number of 18 characters that somebody may have. */
export const isIdNumber = (value: string, today?: Day): boolean => idNumberFault(value, today) === null;
