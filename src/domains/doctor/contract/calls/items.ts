import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  emptyToNull,
  fen,
  id,
  idOut,
  instantOut,
  intOrNull,
  optionalId,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  int4,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { labelsOf } from '#kernel/contract/labels.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { billings, careKinds, itemTypes, practiceCategories, refundRules, titles } from '../dictionaries.ts';
import { at, chosen } from '../fields.ts';
import { doctorPermissions as may } from '../permissions.ts';
import { HIGHEST_FEN } from '../rules/price.ts';
import { itemMachine } from '../states.ts';

const service = declareService('DoctorServiceService');

const price = (label: string) =>
  field(label, fen.check(z.minimum(0, `${label}不能为负数`), z.maximum(HIGHEST_FEN, `${label}不能超过5000元`)));
const bandIn = z.strictObject({ minFen: price('最低价'), defaultFen: price('默认价'), maxFen: price('最高价') });
const bandOut = z.strictObject({ minFen: z.int(), defaultFen: z.int(), maxFen: z.int() });
const bandsOf = <T extends z.ZodMiniType>(band: T) => {
  const one = z.optional(band);
  return z.strictObject({
    CHIEF: field('主任医师价格', one),
    ASSOCIATE: field('副主任医师价格', one),
    ATTENDING: field('主治医师价格', one),
    RESIDENT: field('住院医师价格', one),
  });
};
const priceBandsOut = bandsOf(bandOut);

/** A cover or an agreement of an item. */
export const ITEM_FILE = 'DOCTOR_ITEM';
const file = z.strictObject({ fileId: idOut, fileName: z.string(), detectedType: textOrNull, size: intOrNull, pageCount: intOrNull });
export type ItemFile = z.output<typeof file>;

const hoursOf = (label: string, max: number) =>
  field(label, z.int(`请输入${label}`).check(z.minimum(1, `${label}至少1小时`), z.maximum(max, `${label}最多${max}小时`)));
const count = (label: string, min: number, max: number) =>
  field(
    label,
    z._default(
      z.nullable(z.int(`${label}须为整数`).check(z.minimum(min, `${label}为${min}至${max}`), z.maximum(max, `${label}为${min}至${max}`))),
      null,
    ),
  );

/** What an operator says of an item; what billing and type demand is checked together by the server. */
const fields = {
  name: text('服务名称', 20, 1),
  itemType: field('服务类型', itemTypes.schema),
  careKind: field('服务性质', careKinds.schema),
  categoryId: chosen('服务分类'),
  summary: optionalText('服务简介', 200),
  detail: optionalText('服务说明', 5000),
  coverFileId: field('封面图', optionalId),
  billing: field('计费方式', billings.schema),
  quotaReplies: count('回合数', 1, 100),
  periodDays: count('周期天数', 7, 365),
  durationMin: field('通话时长', z._default(z.nullable(z.literal([10, 15, 20, 30, 60], '通话时长只能为10、15、20、30或60分钟')), null)),
  freeAllowed: field('允许免费', z._default(z.boolean('请选择是否允许免费'), false)),
  priceBands: field('价格区间', bandsOf(bandIn)),
  acceptHours: hoursOf('接诊时效', 24),
  replyHours: hoursOf('首响时效', 48),
  validHours: z._default(z.nullable(hoursOf('服务有效期', 720)), null),
  needSlot: field('需预约', z._default(z.boolean('请选择是否预约'), false)),
  titleMin: field('最低职称', titles.schema),
  categories: field('执业类别', z._default(z.array(practiceCategories.schema).check(z.maxLength(4, '执业类别最多4项')), [])),
  productLineId: field('合作产品线', optionalId),
  agreementFileId: field('服务协议', optionalId),
};
export const itemLabels = labelsOf(fields);

const row = z.strictObject({
  id: idOut,
  itemCode: field('编码', z.string(), { width: 160 }),
  name: field('名称', z.string(), { width: 192 }),
  itemType: field('类型', itemTypes.schema),
  careKind: field('性质', careKinds.schema),
  categoryId: idOut,
  categoryName: field('服务分类', z.string(), { width: 128 }),
  sort: z.int(),
  summary: z.string(),
  detail: z.string(),
  coverFileId: z.nullable(idOut),
  billing: field('计费', billings.schema),
  quotaReplies: field('回合数', intOrNull),
  periodDays: field('周期天数', intOrNull),
  durationMin: field('通话时长（分钟）', intOrNull),
  freeAllowed: z.boolean(),
  priceBands: priceBandsOut,
  acceptHours: field('接诊时效（小时）', z.int()),
  replyHours: field('首响时效（小时）', z.int()),
  validHours: field('服务有效期（小时）', z.int()),
  needSlot: field('需预约', z.boolean()),
  titleMin: field('最低职称', titles.schema),
  categories: field('执业类别', z.array(practiceCategories.schema), { width: 160 }),
  productLineId: z.nullable(idOut),
  agreementFileId: z.nullable(idOut),
  agreementVersion: z.int(),
  refundRuleCode: field('退款规则', refundRules.schema, { width: 160 }),
  state: field('状态', itemMachine.dictionary.schema),
  version: z.int(),
  openDoctors: field('开通医生数', z.int()),
  orders30: field('30天订单', z.int()),
  createdAt: at,
  updatedAt: field('更新时间', instantOut),
});
export type ItemRow = z.output<typeof row>;

const filters = {
  keyword: z.optional(text('编码或名称', 40)),
  itemType: field('服务类型', z.optional(several(itemTypes.schema))),
  careKind: field('服务性质', z.optional(careKinds.schema)),
  categoryId: field('服务分类', z.optional(id)),
  billing: field('计费方式', z.optional(billings.schema)),
  state: z.optional(several(itemMachine.dictionary.schema)),
};
export const queryServiceItemList = service.list({
  operation: 'queryServiceItemList',
  label: '查询服务项目',
  access: may['item.view'],
  filter: filters,
  output: row,
});
/** A price list: who may look at it may take it along. */
export const exportServiceItemList = exportOf(queryServiceItemList, {
  operation: 'exportServiceItemList',
  label: '导出服务项目',
  access: may['item.view'],
});
export const queryServiceItemDetail = service.read({
  operation: 'queryServiceItemDetail',
  label: '查看服务项目',
  access: may['item.view'],
  input: { id },
  output: z.strictObject({
    item: row,
    cover: z.nullable(file),
    agreement: z.nullable(file),
    productLineName: textOrNull,
    trail,
    allowedActions: z.array(z.string()),
  }),
});
export const addServiceItem = service.act({
  operation: 'addServiceItem',
  label: '新增服务项目',
  access: may['item.edit'],
  message: '新增成功!',
  input: {
    itemCode: field(
      '项目编码',
      z.string('请输入项目编码').check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z0-9_]{2,32}$/, '项目编码为2至32位大写字母、数字或下划线')),
    ),
    ...fields,
  },
  output: actionAnswer,
});
export const modifyServiceItem = service.act({
  operation: 'modifyServiceItem',
  label: '修改服务项目',
  access: may['item.edit'],
  input: { id, version, ...fields },
  output: actionAnswer,
});
/** Doctors whose price would lie outside new bands; they keep it until their next change. */
export const previewServiceItemBands = service.read({
  operation: 'previewServiceItemBands',
  label: '预览价格区间影响',
  access: may['item.edit'],
  input: { id, priceBands: field('价格区间', bandsOf(bandIn)) },
  output: z.strictObject({
    total: z.int(),
    doctors: z.array(
      z.strictObject({
        openingId: idOut,
        doctorId: idOut,
        doctorName: z.string(),
        titleCode: titles.schema,
        priceFen: z.int(),
        band: z.nullable(bandOut),
      }),
    ),
  }),
});
export const changeServiceItemState = service.act({
  operation: 'changeServiceItemState',
  label: '上架、下架服务项目',
  access: may['item.edit'],
  input: { id, version, action: field('操作', z.enum(['on', 'off'], '操作不正确')), opinion: emptyToNull(text('意见', 500)) },
  output: actionAnswer,
});
export const delServiceItem = service.act({
  operation: 'delServiceItem',
  label: '删除服务项目',
  access: may['item.edit'],
  input: { id, version },
  output: z.strictObject({}),
});
/** `index` counts among the items of the category without the moved one. */
export const sortServiceItem = service.act({
  operation: 'sortServiceItem',
  label: '排序服务项目',
  access: may['item.edit'],
  input: { id, version, categoryId: field('服务分类', id), index: field('位置', int4('位置不正确').check(z.minimum(0, '位置不正确'))) },
  output: actionAnswer,
});
