import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, text, version, int4 } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { categoryIcons, enabledStates, visibleTo } from '../dictionaries.ts';
import { doctorPermissions as may } from '../permissions.ts';

const host = 'admin';
const service = 'InquiryServiceCategoryService';
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
export const queryInquiryServiceCategoryList = call({
  host,
  service,
  operation: 'queryInquiryServiceCategoryList',
  kind: 'query',
  shape: 'data',
  label: '查询问诊服务分类',
  access: access.permission(may['config.view']),
  input: z.strictObject({}),
  output: z.array(node),
});
export const addInquiryServiceCategory = call({
  host,
  service,
  operation: 'addInquiryServiceCategory',
  kind: 'command',
  shape: 'data',
  label: '新增问诊服务分类',
  message: '新增成功!',
  access: access.permission(may['config.edit']),
  input: z.strictObject({
    parentId: field('上级分类', z._default(z.nullable(id), null)),
    name,
    icon,
    visibleTo: field('可见范围', z._default(visibleTo.schema, 'ALL')),
    index: field('位置', z.optional(index)),
  }),
  output: node,
});
export const modifyInquiryServiceCategory = call({
  host,
  service,
  operation: 'modifyInquiryServiceCategory',
  kind: 'command',
  shape: 'data',
  label: '修改问诊服务分类',
  access: access.permission(may['config.edit']),
  input: z.strictObject({
    id,
    version,
    name,
    icon,
    visibleTo: field('可见范围', visibleTo.schema),
    state: field('状态', enabledStates.schema),
  }),
  output: node,
});
export const delInquiryServiceCategory = call({
  host,
  service,
  operation: 'delInquiryServiceCategory',
  kind: 'command',
  shape: 'data',
  label: '删除问诊服务分类',
  access: access.permission(may['config.edit']),
  input: z.strictObject({ id, version }),
  output: z.strictObject({}),
});
/** `index` counts among the new siblings without the node itself. */
export const sortInquiryServiceCategory = call({
  host,
  service,
  operation: 'sortInquiryServiceCategory',
  kind: 'command',
  shape: 'data',
  label: '移动问诊服务分类',
  message: '移动成功!',
  access: access.permission(may['config.edit']),
  input: z.strictObject({ id, version, parentId: field('上级分类', z.nullable(id)), index }),
  output: node,
});
