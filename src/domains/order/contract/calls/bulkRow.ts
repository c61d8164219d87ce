import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { day, optionalDay, optionalText, text } from '#kernel/contract/fields.ts';
import { carriers } from '../orderDictionaries.ts';
import { quantity } from '../orderFields.ts';
import { batchNo, waybillNo } from './fulfilments.ts';

/** A row of the table of parcels: one batch of one article in one parcel. */
export const importedParcel = z.strictObject({
  fulfilmentNo: text('履约单号', 40, 1),
  carrierCode: field('快递公司', carriers.schema),
  waybillNo,
  shippedOn: field('发货日期', optionalDay),
  goodsCode: text('商品编码', 40, 1),
  quantity,
  batchNo,
  expireDate: field('有效期', day),
  traceCodes: optionalText('追溯码', 2_000),
});
