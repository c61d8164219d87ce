import * as z from 'zod/mini';
import { id, idOut, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { markPermissions as may } from '../permissions.ts';
import { markStates } from '../states.ts';
import { color, countOrNone, markName } from './shared.ts';

const service = declareService('MarkService');
const edit = may['mark.edit'];

const facts = {
  markName,
  color,
  description: z._default(text('描述', 100), ''),
  defaultDays: countOrNone('默认有效天数', 3650),
};
export const markLabels = { markName: '标签名称', color: '颜色', description: '描述', defaultDays: '默认有效天数' };
const answer = z.strictObject({ id: idOut, markCode: z.string(), version: z.int() });

export const addMark = service.act({
  operation: 'addMark',
  label: '新增标签',
  access: edit,
  message: '添加成功!',
  input: { groupId: field('标签组', id), ...facts },
  output: answer,
});
export const modifyMark = service.act({
  operation: 'modifyMark',
  label: '修改标签',
  access: edit,
  input: { id, version, ...facts, state: field('状态', z.optional(markStates.dictionary.schema)) },
  output: answer,
});
export const delMark = service.act({
  operation: 'delMark',
  label: '删除标签',
  access: edit,
  input: { id, version },
  output: z.strictObject({}),
});
/** What carries the first carries the second afterwards; the first is out of use. */
export const mergeMark = service.act({
  operation: 'mergeMark',
  label: '合并标签',
  access: edit,
  message: '合并成功!',
  input: { fromId: field('标签', id), version, intoId: field('目标标签', id) },
  output: z.strictObject({ id: idOut, moved: z.int(), ended: z.int() }),
});
