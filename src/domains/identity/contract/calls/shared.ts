import * as z from 'zod/mini';
import { id, instantOut, mobileText } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';

/** An ISO instant or day of a row. */
export const at = instantOut;
export const atOrNull = z.nullable(instantOut);

/** Data scope of an assignment; null = not restricted in this dimension. */
export const scopeIn = field(
  '数据范围',
  z.strictObject({
    own: field('仅本人数据', z._default(z.boolean('请选择是否仅本人数据'), false)),
    region: field(
      '区域',
      z._default(
        z.nullable(z.array(z.string().check(z.regex(/^\d{6}$/, '区域编码不正确'))).check(z.maxLength(500, '最多选择500个区域'))),
        null,
      ),
    ),
    insurer: field('保司', z._default(z.nullable(z.array(id).check(z.maxLength(500, '最多选择500家保司'))), null)),
    channel: field('渠道', z._default(z.nullable(z.array(id).check(z.maxLength(500, '最多选择500个渠道'))), null)),
  }),
);
export const scopeOut = z.strictObject({
  own: z.boolean(),
  region: z.nullable(z.array(z.string())),
  insurer: z.nullable(z.array(z.string())),
  channel: z.nullable(z.array(z.string())),
});

export const mobile = field('手机号', mobileText('请输入正确的手机号'));
