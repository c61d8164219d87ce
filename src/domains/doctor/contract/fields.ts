import * as z from 'zod/mini';
import { id } from '../../../kernel/contract/fields.ts';
import { field } from '../../../kernel/contract/field.ts';
import { isIdNo } from './idNo.ts';

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
