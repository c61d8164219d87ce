import * as z from 'zod/mini';
import { dictionary } from '#kernel/contract/dictionary.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
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

const service = declareService('BannerService');
const mayView = markPermissions['content.view'];

/** The kinds that their owners registered; others are not offered. */
export const queryThingTypeList = service.read({
  operation: 'queryThingTypeList',
  label: '查询可关联的对象类型',
  access: mayView,
  input: {},
  output: z.array(thingTypes.schema),
});

/** Records of a kind by number or part of the name, those that the asker sees. */
export const queryThingList = service.read({
  operation: 'queryThingList',
  label: '查询可关联的对象',
  access: mayView,
  input: {
    thingType: field('对象类型', thingTypes.schema),
    keyword: z._default(text('编号或名称', 100), ''),
    /** Of one that is chosen already. */
    id: field('对象', z.optional(id)),
  },
  output: z.array(z.strictObject({ id: idOut, no: z.string(), name: z.string() })),
});
