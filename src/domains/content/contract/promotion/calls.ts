import * as z from 'zod/mini';
import { fillText } from '#kernel/contract/errors.ts';
import { between, coded, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, instant, instantOut, several, text, version } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { color, markName } from '../marks/calls/shared.ts';
import { markColors } from '../marks/dictionaries.ts';
import { markPermissions as may } from '../marks/permissions.ts';
import { markStates } from '../marks/states.ts';
import { hiddenReasons } from './card.ts';
import { promotionErrors } from './errors.ts';
import { forbiddenIn } from './words.ts';
import { promotionPages, tagPeriods, tagStyles } from './dictionaries.ts';

const service = declareService('PromotionTagService');
const edit = may['mark.edit'];

const row = z.strictObject({
  id: idOut,
  groupId: idOut,
  groupName: field('标签组', z.string(), { width: 130 }),
  markCode: field('标签编码', z.string(), { width: 110 }),
  markName: field('标签名称', z.string(), { width: 130 }),
  displayText: field('促销文字', z.string(), { width: 110 }),
  style: field('样式', tagStyles.schema, { width: 80 }),
  color: field('颜色', markColors.schema, { width: 80 }),
  pages: field('展示页面', z.array(promotionPages.schema), { width: 220 }),
  startAt: field('开始时间', z.nullable(instantOut)),
  endAt: field('结束时间', z.nullable(instantOut)),
  priority: field('优先级', z.int(), { width: 80 }),
  objectCount: field('药品数', z.int(), { width: 80 }),
  description: field('描述', z.string(), { width: 180 }),
  state: markStates.dictionary.schema,
  period: field('展示状态', tagPeriods.schema, { width: 100 }),
  version: z.int(),
});
export type PromotionRow = z.output<typeof row>;

/** By priority, the newest first among equals: as cards show them. */
export const queryPromotionTagList = service.list({
  operation: 'queryPromotionTagList',
  label: '查询促销标签',
  access: may['content.view'],
  filter: {
    ...sortedBy('markCode', 'startAt', 'endAt', 'priority', 'objectCount'),
    keyword: z.optional(text('标签', 16)),
    groupId: field('标签组', z.optional(id)),
    style: field('样式', z.optional(several(tagStyles.schema))),
    state: field('状态', z.optional(markStates.dictionary.schema)),
    period: field('展示状态', z.optional(tagPeriods.schema)),
  },
  output: row,
});
export const exportPromotionTagList = exportOf(queryPromotionTagList, {
  operation: 'exportPromotionTagList',
  label: '导出促销标签',
  access: may['content.export'],
});

/** Letters that a tag has room for on a card. */
export const TAG_ROOM = 6;
/** What customers read keeps to advertising law. */
const allowed = coded<string>(
  {
    refusal: promotionErrors.TEXT_WORDS,
    text: (shown) => fillText(promotionErrors.TEXT_WORDS.text, { words: forbiddenIn(shown).join('、') }),
  },
  (shown) => forbiddenIn(shown).length === 0,
);
const inOrder = ordered('startAt', 'endAt', '结束时间须晚于开始时间', { apart: true });
const facts = {
  markName: markName.check(allowed),
  displayText: field(
    '促销文字',
    z.string('请输入促销文字').check(
      z.trim(),
      z.minLength(1, '请输入促销文字'),
      z.maxLength(30),
      coded(promotionErrors.TEXT_LENGTH, (shown) => [...shown].length <= TAG_ROOM),
      allowed,
    ),
  ),
  style: field('样式', tagStyles.schema),
  color,
  pages: field(
    '展示页面',
    z.array(promotionPages.schema, '请选择展示页面').check(z.minLength(1, '请选择展示页面'), z.maxLength(3, '最多3个页面')),
  ),
  startAt: field('开始时间', z._default(z.nullable(instant), null)),
  endAt: field('结束时间', z._default(z.nullable(instant), null)),
  priority: field('优先级', z._default(z.int('优先级须为整数').check(z.minimum(1, '优先级至少为1'), z.maximum(99, '优先级最多为99')), 50)),
  description: z._default(text('描述', 100), ''),
};
export const promotionLabels = {
  markName: '标签名称',
  displayText: '促销文字',
  style: '样式',
  color: '颜色',
  pages: '展示页面',
  startAt: '开始时间',
  endAt: '结束时间',
  priority: '优先级',
  description: '描述',
};
const answer = z.strictObject({ id: idOut, markCode: z.string(), version: z.int() });

export const addPromotionTag = service.act({
  operation: 'addPromotionTag',
  label: '新增促销标签',
  access: edit,
  message: '添加成功!',
  input: z.strictObject({ groupId: field('标签组', id), ...facts }).check(inOrder),
  output: answer,
});
export const modifyPromotionTag = service.act({
  operation: 'modifyPromotionTag',
  label: '修改促销标签',
  access: edit,
  input: z.strictObject({ id, version, ...facts, state: field('状态', z.optional(markStates.dictionary.schema)) }).check(inOrder),
  output: answer,
});
export const delPromotionTag = service.act({
  operation: 'delPromotionTag',
  label: '删除促销标签',
  access: edit,
  input: { id, version },
  output: z.strictObject({}),
});
/** Priorities in the order given, from 99 down. */
export const sortPromotionTag = service.act({
  operation: 'sortPromotionTag',
  label: '排序促销标签',
  access: edit,
  input: { ids: field('顺序', several(id, 99)) },
  output: z.strictObject({}),
});

const reasons = Object.keys(hiddenReasons) as (keyof typeof hiddenReasons)[];
const cardTag = z.strictObject({
  id: idOut,
  markName: z.string(),
  displayText: z.string(),
  style: tagStyles.schema,
  color: markColors.schema,
  priority: z.int(),
});
/** The card of a medicine as customers see it now, and what it carries beside that. */
export const previewPromotionTag = service.read({
  operation: 'previewPromotionTag',
  label: '预览促销标签',
  access: may['content.view'],
  input: z
    .strictObject({ medicineId: field('药品', z.optional(id)), medicineNo: z.optional(text('药品编号', 40, 1)) })
    .check(
      between(
        ['medicineId', 'medicineNo'],
        ({ medicineId, medicineNo }) => (medicineId === undefined) !== (medicineNo === undefined),
        '请输入药品编号',
      ),
    ),
  output: z.strictObject({
    medicineId: idOut,
    medicineNo: z.string(),
    name: z.string(),
    shown: z.array(cardTag),
    hidden: z.array(z.strictObject({ tag: cardTag, reason: z.enum(reasons) })),
  }),
});
