import * as z from 'zod/mini';
import { ordered } from '#kernel/contract/between.ts';
import { emptyToNull, text, mobileText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { isUscc } from '#kernel/contract/uscc.ts';
import { LATEST, MAX_SPANS, weekDays } from './opening.ts';

export const adcode = field('地区', z.string('请选择省市区').check(z.regex(/^\d{6}$/, '请选择省市区')));
export const uscc = field(
  '统一社会信用代码',
  z.string('请输入统一社会信用代码').check(
    z.trim(),
    z.toUpperCase(),
    z.maxLength(18, '统一社会信用代码校验不通过'),
    z.refine((value) => isUscc(value), '统一社会信用代码校验不通过'),
  ),
);
export const usccOrNull = emptyToNull(uscc);
export const licenceNoOrNull = field(
  '许可证号',
  emptyToNull(
    z.string('许可证号不正确').check(z.trim(), z.toUpperCase(), z.regex(/^[0-9A-Z]{15,22}$/, '许可证号应为15至22位数字或大写字母')),
  ),
);
export const hospitalNhsa = field(
  '医保编码',
  emptyToNull(z.string('医保编码不正确').check(z.trim(), z.toUpperCase(), z.regex(/^H\d{11}$/, '医保编码格式应为H加11位数字'))),
);
export const storeNhsa = field(
  '医保编码',
  emptyToNull(z.string('医保编码不正确').check(z.trim(), z.toUpperCase(), z.regex(/^P\d{11}$/, '医保编码格式应为P加11位数字'))),
);

const PHONE = /^((0\d{2,3}-?)?\d{7,8}|1[3-9]\d{9}|400-?\d{3}-?\d{4})$/;
export const isPhone = (value: string): boolean => PHONE.test(value);
export const phone = field(
  '电话',
  z._default(
    z.string().check(
      z.trim(),
      z.maxLength(40, '电话最多40个字符'),
      z.refine((value) => value === '' || isPhone(value), '电话格式不正确'),
    ),
    '',
  ),
);
export const mobile = field('手机号', emptyToNull(mobileText('手机号格式不正确', '手机号不正确')));

export const lngE6 = field(
  '经度',
  z.nullable(z.int('经度不正确').check(z.minimum(73_000_000, '经度不正确'), z.maximum(136_000_000, '经度不正确'))),
);
export const latE6 = field(
  '纬度',
  z.nullable(z.int('纬度不正确').check(z.minimum(3_000_000, '纬度不正确'), z.maximum(54_000_000, '纬度不正确'))),
);

export const span = z
  .strictObject({
    from: field('营业开始时间', z.int('营业时间不正确').check(z.minimum(0, '营业时间不正确'), z.maximum(1439, '营业时间不正确'))),
    to: field('营业结束时间', z.int('营业时间不正确').check(z.minimum(1, '营业时间不正确'), z.maximum(LATEST, '营业时间最晚到次日06:00'))),
  })
  .check(ordered('from', 'to', '结束时间须晚于开始时间', { apart: true }));
export const spans = field('营业时段', z.array(span).check(z.maxLength(MAX_SPANS, `每天最多${MAX_SPANS}个营业时段`)));
export const weekHours = field(
  '营业时间',
  z.strictObject(
    Object.fromEntries(weekDays.map((day) => [day, z.optional(spans)])) as Record<
      (typeof weekDays)[number],
      z.ZodMiniOptional<typeof spans>
    >,
  ),
);

export const account = field(
  '收款账户',
  z.strictObject({
    companyName: text('收款户名', 100, 2),
    taxNo: field(
      '税号',
      z.string('请输入税号').check(z.trim(), z.maxLength(20, '税号格式不正确'), z.regex(/^[0-9A-Z]{15,20}$/, '税号格式不正确')),
    ),
    bankName: text('开户行', 100, 2),
    bankNo: field(
      '联行号',
      z._default(z.string().check(z.trim(), z.maxLength(12, '联行号应为12位数字'), z.regex(/^(\d{12})?$/, '联行号应为12位数字')), ''),
    ),
    accountNo: field(
      '收款账号',
      z
        .string('请输入收款账号')
        .check(z.trim(), z.maxLength(30, '收款账号应为8至30位数字'), z.regex(/^\d{8,30}$/, '收款账号应为8至30位数字')),
    ),
  }),
);
/** As stored and answered: the account number masked. */
export const accountOut = z.strictObject({
  companyName: z.string(),
  taxNo: z.string(),
  bankName: z.string(),
  bankNo: z.string(),
  accountNo: z.string(),
});

export const at = z.string();
