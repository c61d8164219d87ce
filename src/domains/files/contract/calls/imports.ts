import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, instantOut, opinion, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { faultSeverities, importModes, importRowActions } from '../dictionaries.ts';
import { importMachine } from '../states.ts';

const service = declareService('ImportService');
const state = importMachine.dictionary.schema;
/** What an importer is told beside its file is a choice or two. */
const PARAMS_LETTERS = 4_000;
const importerCode = field('导入类型', z.string('请选择导入类型').check(z.regex(/^[a-z][A-Za-z0-9.]{2,60}$/, '导入类型不正确')));
const byTask = z.strictObject({ importTaskId: field('导入任务', id) });

/** What a page needs of an importer: the columns of its preview and what the operator may do. */
const importerFacts = {
  importerLabel: z.string(),
  columns: z.array(z.strictObject({ key: z.string(), label: z.string() })),
  allowValidOnly: z.boolean(),
  mayUndo: z.boolean(),
};

const importTaskRow = z.strictObject({
  importTaskId: idOut,
  batchNo: field('批次号', z.string()),
  importerCode: z.string(),
  importerLabel: field('导入类型', z.string()),
  fileId: idOut,
  fileName: field('文件名', z.string()),
  mode: importModes.schema,
  totalRows: field('总行数', z.int(), { width: 80 }),
  okRows: z.int(),
  errorRows: field('错误行', z.int(), { width: 80 }),
  errorCells: z.int(),
  warnRows: z.int(),
  newRows: field('新增', z.int(), { width: 80 }),
  changedRows: field('变更', z.int(), { width: 80 }),
  sameRows: field('无变化', z.int(), { width: 80 }),
  state,
  progressBp: z.int(),
  rowsDone: z.int(),
  errorCode: textOrNull,
  errorMessage: textOrNull,
  traceId: z.string(),
  hasResult: z.boolean(),
  createdBy: idOut,
  createdName: field('提交人', z.string()),
  createdAt: field('提交时间', instantOut),
  committedAt: textOrNull,
  undoneAt: textOrNull,
  undoReason: textOrNull,
  undoUntil: field('可撤销至', z.nullable(instantOut)),
  /** This user's buttons. */
  mayCommit: z.boolean(),
  mayUndo: z.boolean(),
  version: z.int(),
});

export const downloadImportTemplate = service.file({
  operation: 'downloadImportTemplate',
  label: '下载导入模板',
  method: 'GET',
  access: access.owner(),
  kind: 'query',
  input: { importerCode },
  output: z.strictObject({}),
});

export const queryImporter = service.read({
  operation: 'queryImporter',
  label: '查询导入类型',
  access: access.owner(),
  input: { importerCode },
  output: z.strictObject({ ...importerFacts, maxRows: z.int(), undoDays: z.int() }),
});

export const addImportTask = service.act({
  operation: 'addImportTask',
  label: '上传并校验导入文件',
  access: access.owner(),
  log: 'IMPORT',
  input: {
    importerCode,
    ...importFields,
    params: field(
      '导入参数',
      z._default(
        z
          .record(z.string().check(z.maxLength(40, '导入参数不正确')), z.unknown())
          .check(z.refine((params) => JSON.stringify(params).length <= PARAMS_LETTERS, '导入参数过多')),
        {},
      ),
    ),
  },
  output: importStarted,
});

export const queryImportResult = service.read({
  operation: 'queryImportResult',
  label: '查询导入结果',
  access: access.owner(),
  input: byTask,
  output: z.extend(importTaskRow, { columns: importerFacts.columns, allowValidOnly: z.boolean() }),
});

export const queryImportRowList = service.list({
  operation: 'queryImportRowList',
  label: '查询导入明细',
  access: access.owner(),
  filter: {
    importTaskId: field('导入任务', id),
    action: field('处理方式', z.optional(several(importRowActions.schema))),
    hasError: field('只看错误', z.optional(flag)),
  },
  output: z.strictObject({
    rowNo: z.int(),
    action: importRowActions.schema,
    raw: z.record(z.string(), z.string()),
    /** Shown values that a CHANGE row replaces. */
    before: z.nullable(z.record(z.string(), z.string())),
    after: z.nullable(z.record(z.string(), z.string())),
    errors: z.array(
      z.strictObject({
        columnKey: z.string(),
        columnLetter: z.string(),
        columnLabel: z.string(),
        value: z.string(),
        severity: faultSeverities.schema,
        message: z.string(),
      }),
    ),
  }),
});

const taskCommand = (operation: string, label: string, more: { idempotency?: 'required' } = {}) =>
  service.act({
    operation,
    label,
    access: access.owner(),
    log: 'IMPORT',
    ...more,
    input: { importTaskId: field('导入任务', id), version },
    output: importTaskRow,
  });

export const commitImportTask = taskCommand('commitImportTask', '提交导入', { idempotency: 'required' });
export const revalidateImportTask = taskCommand('revalidateImportTask', '重新校验导入');
export const cancelImportTask = taskCommand('cancelImportTask', '取消导入');
export const undoImportTask = service.act({
  operation: 'undoImportTask',
  label: '整批撤销导入',
  access: access.owner(),
  log: 'IMPORT',
  input: { importTaskId: field('导入任务', id), version, opinion },
  output: importTaskRow,
});

export const downloadImportResult = service.file({
  operation: 'downloadImportResult',
  label: '下载导入标注文件',
  method: 'GET',
  access: access.owner(),
  input: byTask,
  output: z.strictObject({}),
});

export const queryImportTaskList = service.list({
  operation: 'queryImportTaskList',
  label: '查询导入任务',
  access: access.session,
  filter: {
    ...sortedBy('batchNo', 'createdAt'),
    importerCode: field('导入类型', z.optional(importerCode)),
    batchNo: z.optional(text('批次号', 30)),
    state: z.optional(several(state)),
    createdBy: z.optional(text('提交人', 40)),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
    /** Default true; false (everybody's) needs files.task.viewAll. */
    mine: field('只看本人', z.optional(flag)),
  },
  output: importTaskRow,
});
