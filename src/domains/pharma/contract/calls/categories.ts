import * as z from 'zod/mini';
import { id, idOut, text, textOrNull, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { categoryKinds, categoryStates } from '../dictionaries.ts';
import { pharmaPermissions as may } from '../permissions.ts';
import { ADDED, CHANGED, DELETED, declareService, maybe, nothing } from './declare.ts';

const service = declareService('DrugCategoryService');

export const categoryNode = z.strictObject({
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
export const queryDrugCategoryTree = service.read(
  'queryDrugCategoryTree',
  '查询药品分类',
  may['category.view'],
  { kind: field('分类类别', z._default(categoryKinds.schema, 'THERAPY')) },
  z.array(categoryNode),
);
export const addDrugCategory = service.act(
  'addDrugCategory',
  '新增药品分类',
  may['category.edit'],
  {
    kind: field('分类类别', categoryKinds.schema),
    parentId: field('上级分类', maybe(id)),
    name,
    icon,
    index: field('位置', z.optional(int4('位置不正确').check(z.minimum(0, '位置不正确')))),
  },
  categoryNode,
  ADDED,
);
export const modifyDrugCategory = service.act(
  'modifyDrugCategory',
  '修改药品分类',
  may['category.edit'],
  { id, version, name, icon, state: field('状态', z.optional(categoryStates.schema)) },
  categoryNode,
  CHANGED,
);
/** `index` counts among the new siblings without the node itself. */
export const moveDrugCategory = service.act(
  'moveDrugCategory',
  '移动药品分类',
  may['category.edit'],
  {
    id,
    version,
    parentId: field('上级分类', z.nullable(id)),
    index: field('位置', int4('位置不正确').check(z.minimum(0, '位置不正确'))),
  },
  categoryNode,
  { message: '移动成功' },
);
export const delDrugCategory = service.act('delDrugCategory', '删除药品分类', may['category.edit'], { id, version }, nothing, DELETED);
/** Medicines and children of the first go to the second; the first disappears. */
export const mergeDrugCategory = service.act(
  'mergeDrugCategory',
  '合并药品分类',
  may['category.edit'],
  { id, version, targetId: field('目标分类', id) },
  categoryNode,
  { message: '合并成功' },
);
