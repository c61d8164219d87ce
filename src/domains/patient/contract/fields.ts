import * as z from 'zod/mini';
import { coded } from '#kernel/contract/between.ts';
import { id, idOut, intOrNull, text, textOrNull } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { genders } from './dictionaries.ts';
import { patientErrors } from './errors.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import { realNameMachine } from './states.ts';

export const at = z.string();

export const fileIds = (max = 9) => z._default(z.array(id).check(z.maxLength(max, `最多${max}个文件`)), []);
/** Refused by a code of its own; an emptied one is none. */
export const mobileForm = coded<string>(patientErrors.MOBILE, (mobile) => mobile === '' || MOBILE.test(mobile));
export const gender = field(
  '性别',
  z.pipe(
    z.union([z.number(), z.string()], '请选择性别'),
    z.pipe(
      z.transform((value: number | string) => Number(value)),
      z.literal([0, 1, 2], '请选择性别'),
    ),
  ),
);
export type Gender = z.output<typeof gender>;
export const adcodeOrNull = field('地区', z._default(z.nullable(z.string().check(z.regex(/^\d{6}$/, '请选择地区'))), null));

/** A number as typed, exact; the domain says how many decimals it takes. */
export const decimalText = (label: string) =>
  field(
    label,
    z.pipe(
      z.union([z.string(), z.number()], `请输入${label}`),
      z.pipe(
        z.transform((value: string | number) => String(value).trim()),
        z.string().check(z.regex(/^\d{1,9}(\.\d{1,12})?$/, `${label}须为数字`)),
      ),
    ),
  );

/** What an addition or change answers. */
export const saved = z.strictObject({ id: idOut, version: z.int() });
/** Deletions of the record are voidings: the reason is kept. */
export const voidReason = text('作废原因', 200, 2);
export const externalRequestNo = field(
  '外部请求号',
  z.string('请填写外部请求号').check(z.regex(/^[\w.:-]{8,80}$/, '外部请求号应为8至80位字母、数字或连接符')),
);

/** A person as lists show one: name in full, the rest masked. */
export const personBrief = z.strictObject({
  patientId: idOut,
  patientNo: field('患者编号', z.string(), { width: 112 }),
  name: field('姓名', z.string(), { mask: 'name' }),
  gender: field('性别', z.int(), { width: 48, text: (code) => genders.label(String(code)) }),
  age: field('年龄', intOrNull, { width: 48 }),
  birthDate: textOrNull,
  mobileMasked: field('手机号', textOrNull, { width: 112 }),
  idNoMasked: field('证件号', textOrNull, { width: 176 }),
  realNameState: realNameMachine.dictionary.schema,
  lifeState: z.string(),
  state: z.string(),
});
export type PersonBrief = z.output<typeof personBrief>;
