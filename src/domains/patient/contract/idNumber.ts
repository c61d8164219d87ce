import { characters } from '#kernel/contract/plainText.ts';

export { birthOfIdNumber, checkCharacter, genderOfIdNumber, idNumberFault, isIdNumber } from '#kernel/contract/idNumber.ts';

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

/** `3201**********1234`; short numbers keep the last two. */
export const maskIdNo = (idNo: string): string =>
  idNo.length >= 12
    ? `${idNo.slice(0, 4)}${'*'.repeat(idNo.length - 8)}${idNo.slice(-4)}`
    : `${'*'.repeat(Math.max(0, idNo.length - 2))}${idNo.slice(-2)}`;
/** `张*国`, `李*`; as exports show names. */
export const maskName = (name: string): string => {
  const letters = characters(name);
  return letters.length <= 2 ? `${letters[0] ?? ''}*` : `${letters[0]}${'*'.repeat(letters.length - 2)}${letters.at(-1)}`;
};

/** Completed years on a day; born 2000-02-29, 18 from 2018-03-01 on. */
export function ageOn(birthDate: string, day: string): number {
  const [by = 0, bm = 0, bd = 0] = birthDate.split('-').map(Number);
  const [y = 0, m = 0, d = 0] = day.split('-').map(Number);
  return y - by - (m < bm || (m === bm && d < bd) ? 1 : 0);
}
