import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { fen, id, int4, mobileText, optionalText, personName, text } from '#kernel/contract/fields.ts';

/** Amount of an order in fen; below what sums of all of them may hold. */
export const amount = (label: string, least = 0) =>
  field(label, fen.check(z.minimum(least, `${label}${least > 0 ? '须大于0' : '不能小于0'}`), z.maximum(1_000_000_000, `${label}过大`)));

export const quantity = field(
  '数量',
  int4('数量须为1–999的整数').check(z.minimum(1, '数量须为1–999的整数'), z.maximum(999, '数量须为1–999的整数')),
);

/** Where a parcel goes. */
export const receiver = {
  receiverName: personName('收货人', 40, 1),
  receiverMobile: field('收货手机号', mobileText('手机号格式不正确', '请输入收货手机号')),
  adcode: field('省市区', z.string('请选择省市区').check(z.regex(/^\d{6}$/, '请选择省市区'))),
  addressDetail: text('详细地址', 200, 2),
  lng: field('经度', z._default(z.nullable(z.number().check(z.minimum(73, '经度不正确'), z.maximum(136, '经度不正确'))), null)),
  lat: field('纬度', z._default(z.nullable(z.number().check(z.minimum(3, '纬度不正确'), z.maximum(54, '纬度不正确'))), null)),
};

/** What somebody buys; of a service its name is told, of goods the catalogue knows it. */
export const boughtLine = z.strictObject({
  goodsCode: text('商品编码', 40, 1),
  goodsName: optionalText('商品名称', 120),
  quantity,
  unitPriceFen: amount('单价', 1),
});

export const orderId = field('订单', id);
