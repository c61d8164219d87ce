import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, flag, id, text, mobileText } from '#kernel/contract/fields.ts';
import { maybe } from '#kernel/contract/service.ts';
import { nameForm } from '#kernel/contract/plainText.ts';
import { genders, idTypes, relations } from './dictionaries.ts';

export const planCode = field('计划', z.string('请选择计划').check(z.regex(/^[A-Z0-9_]{1,24}$/, '计划编码不正确')), { width: 90 });
const adcode = z.string().check(z.regex(/^\d{6}$/, '须为6位行政区划代码'));

/** The facts of an insured person, as they are entered. */
export const personFields = {
  name: field('姓名', z.string('请输入姓名').check(z.overwrite(nameForm), z.regex(/^\D{2,50}$/u, '姓名须为2-50个字符且不含数字'))),
  idType: field('证件类型', idTypes.schema),
  idNo: field('证件号', maybe(text('证件号', 30))),
  gender: field('性别', genders.schema),
  birthDate: field('出生日期', day),
  mobile: field('手机号', maybe(mobileText('手机号格式不正确'))),
  employeeNo: field('工号', maybe(text('工号', 40))),
  department: field('部门', maybe(text('部门', 60))),
  adcode: field('所在地区', maybe(adcode)),
  hasSocial: field('有医保', z._default(flag, true)),
  socialAdcode: field('参保地', maybe(adcode)),
  relation: field('与主被保人关系', z._default(relations.schema, 'SELF')),
  mainInsuredItemId: field('主被保人', maybe(id)),
  preExistingIcd: field(
    '既往症',
    z._default(
      z.array(z.string().check(z.regex(/^[A-Z]\d{2}(\.[0-9A-Z]{1,4})?$/, '须为ICD-10编码'))).check(z.maxLength(20, '最多20项')),
      [],
    ),
  ),
};
export const person = z.strictObject(personFields);
export type Person = z.output<typeof person>;
export type PersonInput = z.input<typeof person>;
