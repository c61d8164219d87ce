import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instant, instantOut, optionalText, paging, rateOut, several, text } from '#kernel/contract/fields.ts';
import { maybe } from '../fields.ts';
import { pageCodes } from '../floors/clientPages.ts';
import { audience, audienceIn } from './audience.ts';
import { linkTypes, shownStates } from './dictionaries.ts';
import { positionCodes } from './positions.ts';
import { weekdayNames } from './schedule.ts';
import { bannerMachine } from './states.ts';

const clock = (label: string) =>
  maybe(label, z.string(`${label}不正确`).check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, `${label}须为HH:mm`)));

const priority = field(
  '优先级',
  z._default(z.int('优先级须为整数').check(z.minimum(1, '优先级至少为1'), z.maximum(99, '优先级最多为99')), 50),
);
const weekdays = field(
  '星期',
  z._default(z.array(z.literal([1, 2, 3, 4, 5, 6, 7], '星期不正确')).check(z.maxLength(7, '星期最多7天')), []),
);

/** What an operator says of any delivery. */
export const deliveryFacts = {
  positionCode: field('位置', z.enum(positionCodes.codes, '请选择位置')),
  imageFileId: maybe('图片', id),
  altText: optionalText('替代文字', 30),
  linkType: field('跳转类型', z._default(linkTypes.schema, 'NONE')),
  linkValue: optionalText('跳转', 200),
  linkParams: optionalText('跳转参数', 200),
  startAt: field('开始时间', instant),
  endAt: field('结束时间', instant),
  weekdays,
  dailyFrom: clock('每日开始'),
  dailyTo: clock('每日结束'),
  audience: field('人群', z._default(audienceIn, audienceIn.parse({}))),
  priority,
};

/** What of an approved one may be changed without another audit. */
export const adjustFacts = {
  endAt: field('结束时间', instant),
  weekdays,
  dailyFrom: clock('每日开始'),
  dailyTo: clock('每日结束'),
  priority,
};

export const deliveryLabels = {
  name: '名称',
  positionCode: '位置',
  imageFileId: '图片',
  altText: '替代文字',
  linkType: '跳转类型',
  linkValue: '跳转',
  linkParams: '跳转参数',
  startAt: '开始时间',
  endAt: '结束时间',
  weekdays: '星期',
  dailyFrom: '每日开始',
  dailyTo: '每日结束',
  audience: '人群',
  priority: '优先级',
};

const weekdaysOut = field('星期', z.array(z.int()), { text: (days) => days.map((day) => weekdayNames[day - 1] ?? '').join('、') });

/** Any delivery in a list. */
export const deliveryRow = {
  id: idOut,
  pageCode: field('页面', pageCodes.schema, { width: 130 }),
  positionCode: field('位置', positionCodes.schema, { width: 150 }),
  imageFileId: z.nullable(idOut),
  /** Small picture, readable for a while. */
  pictureUrl: z.nullable(z.string()),
  altText: field('替代文字', z.string(), { width: 140 }),
  linkType: field('跳转类型', linkTypes.schema, { width: 100 }),
  linkValue: field('跳转', z.string(), { width: 180 }),
  linkParams: z.string(),
  /** It leads to something that customers are not offered any longer. */
  linkOff: z.boolean(),
  startAt: field('开始时间', instantOut),
  endAt: field('结束时间', instantOut),
  weekdays: weekdaysOut,
  dailyFrom: z.nullable(z.string()),
  dailyTo: z.nullable(z.string()),
  /** Days of the week and hours, in words. */
  slot: field('每日时段', z.string(), { width: 130 }),
  audience,
  audienceText: field('人群', z.string(), { width: 180 }),
  priority: field('优先级', z.int(), { width: 90 }),
  /** Of the last seven days. */
  impressions: field('曝光（7天）', z.int(), { width: 120 }),
  clicks: field('点击（7天）', z.int(), { width: 100 }),
  ctrBp: field('点击率', z.nullable(rateOut), { width: 90 }),
  createdByName: field('创建人', z.nullable(z.string()), { width: 90 }),
  auditedByName: field('审核人', z.nullable(z.string()), { width: 90 }),
  opinion: field('审核意见', z.nullable(z.string()), { width: 160 }),
  offlineReason: field('下线原因', z.string(), { width: 130 }),
  state: bannerMachine.dictionary.schema,
  shownState: shownStates.schema,
  version: z.int(),
  allowedActions: z.array(z.string()),
};

export const deliveryFilters = {
  ...paging,
  pageCode: field('页面', z.optional(pageCodes.schema)),
  positionCode: field('位置', z.optional(several(positionCodes.schema))),
  state: field('状态', z.optional(several(shownStates.schema))),
  /** Delivered at this moment, were it approved. */
  liveAt: field('投放时间', z.optional(instant)),
  endFrom: field('结束时间起', z.optional(instant)),
  endTo: field('结束时间止', z.optional(instant)),
  createdBy: z.optional(text('创建人', 32)),
  /** Waits for an audit that is not of one's own submission. */
  toAudit: field(
    '待我审核',
    z.optional(
      z.pipe(
        z.union([z.boolean(), z.enum(['true', 'false'])]),
        z.transform((on) => on === true || on === 'true'),
      ),
    ),
  ),
};

export const saved = z.strictObject({ id: idOut, version: z.int() });
