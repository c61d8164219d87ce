import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { markPermissions } from '../marks/permissions.ts';

/** Records of other domains that deliveries name: what they lead to, and who pays for them. */
export const thingTypes = dictionary('content.thingType', {
  MEDICINE: '药品',
  PRODUCT: '保险产品',
  DOCTOR: '医生',
  ARTICLE: '文章',
  COUPON: '优惠券',
  PHARMA_COMPANY: '药企',
  INSURER: '保司',
});
export type ThingType = (typeof thingTypes.codes)[number];

const base = { host: 'admin', service: 'BannerService', kind: 'query', shape: 'data' } as const;
const mayView = access.permission(markPermissions['content.view']);

/** The kinds that their owners registered; others are not offered. */
export const queryThingTypeList = call({
  ...base,
  operation: 'queryThingTypeList',
  label: '查询可关联的对象类型',
  access: mayView,
  input: z.strictObject({}),
  output: z.array(thingTypes.schema),
});

/** Records of a kind by number or part of the name, those that the asker sees. */
export const queryThingList = call({
  ...base,
  operation: 'queryThingList',
  label: '查询可关联的对象',
  access: mayView,
  input: z.strictObject({
    thingType: field('对象类型', thingTypes.schema),
    keyword: z._default(text('编号或名称', 100), ''),
    /** Of one that is chosen already. */
    id: field('对象', z.optional(id)),
  }),
  output: z.array(z.strictObject({ id: idOut, no: z.string(), name: z.string() })),
});
