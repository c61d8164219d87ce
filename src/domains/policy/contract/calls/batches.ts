import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fenOut,
  id,
  idOut,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { acted } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { batchActions, batchMachine, batchModes, listTargets, rowResults } from '../batchDictionaries.ts';
import { listPermissions as may } from '../permissions.ts';
import { layout } from '../rules/template.ts';
import { listService } from './templates.ts';

const count = (label: string) => field(label, z.int(), { width: 80 });
const batchRow = z.strictObject({
  id: idOut,
  batchNo: field('批次号', z.string(), { width: 170 }),
  insurerName: field('保司/企业', z.string(), { width: 130 }),
  policyNos: field('保单', z.string(), { width: 180 }),
  policyCount: count('保单数'),
  mode: field('方式', batchModes.schema, { width: 90 }),
  fileName: field('文件名', z.string(), { width: 180 }),
  totalRows: count('总行'),
  addRows: count('新增'),
  modifyRows: count('变更'),
  removeRows: count('减员'),
  sameRows: count('无变化'),
  errorRows: count('错误'),
  warnRows: count('待确认提示'),
  excludedRows: count('已剔除'),
  backdatedRows: count('追溯行数'),
  parsedRows: count('已校验'),
  appliedRows: count('已写入'),
  premiumDeltaFen: field('保费变化', fenOut, { width: 120 }),
  state: field('状态', batchMachine.dictionary.schema, { width: 100 }),
  maker: field('经办人', z.string(), { width: 90 }),
  makerId: idOut,
  createdAt: field('创建时间', instantOut),
  appliedAt: field('生效时间', z.nullable(instantOut)),
  reverseOfBatchId: z.nullable(idOut),
  version: z.int(),
  allowedActions: z.array(z.string()),
});
export type BatchRow = z.output<typeof batchRow>;

export const queryInsuredBatchList = listService.list({
  operation: 'queryInsuredBatchList',
  label: '查询清单批次',
  access: may['batch.view'],
  filter: {
    ...sortedBy('batchNo'),
    batchNo: z.optional(wholeText('批次号', 20)),
    insurerId: field('保司', z.optional(id)),
    policyNo: z.optional(wholeText('保单号', 40)),
    mode: field('方式', z.optional(several(batchModes.schema))),
    state: field('状态', z.optional(several(batchMachine.dictionary.schema))),
    makerId: field('经办人', z.optional(id)),
    createdFrom: field('创建日期起', z.optional(day)),
    createdTo: field('创建日期止', z.optional(day)),
  },
  output: batchRow,
});

const state = acted(batchMachine.dictionary.schema);
export const addInsuredBatch = listService.act({
  operation: 'addInsuredBatch',
  label: '导入被保人清单',
  access: may['batch.import'],
  log: 'IMPORT',
  input: {
    templateId: field('模板', id),
    /** Columns as the operator mapped them for this file; absent: as the template has them. */
    layout: field('列设置', z.optional(layout)),
    mode: field('方式', batchModes.schema),
    policyIds: field('保单', z._default(z.array(id).check(z.maxLength(200, '一次最多选择200张保单')), [])),
    fileId: field('文件', id),
    defaultEffectiveOn: field('默认日期', z.optional(z.nullable(day))),
  },
  output: z.strictObject({ ...state.shape, batchNo: z.string() }),
});

const codeCount = z.strictObject({ code: z.string(), rows: z.int(), sample: z.string() });
export const queryInsuredBatchDetail = listService.read({
  operation: 'queryInsuredBatchDetail',
  label: '查看清单批次',
  access: may['batch.view'],
  input: { batchId: field('批次', id) },
  output: z.strictObject({
    ...batchRow.shape,
    insurerId: z.nullable(idOut),
    templateName: field('模板', textOrNull),
    defaultEffectiveOn: field('默认日期', z.nullable(dayOut)),
    layout,
    /** The sheet that was read; null: the file has none. */
    sheetRead: field('读取的工作表', textOrNull),
    unknownHeaders: field('未识别的列', z.array(z.string())),
    fault: field('整批问题', textOrNull),
    faultAccepted: z.boolean(),
    failure: field('中断原因', textOrNull),
    /** Rows that are written, of all that change something. */
    changingRows: z.int(),
    errorCodes: z.array(codeCount),
    warningCodes: z.array(codeCount),
    policies: z.array(z.strictObject({ policyId: idOut, policyNo: z.string(), productName: z.string(), state: z.string() })),
    checker: field('审核人', textOrNull),
    undoneAt: field('撤销时间', z.nullable(instantOut)),
    undoReason: field('撤销原因', textOrNull),
    undoAsked: z.nullable(z.strictObject({ by: z.string(), mine: z.boolean(), at: instantOut, reason: z.string() })),
    reverseOfBatchNo: textOrNull,
    /** The policy whose persons these are, where no file was uploaded. */
    renewsPolicyNo: textOrNull,
    /** Lists of persons do not show yet what took effect. */
    listsFresh: z.boolean(),
    timeline: trail,
  }),
});
export type BatchDetail = z.output<typeof queryInsuredBatchDetail.output>;

const note = z.strictObject({ code: z.string(), column: z.nullable(z.string()), header: z.string(), message: z.string() });
const batchListRow = z.strictObject({
  id: idOut,
  /** Row of the sheet; null where the sheet has none. */
  rowNo: field('行号', z.nullable(z.int()), { width: 70 }),
  policyNo: field('保单号', textOrNull, { width: 150 }),
  name: field('姓名', z.string(), { width: 100 }),
  result: field('结果', rowResults.schema, { width: 90 }),
  planCode: field('计划', textOrNull, { width: 80 }),
  effectiveOn: field('生效日期', z.nullable(dayOut), { width: 110 }),
  leaveOn: field('减员日期', z.nullable(dayOut), { width: 110 }),
  premiumFen: field('保费', fenOut, { width: 100 }),
  backdated: field('追溯', z.boolean(), { width: 70 }),
  cells: z.array(z.strictObject({ target: listTargets.schema, value: z.string(), corrected: z.boolean() })),
  errors: z.array(note),
  warnings: z.array(note),
  warnAccepted: z.boolean(),
  note: field('剔除说明', z.string(), { width: 140 }),
});
export type BatchListRow = z.output<typeof batchListRow>;
export const queryInsuredBatchRowList = listService.list({
  operation: 'queryInsuredBatchRowList',
  label: '查询清单明细',
  access: may['batch.view'],
  filter: {
    batchId: field('批次', id),
    result: field('结果', z.optional(several(rowResults.schema))),
    hasWarning: field('有提示', z.optional(z.boolean())),
    code: field('错误码', z.optional(z.string().check(z.regex(/^[EW]\d{2}$/, '错误码不正确')))),
    keyword: z.optional(personName('姓名', 50)),
  },
  output: batchListRow,
});

const counted = z.strictObject({ ...state.shape, errorRows: z.int(), warnRows: z.int() });
const cells = z.partialRecord(listTargets.schema, z.string().check(z.maxLength(200, '内容最多200个字符')));
const rowIds = z.array(id).check(z.minLength(1, '请选择行'), z.maxLength(1000, '一次最多1000行'));
const record = { batchId: field('批次', id), version };
export const modifyInsuredBatchRow = listService.act({
  operation: 'modifyInsuredBatchRow',
  label: '更正清单行',
  access: may['batch.import'],
  secrets: ['values'],
  input: { ...record, rowId: field('行', id), values: field('更正内容', cells) },
  output: z.strictObject({ ...counted.shape, row: batchListRow }),
});
export const excludeInsuredBatchRow = listService.act({
  operation: 'excludeInsuredBatchRow',
  label: '剔除清单行',
  access: may['batch.import'],
  input: {
    ...record,
    rowIds: field('行', z.optional(rowIds)),
    code: field('错误码', z.optional(z.string().check(z.regex(/^E\d{2}$/, '错误码不正确')))),
    note: text('剔除说明', 200, 2),
  },
  output: counted,
});
export const acceptBatchWarning = listService.act({
  operation: 'acceptBatchWarning',
  label: '确认清单提示',
  access: access.byAction('what', { FAULT: may['batch.audit'] }, may['batch.import']),
  input: {
    ...record,
    /** Rows by their ids, all rows of a code, or what stops the whole list. */
    what: field('范围', z.enum(['ROWS', 'CODE', 'FAULT'], '请选择范围')),
    rowIds: field('行', z.optional(rowIds)),
    code: field('提示码', z.optional(z.string().check(z.regex(/^W\d{2}$/, '提示码不正确')))),
  },
  output: counted,
});
export const reparseInsuredBatch = listService.act({
  operation: 'reparseInsuredBatch',
  label: '重新校验清单',
  access: may['batch.import'],
  log: 'IMPORT',
  input: { ...record, fileId: field('新文件', z.optional(z.nullable(id))) },
  output: state,
});

const usedPerson = z.strictObject({ refNo: z.string(), name: z.string(), rowNo: z.nullable(z.int()), day: dayOut, reason: z.string() });
/** What a list touches (R4). */
const batchImpact = z.strictObject({
  rows: z.strictObject({ add: z.int(), modify: z.int(), remove: z.int(), same: z.int(), excluded: z.int() }),
  backdatedRows: z.int(),
  farBackdatedRows: z.int(),
  earliestDay: z.nullable(dayOut),
  premium: z.array(z.strictObject({ planCode: z.string(), collectFen: fenOut, refundFen: fenOut })),
  premiumDeltaFen: fenOut,
  contracts: z.array(usedPerson),
  openClaims: z.array(usedPerson),
  /** Rows that cannot take effect: the person was paid for a later day. */
  blocking: z.array(usedPerson),
  /** Another endorsement came since rows were decided: the list has to be checked again. */
  stale: z.boolean(),
  warnRows: z.int(),
  /** Why a second person has to pass it; empty: it takes effect at once. */
  auditReasons: z.array(z.string()),
  /** The file took effect before, in this batch. */
  sameFileBatchNo: textOrNull,
});
export type BatchImpact = z.output<typeof batchImpact>;
export const queryInsuredBatchImpact = listService.read({
  operation: 'queryInsuredBatchImpact',
  label: '查看影响分析',
  access: may['batch.view'],
  input: { batchId: field('批次', id) },
  output: z.strictObject({ impact: batchImpact, impactHash: z.string() }),
});
/** Whether a list that took effect can be taken back as a whole now, and which rows stand against it. */
export const queryInsuredBatchUndo = listService.read({
  operation: 'queryInsuredBatchUndo',
  label: '查看撤销条件',
  access: may['batch.view'],
  input: { batchId: field('批次', id) },
  output: z.strictObject({
    hindrances: z.array(z.strictObject({ code: z.string(), message: z.string() })),
    rows: z.array(z.strictObject({ rowId: idOut, rowNo: z.nullable(z.int()), name: z.string(), reason: z.string() })),
  }),
});

export const auditInsuredBatch = listService.act({
  operation: 'auditInsuredBatch',
  label: '处理清单批次',
  access: access.byAction(
    'action',
    { approve: may['batch.audit'], reject: may['batch.audit'], askUndo: may['batch.undo'], undo: may['batch.undo'] },
    may['batch.import'],
  ),
  secrets: ['confirmToken'],
  secretOutput: true,
  input: {
    ...record,
    action: field('操作', z.enum(batchActions, '请选择操作')),
    impactHash: field('影响分析', z.optional(z.string().check(z.maxLength(64)))),
    opinion: optionalText('意见', 500),
    /** The same file took effect before; the operator wants the rest of it. */
    confirmRepeat: field('确认重复文件', z._default(z.boolean(), false)),
    confirmToken: field('确认码', z.optional(text('确认码', 20))),
  },
  output: z.strictObject({
    ...state.shape,
    /** For whoever asked that all be undone; another person confirms with it within a day. */
    confirmToken: textOrNull,
  }),
});
export const addReverseBatch = listService.act({
  operation: 'addReverseBatch',
  label: '生成冲正批次',
  access: may['batch.undo'],
  input: { ...record, excludeRowIds: field('不冲正的行', z._default(z.array(id).check(z.maxLength(10_000, '最多排除10000行')), [])) },
  output: z.strictObject({ ...state.shape, batchNo: z.string() }),
});
export const exportBatchResult = listService.file({
  operation: 'exportBatchResult',
  label: '下载校验结果',
  access: may['batch.view'],
  input: {
    batchId: field('批次', id),
    part: field('范围', z.enum(['ERROR', 'ALL'], '请选择范围')),
  },
  output: z.strictObject({}),
});
