import * as z from 'zod/mini';
import { id, mobileText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { idNumberFault } from '#kernel/contract/idNumber.ts';
import { nameForm } from '#kernel/contract/plainText.ts';
import type { Day } from '#kernel/contract/time.ts';

/** Birth date that an 18-digit identity number names. */
export const birthDateOf = (idNo: string): Day => `${idNo.slice(6, 10)}-${idNo.slice(10, 12)}-${idNo.slice(12, 14)}`;

export const genderOf = (idNo: string): 'MALE' | 'FEMALE' => (Number(idNo[16]) % 2 === 1 ? 'MALE' : 'FEMALE');

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
export const mobile = field('手机号', mobileText('手机号格式不正确', '请输入手机号'));
export const personName = field(
  '姓名',
  z
    .string('请输入姓名')
    .check(
      z.overwrite(nameForm),
      z.minLength(1, '请输入姓名'),
      z.maxLength(30, '姓名最多30个字符'),
      z.regex(/^[\p{Script=Han}·]+$/u, '姓名只能包含汉字和·'),
    ),
);
export const idNo = field(
  '身份证号',
  z.string('请输入身份证号').check(z.trim(), z.toUpperCase(), z.maxLength(18, { error: '身份证号应为18位', abort: true }), (payload) => {
    const fault = idNumberFault(payload.value);
    if (fault !== null) payload.issues.push({ code: 'custom', input: payload.value, message: `身份证号${fault}` });
  }),
);
