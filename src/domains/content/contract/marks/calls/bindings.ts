import * as z from 'zod/mini';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instant, instantOut, several, text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { bindingSources, endReasons, markColors, objectTypes } from '../dictionaries.ts';
import { markPermissions as may } from '../permissions.ts';

const service = declareService('MarkService');

const row = z.strictObject({
  id: idOut,
  objectType: field('对象类型', objectTypes.schema),
  objectId: idOut,
  /** Empty where the viewer does not see the object. */
  objectNo: field('对象编号', z.nullable(z.string()), { width: 170 }),
  objectName: field('对象名称', z.nullable(z.string()), { width: 200 }),
  link: z.nullable(z.strictObject({ path: z.string(), search: z.record(z.string(), z.string()) })),
  markId: idOut,
  markCode: field('标签编码', z.string()),
  markName: field('标签', z.string()),
  groupName: field('标签组', z.string()),
  color: markColors.schema,
  source: field('来源', bindingSources.schema),
  boundAt: field('打标时间', instantOut),
  boundByName: field('操作人', z.nullable(z.string())),
  expireAt: field('到期时间', z.nullable(instantOut)),
  endedAt: field('结束时间', z.nullable(instantOut)),
  endReason: field('结束原因', z.nullable(endReasons.schema)),
  note: field('备注', z.string(), { width: 160 }),
});
export type BindingRow = z.output<typeof row>;

/** What carries a mark, or has carried it; of one object in the order of time. */
export const queryMarkObjectList = service.list({
  operation: 'queryMarkObjectList',
  label: '查询打标记录',
  access: may['content.view'],
  filter: {
    markId: field('标签', z.optional(id)),
    objectType: field('对象类型', z.optional(objectTypes.schema)),
    objectId: field('对象', z.optional(id)),
    keyword: z.optional(text('对象', 40)),
    markName: z.optional(text('标签', 12)),
    source: field('来源', z.optional(several(bindingSources.schema))),
    boundFrom: field('打标时间起', z.optional(instant)),
    boundTo: field('打标时间止', z.optional(instant)),
    boundByName: z.optional(text('操作人', 20)),
    live: field('仅生效中', z.optional(flag)),
  },
  output: row,
});
export const exportMarkBindingList = exportOf(queryMarkObjectList, {
  operation: 'exportMarkBindingList',
  label: '导出打标记录',
  access: may['content.export'],
});

const objects = {
  markIds: field('标签', z.array(id).check(z.minLength(1, '请选择标签'), z.maxLength(10, '最多10个标签'))),
  objectType: field('对象类型', objectTypes.schema),
  objectIds: field('对象', z._default(z.array(id).check(z.maxLength(500, '最多500个对象')), [])),
  /** The same objects by the numbers that people write down. */
  objectNos: field('对象编号', z._default(z.array(text('对象编号', 40, 1)).check(z.maxLength(500, '最多500个对象')), [])),
};
const given = z.refine<{ objectIds: readonly string[]; objectNos: readonly string[] }>(
  ({ objectIds, objectNos }) => objectIds.length + objectNos.length > 0 && objectIds.length + objectNos.length <= 500,
  { path: ['objectNos'], message: '请填写1至500个对象' },
);
const outcomes = z.array(
  z.strictObject({
    /** Null where there is no such object. */
    objectId: z.nullable(idOut),
    name: z.string(),
    ok: z.boolean(),
    /** Bindings that made room in groups of single choice; of a removal those that ended. */
    replaced: z.int(),
    code: z.nullable(z.string()),
    message: z.string(),
  }),
);
export type BindOutcome = z.output<typeof outcomes>[number];

export const bindMark = service.act({
  operation: 'bindMark',
  label: '打标',
  access: may['mark.bind'],
  input: z
    .strictObject({
      ...objects,
      expireAt: field('到期时间', z._default(z.nullable(instant), null)),
      note: z._default(text('备注', 100), ''),
    })
    .check(given),
  output: outcomes,
});
export const unbindMark = service.act({
  operation: 'unbindMark',
  label: '移除标签',
  access: may['mark.bind'],
  input: z.strictObject(objects).check(given),
  output: outcomes,
});

const carried = z.strictObject({
  markId: idOut,
  markCode: z.string(),
  markName: z.string(),
  groupId: idOut,
  groupName: z.string(),
  color: markColors.schema,
  source: bindingSources.schema,
  boundAt: instantOut,
  expireAt: z.nullable(instantOut),
});
export type CarriedMark = z.output<typeof carried>;

/** The live marks of things that the viewer sees. */
export const queryObjectMark = service.read({
  operation: 'queryObjectMark',
  label: '查询对象标签',
  access: may['content.view'],
  input: { objectType: field('对象类型', objectTypes.schema), objectIds: field('对象', several(id, 200)) },
  output: z.array(z.strictObject({ objectId: idOut, marks: z.array(carried) })),
});
