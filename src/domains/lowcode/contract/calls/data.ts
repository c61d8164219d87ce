import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { field } from '#kernel/contract/field.ts';
import { id, idOut, paging, text, int4 } from '#kernel/contract/fields.ts';
import { declareService } from '#kernel/contract/service.ts';
import { manifest } from '../definition.ts';
import { lowcodePermissions as may } from '../permissions.ts';
import { actionOut, columnOut, filterOut } from './datasets.ts';

const service = declareService('LowcodePageService');

// Whose page it is decides: its right, its manifest, and the right of the call that the dataset binds. All three are judged inside.
const dataService = declareService('LowcodeDataService');
const pages = access.owner(may['page.view'], may['page.edit']);

const token = text('页面标识', 40, 1);
const versionId = field('页面版本', id);
const scalar = z.nullable(z.union([z.string().check(z.maxLength(4_000, '内容过长')), z.number(), z.boolean()]));
const key = z.string().check(z.maxLength(100, '名称过长'));
const value = z.union([
  scalar,
  z.array(scalar).check(z.maxLength(200, '最多200项')),
  z.array(z.record(key, scalar)).check(z.maxLength(200, '最多200项')),
]);
const values = (label: string) => field(label, z._default(z.record(key, field(label, value)), {}));
const recordKey = field('记录', z._default(z.string().check(z.maxLength(60, '记录编号过长')), ''));
const place = { pageToken: token, versionId, datasetCode: text('数据集', 60, 1) };

export const datasetFacts = z.strictObject({
  code: z.string(),
  label: z.string(),
  keyField: z.string(),
  versionField: z.nullable(z.string()),
  columns: z.array(columnOut),
  filters: z.array(filterOut),
  actions: z.array(actionOut),
  stats: z.array(
    z.strictObject({
      name: z.string(),
      label: z.string(),
      dimensions: z.array(z.strictObject({ key: z.string(), label: z.string() })),
      measures: z.array(z.strictObject({ key: z.string(), label: z.string() })),
    }),
  ),
  exportCall: z.nullable(z.string()),
  /** Of the wizard that takes in rows; null where this user may not. */
  importerCode: z.nullable(z.string()),
});

export const queryPageByToken = service.read({
  operation: 'queryPageByToken',
  label: '打开低代码页面',
  access: access.session,
  input: { token, opened: field('计入访问', z._default(z.boolean(), false)) },
  output: z.strictObject({
    pageId: idOut,
    versionId: idOut,
    versionNo: z.int(),
    title: z.string(),
    /** Without the blocks that this user may not use. */
    definition: z.unknown(),
    manifest,
    datasets: z.array(datasetFacts),
    broken: z.boolean(),
  }),
});
export const queryDataset = dataService.read({
  operation: 'queryDataset',
  label: '查询数据集数据',
  access: pages,
  input: {
    ...place,
    operation: text('数据操作', 60, 1),
    filters: values('筛选条件'),
    orderBy: z.optional(text('排序', 80)),
    ...paging,
    key: recordKey,
  },
  output: z.strictObject({ items: z.array(z.record(z.string(), z.unknown())), total: z.int() }),
});

const outcome = z.strictObject({ key: z.string(), code: z.string(), message: z.string() });
export const runDatasetAction = dataService.act({
  operation: 'runDatasetAction',
  label: '执行数据操作',
  access: pages,
  input: {
    ...place,
    action: text('操作', 60, 1),
    key: recordKey,
    keys: field(
      '记录',
      z._default(z.array(z.string().check(z.maxLength(60, '记录编号过长'))).check(z.maxLength(1_000, '批量操作一次最多200条')), []),
    ),
    version: field('版本号', z._default(int4('版本号须为整数').check(z.minimum(0, '版本号不正确')), 0)),
    input: values('填写内容'),
    opinion: field('意见', z._default(z.string().check(z.trim(), z.maxLength(500, '意见最多500个字符')), '')),
    idempotencyKey: field('请求编号', z._default(z.string().check(z.regex(/^([\w-]{8,60})?$/, '请求编号格式不正确')), '')),
  },
  output: z.strictObject({
    outcomes: z.array(outcome),
    done: z.int(),
    failed: z.int(),
    message: z.string(),
    /** What the call answered, where it was one record's. */
    data: z.unknown(),
  }),
});

export const revealDatasetValue = dataService.act({
  operation: 'revealDatasetValue',
  label: '查看敏感信息（低代码）',
  access: pages,
  log: 'REVEAL',
  input: { ...place, column: text('列', 60, 1), key: recordKey },
  output: z.strictObject({ value: z.string() }),
});

export const exportDataset = dataService.file({
  operation: 'exportDataset',
  label: '导出数据集',
  access: pages,
  log: 'EXPORT',
  input: {
    ...place,
    filters: values('筛选条件'),
    columns: exportFields.columns,
    format: exportFields.format,
    plain: exportFields.plain,
    plainReason: exportFields.plainReason,
  },
  output: exportQueued,
});
