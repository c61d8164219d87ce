import * as z from 'zod/mini';
import { fenOut, id, idOut, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';

/** What every addition answers. */
export const added = z.strictObject({ id: idOut, no: z.string(), version: z.int() });

export const adcode = field('地区', z.string().check(z.regex(/^\d{6}$/, '请选择地区')));
/** An amount in fen that may be large; whole yuan and fen only. */
export const amount = (label: string, least = 0) =>
  field(
    label,
    z
      .int(`${label}须为金额`)
      .check(z.minimum(least, least > 0 ? `${label}须大于0` : `${label}不能为负数`), z.maximum(1_000_000_000_000, `${label}过大`)),
  );

export const moveFields = { id, version, opinion: z.optional(text('意见', 500)) };
/** Sums of a period. */
export const sums = {
  pv: field('扫码次数', z.int()),
  uv: field('扫码人数', z.int()),
  newDoctors: field('新增医生', z.int()),
  newPatients: field('新增患者', z.int()),
  firstOrders: field('首单', z.int()),
  payFen: field('支付金额（元）', fenOut),
};
export const series = z.array(
  z.strictObject({
    key: z.string(),
    label: z.string(),
    pv: z.int(),
    uv: z.int(),
    newUv: z.int(),
    registered: z.int(),
    contacts: z.int(),
    orders: z.int(),
    payFen: z.string(),
  }),
);
export type Series = z.output<typeof series>;
