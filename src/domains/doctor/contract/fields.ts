import * as z from 'zod/mini';
import { id } from '../../../kernel/contract/fields.ts';
import { field } from '../../../kernel/contract/field.ts';
import type { Day } from '../../../kernel/contract/time.ts';

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2] as const;
const CHECK_DIGITS = '10X98765432';

/** Last character of an 18-digit identity number after its first 17 (GB 11643). */
export function checkDigitOf(first17: string): string {
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(first17[index]), 0);
  return CHECK_DIGITS[sum % 11]!;
}

/** Birth date that an 18-digit identity number names. */
export const birthDateOf = (idNo: string): Day => `${idNo.slice(6, 10)}-${idNo.slice(10, 12)}-${idNo.slice(12, 14)}`;

export const genderOf = (idNo: string): 'MALE' | 'FEMALE' => (Number(idNo[16]) % 2 === 1 ? 'MALE' : 'FEMALE');

/** Form, date of birth and check digit of an 18-digit identity number. */
export function isIdNo(idNo: string): boolean {
  if (!/^\d{17}[\dX]$/.test(idNo)) return false;
  const birth = birthDateOf(idNo);
  const date = new Date(`${birth}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== birth) return false;
  return checkDigitOf(idNo.slice(0, 17)) === idNo[17];
}

/** Whole years on a day. */
export function ageOn(birth: Day, day: Day): number {
  const years = Number(day.slice(0, 4)) - Number(birth.slice(0, 4));
  return day.slice(5) < birth.slice(5) ? years - 1 : years;
}

/** The 15-digit form that certificates of before 1999 carry. */
export const shortIdNoOf = (idNo: string): string => `${idNo.slice(0, 6)}${idNo.slice(8, 17)}`;

export const at = z.string();

/** A record that is chosen from a list, not typed. */
export const chosen = (label: string) => field(label, z.pipe(z.union([z.string(), z.number()], `请选择${label}`), id));

export const adcode = field('地区', z.string('请选择地区').check(z.regex(/^\d{6}$/, '请选择地区')));
export const mobile = field('手机号', z.string('请输入手机号').check(z.trim(), z.regex(/^1[3-9]\d{9}$/, '手机号格式不正确')));
export const personName = field(
  '姓名',
  z
    .string('请输入姓名')
    .check(
      z.trim(),
      z.minLength(1, '请输入姓名'),
      z.maxLength(30, '姓名最多30个字符'),
      z.regex(/^[\p{Script=Han}·]+$/u, '姓名只能包含汉字和·'),
    ),
);
export const idNo = field(
  '身份证号',
  z.string('请输入身份证号').check(
    z.trim(),
    z.toUpperCase(),
    z.regex(/^\d{17}[\dX]$/, '身份证号应为18位'),
    z.refine((value) => isIdNo(value), '身份证号校验位不正确'),
  ),
);
