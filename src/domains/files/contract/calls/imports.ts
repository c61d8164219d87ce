import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { flag, id, idOut, instant, instantOut, opinion, paging, several, text, textOrNull, version } from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { faultSeverities, importModes, importRowActions } from '../dictionaries.ts';
import { importMachine } from '../states.ts';

const service = 'ImportService';
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

export const importTaskRow = z.strictObject({
  importTaskId: idOut,
  batchNo: field('批次号', z.string()),
  importerCode: z.string(),
  importerLabel: field('导入类型', z.string()),
  fileId: idOut,
  fileName: field('文件名', z.string()),
  mode: importModes.schema,
  totalRows: z.int(),
  okRows: z.int(),
  errorRows: z.int(),
  errorCells: z.int(),
  warnRows: z.int(),
  newRows: z.int(),
  changedRows: z.int(),
  sameRows: z.int(),
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

export const downloadImportTemplate = call({
  host: 'admin',
  service,
  operation: 'downloadImportTemplate',
  method: 'GET',
  shape: 'file',
  kind: 'query',
  label: '下载导入模板',
  access: access.owner(),
  input: z.strictObject({ importerCode }),
  output: z.strictObject({}),
});

export const queryImporter = call({
  host: 'admin',
  service,
  operation: 'queryImporter',
  shape: 'data',
  kind: 'query',
  label: '查询导入类型',
  access: access.owner(),
  input: z.strictObject({ importerCode }),
  output: z.strictObject({ ...importerFacts, maxRows: z.int(), undoDays: z.int() }),
});

export const addImportTask = call({
  host: 'admin',
  service,
  operation: 'addImportTask',
  shape: 'data',
  kind: 'command',
  label: '上传并校验导入文件',
  log: 'IMPORT',
  access: access.owner(),
  input: z.strictObject({
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
  }),
  output: importStarted,
});

export const queryImportResult = call({
  host: 'admin',
  service,
  operation: 'queryImportResult',
  shape: 'data',
  kind: 'query',
  label: '查询导入结果',
  access: access.owner(),
  input: byTask,
  output: z.extend(importTaskRow, { columns: importerFacts.columns, allowValidOnly: z.boolean() }),
});

export const queryImportRowList = call({
  host: 'admin',
  service,
  operation: 'queryImportRowList',
  shape: 'list',
  kind: 'query',
  label: '查询导入明细',
  access: access.owner(),
  input: z.strictObject({
    ...paging,
    importTaskId: field('导入任务', id),
    action: field('处理方式', z.optional(several(importRowActions.schema))),
    hasError: field('只看错误', z.optional(flag)),
  }),
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

const taskCommand = <const O extends string>(operation: O, label: string, more: { idempotency?: 'required' } = {}) =>
  call({
    host: 'admin',
    service,
    operation,
    shape: 'data',
    kind: 'command',
    label,
    log: 'IMPORT',
    access: access.owner(),
    ...more,
    input: z.strictObject({ importTaskId: field('导入任务', id), version }),
    output: importTaskRow,
  });

export const commitImportTask = taskCommand('commitImportTask', '提交导入', { idempotency: 'required' });
export const revalidateImportTask = taskCommand('revalidateImportTask', '重新校验导入');
export const cancelImportTask = taskCommand('cancelImportTask', '取消导入');
export const undoImportTask = call({
  host: 'admin',
  service,
  operation: 'undoImportTask',
  shape: 'data',
  kind: 'command',
  label: '整批撤销导入',
  log: 'IMPORT',
  access: access.owner(),
  input: z.strictObject({ importTaskId: field('导入任务', id), version, opinion }),
  output: importTaskRow,
});

export const downloadImportResult = call({
  host: 'admin',
  service,
  operation: 'downloadImportResult',
  method: 'GET',
  shape: 'file',
  kind: 'command',
  label: '下载导入标注文件',
  log: 'DOWNLOAD',
  access: access.owner(),
  input: byTask,
  output: z.strictObject({}),
});

export const queryImportTaskList = call({
  host: 'admin',
  service,
  operation: 'queryImportTaskList',
  shape: 'list',
  kind: 'query',
  label: '查询导入任务',
  access: access.session,
  input: z.strictObject({
    ...paging,
    ...sortedBy('batchNo', 'createdAt'),
    importerCode: field('导入类型', z.optional(importerCode)),
    batchNo: z.optional(text('批次号', 30)),
    state: z.optional(several(state)),
    createdBy: z.optional(text('提交人', 40)),
    from: field('开始时间', z.optional(instant)),
    to: field('结束时间', z.optional(instant)),
    /** Default true; false (everybody's) needs files.task.viewAll. */
    mine: field('只看本人', z.optional(flag)),
  }),
  output: importTaskRow,
});
