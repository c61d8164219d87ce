import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { exportFields, exportQueued } from '#kernel/contract/exporting.ts';
import { flag, id, idOut, instant, instantOut, numberOrNull, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { exportFormats } from '../dictionaries.ts';
import { exportMachine } from '../states.ts';

const service = declareService('ExportService');
const state = exportMachine.dictionary.schema;

const exportTaskRow = z.strictObject({
  taskId: idOut,
  taskNo: field('任务编号', z.string()),
  name: field('任务名称', z.string()),
  source: z.string(),
  sourceTitle: field('来源页面', z.string()),
  routeKey: z.string(),
  /** The list's filters, so that the page can be opened again with them. */
  params: z.record(z.string(), z.unknown()),
  filterText: field('筛选条件', z.string()),
  format: field('格式', exportFormats.schema),
  plain: z.boolean(),
  plainReason: textOrNull,
  state,
  progressBp: z.int(),
  rowsDone: z.int(),
  rowsTotal: numberOrNull,
  /** Tasks before this one in the queue; null unless it is queued. */
  queuePosition: numberOrNull,
  etaSeconds: numberOrNull,
  rowCount: numberOrNull,
  fileSize: field('大小', numberOrNull),
  encrypted: z.boolean(),
  passwordShown: z.boolean(),
  retries: z.int(),
  errorCode: textOrNull,
  errorMessage: textOrNull,
  traceId: z.string(),
  downloadCount: field('下载次数', z.int()),
  createdAt: field('创建时间', instantOut),
  createdBy: idOut,
  createdName: field('创建人', z.string()),
  roleName: field('角色', z.string()),
  finishedAt: field('完成时间', z.nullable(instantOut)),
  expiresAt: field('过期时间', z.nullable(instantOut)),
  version: z.int(),
});

export const queryExportTaskList = service.list({
  operation: 'queryExportTaskList',
  label: '查询导出任务',
  access: access.session,
  filter: {
    ...sortedBy('taskNo', 'createdAt'),
    name: z.optional(text('任务编号/名称', 60)),
    source: z.optional(text('来源页面', 100)),
    state: z.optional(several(state)),
    createdBy: z.optional(text('创建人', 40)),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
    /** Default true; false (everybody's) needs files.task.viewAll. */
    mine: field('只看本人', z.optional(flag)),
  },
  output: exportTaskRow,
});

const exportProgress = z.strictObject({
  taskId: idOut,
  state,
  progressBp: z.int(),
  rowsDone: z.int(),
  rowsTotal: numberOrNull,
  queuePosition: numberOrNull,
  etaSeconds: numberOrNull,
});

export const queryExportTaskProgress = service.read({
  operation: 'queryExportTaskProgress',
  label: '查询导出进度',
  access: access.session,
  input: { taskIds: field('任务', z.array(id, '请选择任务').check(z.minLength(1, '请选择任务'), z.maxLength(50, '一次最多50个任务'))) },
  output: z.array(exportProgress),
});

const taskCommand = (operation: string, label: string) =>
  service.act({ operation, label, access: access.session, input: { taskId: field('任务', id), version }, output: exportTaskRow });

export const cancelExportTask = taskCommand('cancelExportTask', '取消导出任务');
export const retryExportTask = taskCommand('retryExportTask', '重试导出任务');
export const rerunExportTask = taskCommand('rerunExportTask', '再次导出');

/** The specification's one download call with 50,000 ms. */
export const downloadExportFile = service.file({
  operation: 'downloadExportFile',
  label: '下载导出文件',
  method: 'GET',
  access: access.session,
  input: { taskId: field('任务', id) },
  output: z.strictObject({}),
});

export const getExportFileUrl = service.act({
  operation: 'getExportFileUrl',
  label: '下载导出文件',
  access: access.session,
  log: 'DOWNLOAD',
  input: { taskId: field('任务', id) },
  output: z.strictObject({ url: z.string(), fileName: z.string() }),
});

export const revealExportPassword = service.act({
  operation: 'revealExportPassword',
  label: '查看导出文件密码',
  access: access.session,
  log: 'REVEAL',
  input: { taskId: field('任务', id) },
  output: z.strictObject({ password: z.string() }),
});

const presetName = text('方案名称', 20, 1);
const source = text('来源', 100, 1);
const columnPreset = z.strictObject({ presetId: idOut, name: z.string(), columns: z.array(z.string()), updatedAt: z.string() });

export const queryColumnPreset = service.read({
  operation: 'queryColumnPreset',
  label: '查询导出列方案',
  access: access.session,
  input: { source },
  output: z.array(columnPreset),
});

export const saveColumnPreset = service.act({
  operation: 'saveColumnPreset',
  label: '保存导出列方案',
  access: access.session,
  message: '保存成功!',
  input: {
    source,
    name: presetName,
    columns: field(
      '导出列',
      z.array(z.string().check(z.maxLength(60, '列名过长')), '请选择列').check(z.minLength(1, '请选择列'), z.maxLength(200, '列过多')),
    ),
  },
  output: z.array(columnPreset),
});

export const delColumnPreset = service.act({
  operation: 'delColumnPreset',
  label: '删除导出列方案',
  access: access.session,
  message: '删除成功!',
  input: { source, name: presetName },
  output: z.array(columnPreset),
});

/** Columns and rights of a list's export, for the choice of columns. */
export const queryExportColumns = service.read({
  operation: 'queryExportColumns',
  label: '查询导出列',
  access: access.session,
  input: { source },
  output: z.strictObject({
    title: z.string(),
    columns: z.array(z.strictObject({ key: z.string(), label: z.string(), sensitive: z.boolean() })),
    mayPlain: z.boolean(),
  }),
});

/** Slow and large on purpose, so that the download centre can be seen at work; not in production. */
export const exportDemoBigData = service.file({
  operation: 'exportDemoBigData',
  label: '演示大数据导出',
  access: access.session,
  log: 'EXPORT',
  input: {
    rows: field('行数', z._default(z.int('行数须为整数').check(z.minimum(0, '行数从0开始'), z.maximum(3_000_000, '行数过多')), 50_000)),
    ...exportFields,
  },
  output: exportQueued,
});
