import * as z from 'zod/mini';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { field } from '#kernel/contract/field.ts';
import { dayOut, flag, id, idOut, instantOut, paging, text, version } from '#kernel/contract/fields.ts';
import { typedKinds } from '#kernel/contract/rules/groups.ts';
import { ADDED, CHANGED, declareService, DELETED, maybe, nothing } from '#kernel/contract/service.ts';
import { queryPermissions as may } from '../permissions.ts';
import { aggregations, datasets, LAST_SCHEDULE_DAY, MOST_RECIPIENTS, queryConfig, viewScopes } from '../query.ts';

const service = declareService('QueryTableService', 'product');

const column = z.strictObject({
  key: z.string(),
  label: z.string(),
  kind: z.enum(typedKinds),
  unit: z.string(),
  width: z.int(),
  options: z.array(z.strictObject({ value: z.string(), label: z.string() })),
  /** Conditions that can be made of it; none: it is no condition. */
  operators: z.array(z.string()),
  aggregations: z.array(aggregations.schema),
  groups: z.boolean(),
  sensitive: z.boolean(),
});
export type QueryColumnOut = z.output<typeof column>;
const dataset = z.strictObject({ code: datasets.schema, label: z.string(), asOf: z.boolean(), columns: z.array(column) });
export type DatasetOut = z.output<typeof dataset>;
export const queryDatasetList = service.read({
  operation: 'queryDatasetList',
  label: '查询数据集',
  access: may['query.view'],
  input: {},
  output: z.strictObject({ datasets: z.array(dataset) }),
});

const asked = { dataset: field('数据集', datasets.schema), config: queryConfig };
/** A value as it is compared: fen, days, codes; money of groups in fen too. */
const cells = z.array(z.nullable(z.string()));
export const queryTableData = service.read({
  operation: 'queryTableData',
  label: '查询保费信息',
  access: may['query.view'],
  secrets: ['config'],
  input: { ...asked, ...paging },
  output: z.strictObject({
    rows: z.array(cells),
    /** Sums over all rows, of the columns that have one. */
    totals: cells,
    /** Exact to 10,000; 10001: more. */
    totalRecordCount: z.int(),
    ms: z.int(),
  }),
});

/** Masked unless it is said otherwise, which takes a right and a reason. */
export const exportQueryTable = service.file({
  operation: 'exportQueryTable',
  label: '导出保费信息',
  access: may['query.export'],
  log: 'EXPORT',
  input: {
    ...asked,
    masked: field('脱敏', z._default(flag, true)),
    reason: z.optional(text('导出原因', 200)),
    columns: exportFields.columns,
    format: exportFields.format,
    filterText: exportFields.filterText,
  },
  output: exportQueued,
});

const schedule = z.strictObject({
  dayOfMonth: field(
    '每月几日',
    z.int('请选择每月几日').check(z.minimum(1, '请选择1至28日'), z.maximum(LAST_SCHEDULE_DAY, '请选择1至28日')),
  ),
  /** Others who get it beside the view's owner, each what he may see. */
  recipients: field('接收人', z.array(id).check(z.maxLength(MOST_RECIPIENTS, `最多${MOST_RECIPIENTS}位接收人`))),
});
const viewName = text('视图名称', 30, 1);
const viewRow = z.strictObject({
  id: idOut,
  dataset: datasets.schema,
  viewName: field('视图名称', z.string()),
  /** Null: what was saved can no longer be asked, it has to be put together anew. */
  config: z.nullable(queryConfig),
  scope: field('共享范围', viewScopes.schema),
  ownerName: field('创建人', z.string()),
  mine: z.boolean(),
  schedule: field('定时导出', z.nullable(schedule)),
  nextOn: field('下次导出', z.nullable(dayOut)),
  lastRunAt: field('上次导出', z.nullable(instantOut)),
  updatedAt: field('更新时间', instantOut),
  version: z.int(),
});
export type ViewRow = z.output<typeof viewRow>;
export const queryViewList = service.read({
  operation: 'queryViewList',
  label: '查询视图',
  access: may['query.view'],
  input: {},
  output: z.strictObject({ views: z.array(viewRow) }),
});
export const addQueryView = service.act({
  operation: 'addQueryView',
  label: '新增查询视图',
  access: may['query.view'],
  ...ADDED,
  input: { ...asked, viewName },
  output: viewRow,
});
/** What is not named stays as it is; a schedule of null ends. */
export const modifyQueryView = service.act({
  operation: 'modifyQueryView',
  label: '修改查询视图',
  access: may['query.view'],
  ...CHANGED,
  input: { id, version, viewName, config: field('查询配置', z.optional(queryConfig)), schedule: field('定时导出', maybe(schedule)) },
  output: viewRow,
});
export const removeQueryView = service.act({
  operation: 'removeQueryView',
  label: '删除查询视图',
  access: may['query.view'],
  ...DELETED,
  input: { id, version },
  output: nothing,
});
export const shareQueryView = service.act({
  operation: 'shareQueryView',
  label: '分享查询视图',
  access: may['query.share'],
  message: '分享成功!',
  input: { id, version, scope: field('共享范围', viewScopes.schema) },
  output: viewRow,
});

/** Who may be sent a scheduled export: whoever may export; of a view besides those whom it names and who may no longer. */
export const queryViewRecipientOptions = service.read({
  operation: 'queryViewRecipientOptions',
  label: '查询定时导出接收人选项',
  access: may['query.export'],
  input: { id: field('视图', z.optional(id)) },
  output: z.array(z.strictObject({ userId: idOut, displayName: z.string(), roleName: z.string(), able: z.boolean() })),
});
