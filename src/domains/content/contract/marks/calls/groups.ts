import * as z from 'zod/mini';
import { between } from '#kernel/contract/between.ts';
import { flag, id, idOut, several, text, version } from '#kernel/contract/fields.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { groupKinds, objectTypes, selectModes } from '../dictionaries.ts';
import { markPermissions as may } from '../permissions.ts';
import { tagGroupStates } from '../states.ts';
import { color, countOrNone, groupName, tagGroup } from './shared.ts';

const service = declareService('MarkService');
const edit = may['mark.edit'];

const facts = {
  groupName,
  color,
  sensitive: field('医疗类', z._default(flag, false)),
  manualAllowed: field('允许手工打标', z._default(flag, true)),
  maxPerObject: countOrNone('每个对象最多标签数', 50),
};
export const tagGroupLabels = {
  groupName: '标签组名称',
  color: '颜色',
  sensitive: '医疗类',
  manualAllowed: '允许手工打标',
  maxPerObject: '每个对象最多标签数',
};

const markFilters = {
  objectType: field('对象类型', z.optional(objectTypes.schema)),
  kind: field('类型', z.optional(groupKinds.schema)),
  keyword: z.optional(text('标签', 16)),
};
/** Groups in their order with their marks; medical ones of patients only for who may see them. */
export const queryTagGroupList = service.read({
  operation: 'queryTagGroupList',
  label: '查询标签组',
  access: may['content.view'],
  input: markFilters,
  output: z.array(tagGroup),
});
/** A mark a line, with its group. */
export const exportMarkList = service.file({
  operation: 'exportMarkList',
  label: '导出标签',
  access: may['content.export'],
  log: 'EXPORT',
  input: { ...markFilters, ...exportFields },
  output: exportQueued,
});
export const addTagGroup = service.act({
  operation: 'addTagGroup',
  label: '新增标签组',
  access: edit,
  message: '添加成功!',
  input: {
    objectType: field('对象类型', objectTypes.schema),
    kind: field('类型', z._default(groupKinds.schema, 'MARK')),
    selectMode: field('选择方式', z._default(selectModes.schema, 'MULTI')),
    ...facts,
  },
  output: z.strictObject({ id: idOut, version: z.int() }),
});
/** What kind of thing carries the group's marks, and how many of them at once, stays as it was made: bindings rest on it. */
export const modifyTagGroup = service.act({
  operation: 'modifyTagGroup',
  label: '修改标签组',
  access: edit,
  input: { id, version, ...facts, state: field('状态', z.optional(tagGroupStates.dictionary.schema)) },
  output: z.strictObject({ id: idOut, version: z.int() }),
});
export const delTagGroup = service.act({
  operation: 'delTagGroup',
  label: '删除标签组',
  access: edit,
  input: { id, version },
  output: z.strictObject({}),
});
/** All groups of one kind of thing in their new order, or all marks of one group. */
export const sortTagGroup = service.act({
  operation: 'sortTagGroup',
  label: '排序标签组',
  access: edit,
  input: z
    .strictObject({
      objectType: field('对象类型', z.optional(objectTypes.schema)),
      groupId: field('标签组', z.optional(id)),
      ids: field('顺序', several(id, 500)),
    })
    .check(
      between(
        ['objectType', 'groupId', 'ids'],
        ({ objectType, groupId }) => (objectType === undefined) !== (groupId === undefined),
        '请选择对象类型或标签组',
      ),
    ),
  output: z.strictObject({}),
});
