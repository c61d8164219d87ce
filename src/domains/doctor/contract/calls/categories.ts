import * as z from 'zod/mini';
import { id, idOut, text, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { categoryIcons, enabledStates, visibleTo } from '../dictionaries.ts';
import { doctorPermissions as may } from '../permissions.ts';

const service = declareService('InquiryServiceCategoryService');
const name = text('分类名称', 20, 1);
const icon = field('图标', z._default(z.nullable(categoryIcons.schema), null));
const index = field('位置', int4('位置不正确').check(z.minimum(0, '位置不正确')));

const node = z.strictObject({
  id: idOut,
  parentId: z.nullable(idOut),
  code: z.string(),
  depth: z.int(),
  name: z.string(),
  icon: z.nullable(categoryIcons.schema),
  sort: z.int(),
  visibleTo: visibleTo.schema,
  state: enabledStates.schema,
  /** Items of the category itself. */
  itemCount: z.int(),
  version: z.int(),
});
export type CategoryNode = z.output<typeof node>;

/** All categories, parents before children, in their order. */
export const queryInquiryServiceCategoryList = service.read({
  operation: 'queryInquiryServiceCategoryList',
  label: '查询问诊服务分类',
  access: may['config.view'],
  input: {},
  output: z.array(node),
});
export const addInquiryServiceCategory = service.act({
  operation: 'addInquiryServiceCategory',
  label: '新增问诊服务分类',
  access: may['config.edit'],
  message: '新增成功!',
  input: {
    parentId: field('上级分类', z._default(z.nullable(id), null)),
    name,
    icon,
    visibleTo: field('可见范围', z._default(visibleTo.schema, 'ALL')),
    index: field('位置', z.optional(index)),
  },
  output: node,
});
export const modifyInquiryServiceCategory = service.act({
  operation: 'modifyInquiryServiceCategory',
  label: '修改问诊服务分类',
  access: may['config.edit'],
  input: { id, version, name, icon, visibleTo: field('可见范围', visibleTo.schema), state: field('状态', enabledStates.schema) },
  output: node,
});
export const delInquiryServiceCategory = service.act({
  operation: 'delInquiryServiceCategory',
  label: '删除问诊服务分类',
  access: may['config.edit'],
  input: { id, version },
  output: z.strictObject({}),
});
/** `index` counts among the new siblings without the node itself. */
export const sortInquiryServiceCategory = service.act({
  operation: 'sortInquiryServiceCategory',
  label: '移动问诊服务分类',
  access: may['config.edit'],
  message: '移动成功!',
  input: { id, version, parentId: field('上级分类', z.nullable(id)), index },
  output: node,
});
