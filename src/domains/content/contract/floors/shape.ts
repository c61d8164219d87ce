import * as z from 'zod/mini';
import { field } from '../../../../kernel/contract/field.ts';
import { flag, idOut, instant, instantOut, text } from '../../../../kernel/contract/fields.ts';
import { floorLayouts, floorTypes } from './dictionaries.ts';

const MOST_ITEMS = 30;
const maybe = <T extends z.ZodMiniType>(label: string, schema: T) => field(label, z._default(z.nullable(schema), null));

/** A place inside the mini program, or a page of the web. */
const link = text('跳转', 200).check(z.regex(/^$|^\/\S*$|^https:\/\/\S+$/, '跳转地址须以/或https://开头'));

export const floorItem = z.strictObject({
  title: z._default(text('标题', 16), ''),
  link: field('跳转', z._default(link, '')),
  /** Number of the medicine or doctor, on floors of those; on others there is none. */
  objectNo: z._default(text('对象编号', 40), ''),
  startAt: maybe('开始时间', instant),
  endAt: maybe('结束时间', instant),
});

/** What an operator says of a floor. */
export const floorFacts = {
  floorName: text('楼层名称', 20, 1),
  title: z._default(text('标题', 16), ''),
  showTitle: field('显示标题', z._default(flag, true)),
  layout: field('布局', z._default(floorLayouts.schema, 'ONE')),
  items: field('内容', z._default(z.array(floorItem).check(z.maxLength(MOST_ITEMS, `最多${MOST_ITEMS}项内容`)), [])),
  startAt: maybe('开始时间', instant),
  endAt: maybe('结束时间', instant),
  hideWhenEmpty: field('无内容时隐藏', z._default(flag, true)),
  hidden: field('隐藏', z._default(flag, false)),
};
export const floorLabels = {
  floorName: '楼层名称',
  title: '标题',
  showTitle: '显示标题',
  layout: '布局',
  items: '内容',
  startAt: '开始时间',
  endAt: '结束时间',
  hideWhenEmpty: '无内容时隐藏',
  hidden: '隐藏',
};

const itemOut = z.strictObject({
  title: z.string(),
  link: z.string(),
  objectNo: z.string(),
  objectId: z.nullable(idOut),
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
  layout: floorLayouts.schema,
  items: z.array(itemOut),
  startAt: z.nullable(instantOut),
  endAt: z.nullable(instantOut),
  hideWhenEmpty: z.boolean(),
  hidden: z.boolean(),
});
export type FloorContent = z.output<typeof floorContent>;

export const floorChange = z.strictObject({
  floorKey: z.string(),
  floorName: z.string(),
  change: z.enum(['ADDED', 'REMOVED', 'CHANGED', 'MOVED']),
  /** Labels of what differs. */
  fields: z.array(z.string()),
});
export type FloorChange = z.output<typeof floorChange>;
