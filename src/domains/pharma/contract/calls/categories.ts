import * as z from 'zod/mini';
import { id, idOut, text, textOrNull, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { categoryKinds, categoryStates } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { ADDED, CHANGED, DELETED, declareService, maybe, nothing } from './declare.ts';

const service = declareService('DrugCategoryService');

const categoryNode = z.strictObject({
  id: idOut,
  parentId: textOrNull,
  code: z.string(),
  name: z.string(),
  icon: textOrNull,
  depth: z.int(),
  sort: z.int(),
  kind: categoryKinds.schema,
  /** Medicines of the node itself. */
  medicineCount: z.int(),
  state: categoryStates.schema,
  version: z.int(),
});
export type CategoryNode = z.output<typeof categoryNode>;

const name = text('分类名称', 30, 1);
const icon = maybe(text('图标', 40));

/** All nodes of a kind, parents before children, siblings in their order. */
export const queryDrugCategoryTree = service.read({
  operation: 'queryDrugCategoryTree',
  label: '查询药品分类',
  access: may['category.view'],
  input: { kind: field('分类类别', z._default(categoryKinds.schema, 'THERAPY')) },
  output: z.array(categoryNode),
});
export const addDrugCategory = service.act({
  operation: 'addDrugCategory',
  label: '新增药品分类',
  access: may['category.edit'],
  ...ADDED,
  input: {
    kind: field('分类类别', categoryKinds.schema),
    parentId: field('上级分类', maybe(id)),
    name,
    icon,
    index: field('位置', z.optional(int4('位置不正确').check(z.minimum(0, '位置不正确')))),
  },
  output: categoryNode,
});
export const modifyDrugCategory = service.act({
  operation: 'modifyDrugCategory',
  label: '修改药品分类',
  access: may['category.edit'],
  ...CHANGED,
  input: { id, version, name, icon, state: field('状态', z.optional(categoryStates.schema)) },
  output: categoryNode,
});
/** `index` counts among the new siblings without the node itself. */
export const moveDrugCategory = service.act({
  operation: 'moveDrugCategory',
  label: '移动药品分类',
  access: may['category.edit'],
  message: '移动成功',
  input: {
    id,
    version,
    parentId: field('上级分类', z.nullable(id)),
    index: field('位置', int4('位置不正确').check(z.minimum(0, '位置不正确'))),
  },
  output: categoryNode,
});
export const delDrugCategory = service.act({
  operation: 'delDrugCategory',
  label: '删除药品分类',
  access: may['category.edit'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
/** Medicines and children of the first go to the second; the first disappears. */
export const mergeDrugCategory = service.act({
  operation: 'mergeDrugCategory',
  label: '合并药品分类',
  access: may['category.edit'],
  message: '合并成功',
  input: { id, version, targetId: field('目标分类', id) },
  output: categoryNode,
});
