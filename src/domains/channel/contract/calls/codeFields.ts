import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { id, instant, optionalId, text, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { frames, targetTypes } from '../dictionaries.ts';

/** What a code opens. Hosts are compared with the allowed list on the server. */
export const target = field(
  '跳转目标',
  z
    .strictObject({
      type: field('跳转目标', z.enum(targetTypes.codes, '请选择跳转目标')),
      url: field(
        '跳转地址',
        z._default(
          z.nullable(
            z
              .string()
              .check(z.maxLength(1000, '跳转地址最多1000个字符'), z.regex(/^https:\/\/[^\s/@]+(\/\S*)?$/, '请输入https开头的跳转地址')),
          ),
          null,
        ),
      ),
      appId: field(
        '小程序AppID',
        z._default(
          z.nullable(z.string().check(z.maxLength(18, 'AppID为18位'), z.regex(/^wx[0-9a-f]{16}$/, 'AppID为wx加16位数字或小写字母'))),
          null,
        ),
      ),
      path: field(
        '页面路径',
        z._default(
          z.nullable(z.string().check(z.maxLength(200, '页面路径最多200个字符'), z.regex(/^[\w/.-]{1,200}$/, '页面路径不正确'))),
          null,
        ),
      ),
      env: field('版本', z._default(z.nullable(z.enum(['release', 'trial'], '版本不正确')), null)),
      refId: field('目标内容', optionalId),
    })
    .check(
      between(['type', 'url'], ({ type, url }) => type !== 'H5' || url !== null, '请输入https开头的跳转地址'),
      between(
        ['type', 'path', 'appId'],
        ({ type, path, appId }) => type !== 'MINI' || (appId !== null && path !== null),
        '请输入小程序的AppID和路径',
      ),
      between(['type', 'refId'], ({ type, refId }) => type !== 'DOCTOR' || refId !== null, '请选择医生'),
      between(['type', 'refId'], ({ type, refId }) => type !== 'SCENE' || refId !== null, '请选择场景'),
    ),
);
export type Target = z.output<typeof target>;

/** One parameter as a form holds it. */
export const param = z.strictObject({
  name: field('参数名', z.string().check(z.regex(/^[a-z][a-zA-Z0-9]{0,19}$/, '参数名须以小写字母开头，最多20位字母或数字'))),
  value: field('参数值', z.string().check(z.minLength(1, '请输入参数值'), z.maxLength(64, '参数值最多64个字符'))),
});
export const params = z
  .record(param.shape.name, param.shape.value)
  .check(z.refine((value) => Object.keys(value).length <= 10, '最多10个参数'));

const colour = (label: string) => field(label, z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, `${label}格式应为#RRGGBB`)));
const whole = (label: string, least: number, most: number) =>
  field(
    label,
    z.int(`${label}须为整数`).check(z.minimum(least, `${label}为${least}至${most}`), z.maximum(most, `${label}为${least}至${most}`)),
  );

export const style = z.strictObject({
  sizePx: z._default(whole('尺寸', 300, 2000), 600),
  margin: z._default(whole('边距', 1, 8), 4),
  level: field('容错级别', z._default(z.enum(['M', 'Q', 'H'], '容错级别不正确'), 'M')),
  dark: z._default(colour('前景色'), '#000000'),
  light: z._default(colour('背景色'), '#FFFFFF'),
  logoFileId: field('Logo', optionalId),
  /** Share of the code's area, in percent. */
  logoPercent: field(
    'Logo比例',
    z._default(z.int('Logo比例须为整数').check(z.minimum(1, 'Logo比例至少1%'), z.maximum(100, 'Logo比例过大')), 15),
  ),
  labelText: z._default(text('文字', 30), ''),
  frame: field('边框', z._default(frames.schema, 'NONE')),
});
export type CodeStyle = z.output<typeof style>;
export const plainStyle: CodeStyle = {
  sizePx: 600,
  margin: 4,
  level: 'M',
  dark: '#000000',
  light: '#FFFFFF',
  logoFileId: null,
  logoPercent: 15,
  labelText: '',
  frame: 'NONE',
};

export const codeFields = {
  channelId: field('渠道', id),
  target,
  params: field('参数', z._default(params, {})),
  style: field('样式', z._default(style, plainStyle)),
  validFrom: field('生效时间', z._default(z.nullable(instant), null)),
  validTo: field('失效时间', z._default(z.nullable(instant), null)),
  scanLimit: field('扫码次数上限', z._default(z.nullable(int4('次数须为整数').check(z.minimum(1, '次数须大于0'))), null)),
};

/** `#RRGGBB` colours' WCAG contrast, 1 to 21; codes need 4.5. */
export function contrast(one: string, other: string): number {
  const [bright, dim] = [one, other].map(luminance).sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
