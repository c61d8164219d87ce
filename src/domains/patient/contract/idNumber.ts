/** Weights and check characters of GB 11643-1999. */
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS = '10X98765432';

/** The check character of the first 17 digits. */
export function checkCharacter(digits17: string): string {
  const sum = [...digits17].reduce((total, digit, index) => total + Number(digit) * WEIGHTS[index]!, 0);
  return CHECKS[sum % 11]!;
}

/** Resident identity number of 18 characters with the right check character. */
export const isIdNumber = (value: string): boolean => /^\d{17}[\dX]$/.test(value) && checkCharacter(value.slice(0, 17)) === value[17];

/** `YYYY-MM-DD` of the number; null when it is no day of the calendar. */
export function birthOfIdNumber(value: string): string | null {
  const [, year, month, day] = /^\d{6}(\d{4})(\d{2})(\d{2})/.exec(value) ?? [];
  if (!year || !month || !day) return null;
  const text = `${year}-${month}-${day}`;
  const date = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? null : text;
}

/** 1 man, 2 woman: the parity of the 17th digit. */
export const genderOfIdNumber = (value: string): 1 | 2 => (Number(value[16]) % 2 === 1 ? 1 : 2);

const FORMS: Readonly<Record<string, RegExp>> = {
  ID: /^\d{17}[\dX]$/,
  PASSPORT: /^((?=.*[A-Z])[A-Z0-9]{5,17}|\d{9})$/,
  HKMO: /^[HM]\d{8,10}$/,
  TW: /^\d{8}(\d{2})?$/,
  FOREIGN: /^([A-Z]{3}\d{12}|9\d{16}[\dX])$/,
  BIRTH: /^[A-Z]\d{9}$/,
};
/** Whether a number has the form of its type (the check character of an identity number is judged apart). */
export const hasIdForm = (idType: string, idNo: string): boolean => FORMS[idType]?.test(idNo) ?? false;

export const MOBILE = /^1[3-9]\d{9}$/;
/** `3201**********1234`; short numbers keep the last two. */
export const maskIdNo = (idNo: string): string =>
  idNo.length >= 12
    ? `${idNo.slice(0, 4)}${'*'.repeat(idNo.length - 8)}${idNo.slice(-4)}`
    : `${'*'.repeat(Math.max(0, idNo.length - 2))}${idNo.slice(-2)}`;
/** `张*国`, `李*`; as exports show names. */
export const maskName = (name: string): string => {
  const letters = [...name];
  return letters.length <= 2 ? `${letters[0] ?? ''}*` : `${letters[0]}${'*'.repeat(letters.length - 2)}${letters.at(-1)}`;
};

/** Completed years on a day; born 2000-02-29, 18 from 2018-03-01 on. */
export function ageOn(birthDate: string, day: string): number {
  const [by = 0, bm = 0, bd = 0] = birthDate.split('-').map(Number);
  const [y = 0, m = 0, d = 0] = day.split('-').map(Number);
  return y - by - (m < bm || (m === bm && d < bd) ? 1 : 0);
}
