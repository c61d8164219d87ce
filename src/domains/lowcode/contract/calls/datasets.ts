import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { text } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { ownerDomains } from '../dictionaries.ts';
import { lowcodePermissions as may } from '../permissions.ts';

const service = declareService('LowcodePageService');
const view = may['page.view'];
const option = z.strictObject({ value: z.string(), label: z.string() });

export const columnOut = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  sortable: z.boolean(),
  sensitive: z.boolean(),
  reveals: z.boolean(),
  options: z.array(option),
});
export const filterOut = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  required: z.boolean(),
  options: z.array(option),
});
const inputOut = z.strictObject({
  key: z.string(),
  label: z.string(),
  type: z.string(),
  required: z.boolean(),
  max: z.nullable(z.number()),
  options: z.array(option),
});
export const actionOut = z.strictObject({
  code: z.string(),
  label: z.string(),
  kind: z.string(),
  call: z.string(),
  permission: z.string(),
  confirm: z.string(),
  danger: z.boolean(),
  opinion: z.boolean(),
  inputs: z.array(inputOut),
});
const named = z.strictObject({ name: z.string(), label: z.string() });

const datasetRow = z.strictObject({
  code: z.string(),
  label: z.string(),
  domain: ownerDomains.schema,
  list: z.string(),
  permission: z.string(),
  columns: z.int(),
  actions: z.int(),
  pages: z.array(z.strictObject({ token: z.string(), title: z.string() })),
});
const datasetDetail = z.strictObject({
  ...datasetRow.shape,
  keyField: z.string(),
  versionField: z.nullable(z.string()),
  columns: z.array(columnOut),
  filters: z.array(filterOut),
  sorts: z.array(z.string()),
  detail: z.boolean(),
  exports: z.boolean(),
  imports: z.boolean(),
  timeline: z.boolean(),
  options: z.array(named),
  stats: z.array(
    z.strictObject({
      name: z.string(),
      label: z.string(),
      dimensions: z.array(z.strictObject({ key: z.string(), label: z.string() })),
      measures: z.array(z.strictObject({ key: z.string(), label: z.string() })),
    }),
  ),
  actions: z.array(actionOut),
  /** A complete list page over it, to be put into a definition. */
  skeleton: z.string(),
});
export type DatasetDetail = z.output<typeof datasetDetail>;

export const queryDatasetList = service.read({
  operation: 'queryDatasetList',
  label: '查询数据集目录',
  access: view,
  input: { domain: field('所属领域', z.optional(ownerDomains.schema)), keyword: z.optional(text('关键字', 50)) },
  output: z.array(datasetRow),
});
export const queryDatasetDetail = service.read({
  operation: 'queryDatasetDetail',
  label: '查询数据集',
  access: view,
  input: { code: text('数据集', 60, 1) },
  output: datasetDetail,
});
