import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { articleHosts, isAllowedLink, miniPath } from '#kernel/contract/linkPlaces.ts';
import { flag, id, idOut, instant, instantOut, text } from '#kernel/contract/fields.ts';
import { maybe } from '../fields.ts';
import { audience, audienceIn, everybody } from '../delivery/audience.ts';
import { dataModes, floorLayouts, floorSorts, floorTypes } from './dictionaries.ts';

const MOST_ITEMS = 30;

/** Where a floor or an item leads: a page inside the mini program, or one of the web on a host that is agreed with the platforms. */
const link = (label: string) =>
  field(
    label,
    z._default(
      text(label, 200).check(
        z.refine(
          (value) => value === '' || miniPath.test(value) || isAllowedLink(value),
          `${label}须为以/开头的小程序页面，或以下域名的https网页：${articleHosts.join('、')}`,
        ),
      ),
      '',
    ),
  );

export const floorItem = z.strictObject({
  title: z._default(text('标题', 16), ''),
  link: link('跳转'),
  /** Number of the medicine or doctor, on floors of those; on others there is none. */
  objectNo: z._default(text('对象编号', 40), ''),
  imageFileId: maybe('图片', id),
  startAt: maybe('开始时间', instant),
  endAt: maybe('结束时间', instant),
});

const MOST_BY_RULE = 30;
const MOST_MARKS = 20;
const marks = (label: string) => field(label, z._default(z.array(id).check(z.maxLength(MOST_MARKS, `${label}最多${MOST_MARKS}个`)), []));
/** Which things a floor shows that chooses them by itself: those that carry marks. */
export const floorRule = z.strictObject({
  marksAny: marks('含任一标签'),
  marksAll: marks('含全部标签'),
  sort: field('排序', z._default(floorSorts.schema, 'NEW')),
  limit: field(
    '数量',
    z._default(z.int('数量须为整数').check(z.minimum(1, '数量至少为1'), z.maximum(MOST_BY_RULE, `数量最多${MOST_BY_RULE}`)), 6),
  ),
});
export type FloorRule = z.output<typeof floorRule>;

/** What an operator says of a floor. */
export const floorFacts = {
  floorName: text('楼层名称', 20, 1),
  title: z._default(text('标题', 16), ''),
  showTitle: field('显示标题', z._default(flag, true)),
  moreLink: link('更多跳转'),
  background: field('背景色', z._default(z.string('背景色不正确').check(z.regex(/^$|^#[0-9a-f]{6}$/, '背景色须为#加6位十六进制数')), '')),
  layout: field('布局', z._default(floorLayouts.schema, 'ONE')),
  dataMode: field('数据来源', z._default(dataModes.schema, 'MANUAL')),
  rule: maybe('规则', floorRule),
  items: field('内容', z._default(z.array(floorItem).check(z.maxLength(MOST_ITEMS, `最多${MOST_ITEMS}项内容`)), [])),
  startAt: maybe('开始时间', instant),
  endAt: maybe('结束时间', instant),
  audience: field('人群', z._default(audienceIn, audienceIn.parse({}))),
  hideWhenEmpty: field('无内容时隐藏', z._default(flag, true)),
  hidden: field('隐藏', z._default(flag, false)),
};
export const floorLabels = {
  floorName: '楼层名称',
  title: '标题',
  showTitle: '显示标题',
  moreLink: '更多跳转',
  background: '背景色',
  layout: '布局',
  dataMode: '数据来源',
  rule: '规则',
  items: '内容',
  startAt: '开始时间',
  endAt: '结束时间',
  audience: '人群',
  hideWhenEmpty: '无内容时隐藏',
  hidden: '隐藏',
};

const itemOut = z.strictObject({
  title: z.string(),
  link: z.string(),
  objectNo: z.string(),
  objectId: z.nullable(idOut),
  imageFileId: z._default(z.nullable(idOut), null),
  startAt: z.nullable(instantOut),
  endAt: z.nullable(instantOut),
});
export type FloorItem = z.output<typeof itemOut>;

/** A floor as drafts hold it and releases keep it. */
export const floorContent = z.strictObject({
  floorKey: z.string(),
  floorName: z.string(),
  floorType: floorTypes.schema,
  title: z.string(),
  showTitle: z.boolean(),
  // Releases from before these were kept have none of them.
  moreLink: z._default(z.string(), ''),
  background: z._default(z.string(), ''),
  layout: floorLayouts.schema,
  dataMode: z._default(dataModes.schema, 'MANUAL'),
  rule: z._default(z.nullable(floorRule), null),
  items: z.array(itemOut),
  startAt: z.nullable(instantOut),
  endAt: z.nullable(instantOut),
  audience: z._default(audience, everybody),
  hideWhenEmpty: z.boolean(),
  hidden: z.boolean(),
});
export type FloorContent = z.output<typeof floorContent>;

/** A floor of a draft, and addresses of the pictures of its items in their order, readable for a while. */
export const shownFloor = z.extend(floorContent, { id: idOut, imageUrls: z.array(z.nullable(z.string())) });

export const floorChange = z.strictObject({
  floorKey: z.string(),
  floorName: z.string(),
  change: z.enum(['ADDED', 'REMOVED', 'CHANGED', 'MOVED']),
  /** Labels of what differs. */
  fields: z.array(z.string()),
});
export type FloorChange = z.output<typeof floorChange>;
