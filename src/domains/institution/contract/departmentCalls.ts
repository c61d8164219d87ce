import * as z from 'zod/mini';
import { declareService, rowOutcomes } from '#kernel/contract/service.ts';
import { access } from '#kernel/contract/call.ts';
import { id, optionalText, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { enabledStates } from './dictionaries.ts';
import { institutionPermissions as may } from './permissions.ts';

const service = declareService('HospitalService');

const node = z.strictObject({
  /** Department id, or the code of a standard department. */
  id: z.string(),
  name: z.string(),
  parentId: textOrNull,
  standardDeptCode: textOrNull,
  standardDeptName: textOrNull,
  alias: z.array(z.string()),
  phone: z.string(),
  sort: z.int(),
  doctorCount: z.int(),
  hospitalCount: z.int(),
  state: enabledStates.schema,
  version: z.int(),
});
export type DepartmentNode = z.output<typeof node>;

export const queryDepartmentTree = service.read({
  operation: 'queryDepartmentTree',
  label: '查询科室',
  access: access.session,
  input: { hospitalId: field('医院', z.optional(id)) },
  output: z.array(node),
});

const facts = {
  name: text('科室名称', 50, 1),
  standardDeptCode: field(
    '标准科室',
    z._default(z.nullable(z.string('标准科室不正确').check(z.regex(/^[0-9]{2}(\.[0-9]{2})?$/, '标准科室不正确'))), null),
  ),
  alias: z._default(z.array(text('别名', 50, 1)).check(z.maxLength(20, '别名最多20个')), []),
  sort: field('排序', z._default(z.int('排序须为整数').check(z.minimum(0, '排序从0开始'), z.maximum(9999, '排序最大为9999')), 0)),
  phone: optionalText('电话', 30),
};
export const addDepartment = service.act({
  operation: 'addDepartment',
  label: '新增科室',
  access: may['hospital.edit'],
  message: '新增成功!',
  input: { hospitalId: field('医院', id), ...facts },
  output: node,
});
export const modifyDepartment = service.act({
  operation: 'modifyDepartment',
  label: '编辑科室',
  access: may['hospital.edit'],
  message: '修改成功!',
  input: { id, version, ...facts },
  output: node,
});
export const delDepartment = service.act({
  operation: 'delDepartment',
  label: '删除科室',
  access: may['hospital.edit'],
  message: '删除成功!',
  input: { id },
  output: z.strictObject({}),
});
export const batchMapDepartment = service.act({
  operation: 'batchMapDepartment',
  label: '批量对应标准科室',
  access: may['hospital.edit'],
  message: '修改成功!',
  input: {
    ids: field('科室', z.array(id, '请选择科室').check(z.minLength(1, '请选择科室'), z.maxLength(500, '一次最多500个科室'))),
    standardDeptCode: field(
      '标准科室',
      z.string('请选择标准科室').check(z.minLength(1, '请选择标准科室'), z.maxLength(5, '标准科室不正确')),
    ),
  },
  output: rowOutcomes,
});
