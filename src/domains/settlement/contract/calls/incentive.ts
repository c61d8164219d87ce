import * as z from 'zod/mini';
import { between, coded, ordered } from '#kernel/contract/between.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { field } from '#kernel/contract/field.ts';
import {
  day,
  dayOut,
  fen,
  flag,
  id,
  idOut,
  instantOut,
  int4,
  opinion,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  wholeText,
} from '#kernel/contract/fields.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { actionsOf } from '#kernel/contract/offeredActions.ts';
import { acted, ADDED, CHANGED, declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { factSources, factStates, incentiveTasks, programChangeKinds, programScopes } from '../dictionaries.ts';
import { settlementErrors } from '../errors.ts';
import { verdict } from '../fields.ts';
import { settlementPermissions as may } from '../permissions.ts';
import { programChangeMachine, programMachine } from '../programStates.ts';

const service = declareService('IncentiveService');
const view = may['program.view'];
const edit = may['program.edit'];
const audit = may['program.audit'];
const MOST_FEN = 10_000_000_000;

/** Words by which a task would pay for what is prescribed or sold. */
const TIED = /处方|开方|开药|销量|销售|用药量|药量|采购|带金|进药/u;
const isUntied = (name: string): boolean => !TIED.test(name);
const count = (label: string, most: number) =>
  int4(`${label}须为整数`).check(z.minimum(1, `${label}须大于0`), z.maximum(most, `${label}不能大于${most}`));
const orNull = <S extends z.ZodMiniType>(schema: S) => z._default(z.nullable(schema), null);

const task = {
  taskType: field('任务类型', incentiveTasks.schema),
  taskName: field('任务名称', text('任务名称', 40, 2).check(coded(settlementErrors.NOT_COMPLIANT, isUntied))),
  unitFen: field('单价', fen.check(z.minimum(1, '单价须大于0'), z.maximum(1_000_000, '单价不能大于1万元'))),
  monthlyCapCount: field('每医生每月上限', count('每医生每月上限', 1_000)),
  programCapCount: field('项目总上限', orNull(count('项目总上限', 1_000_000))),
  minDurationMin: field('最短时长（分钟）', orNull(count('最短时长（分钟）', 600))),
  minScore: field('最低评分', orNull(count('最低评分', 100))),
};
export const incentiveTask = z.strictObject(task);
const areDistinct = (tasks: readonly { taskType: string; taskName: string }[]): boolean =>
  new Set(tasks.map(({ taskType, taskName }) => `${taskType}/${taskName}`)).size === tasks.length;

const facts = {
  programName: text('项目名称', 50, 2),
  pharmaCompanyId: field('药企', id),
  productLineId: field('产品线', id),
  payerEntityId: field('付款主体', id),
  startDate: field('开始日期', day),
  endDate: field('结束日期', day),
  budgetFen: field('预算', fen.check(z.minimum(1, '预算须大于0'), z.maximum(MOST_FEN, '预算不能大于1亿元'))),
  scopeType: field('参与医生', programScopes.schema),
  scopeIds: field('指定对象', z._default(z.array(id).check(z.maxLength(500, '最多指定500个对象')), [])),
  tasks: field(
    '任务与单价',
    z._default(z.array(incentiveTask).check(z.maxLength(20, '任务最多20项'), z.refine(areDistinct, '同一类型的任务名称不能重复')), []),
  ),
  introduction: optionalText('激励说明', 5_000),
  fileIds: field('合作协议', z._default(z.array(id).check(z.maxLength(5, '合作协议最多5个文件')), [])),
  complianceChecked: field('合规确认', flag),
};
interface Facts {
  scopeType: string;
  scopeIds: readonly string[];
}
const sound = [
  ordered('startDate', 'endDate', '结束日期须晚于开始日期', { apart: true }),
  between<Facts>(['scopeType', 'scopeIds'], ({ scopeType, scopeIds }) => scopeType === 'ALL' || scopeIds.length > 0, '请选择指定对象'),
] as const;

const programRow = z.strictObject({
  id: idOut,
  programNo: field('项目编号', z.string(), { width: 160 }),
  programName: field('项目名称', z.string(), { width: 190 }),
  companyName: field('药企', z.string(), { width: 150 }),
  lineName: field('产品线', z.string(), { width: 130 }),
  payerName: field('付款主体', z.string(), { width: 180 }),
  startDate: field('开始日期', dayOut, { width: 110 }),
  endDate: field('结束日期', dayOut, { width: 110 }),
  budgetFen: field('预算', fen),
  /** In an account of the doctor's. */
  paidFen: field('已发放', fen),
  /** Accrued and not paid, or set aside for what was done meanwhile. */
  takenFen: field('已占用', fen),
  leftFen: field('剩余', fen),
  waitingFen: field('待预算', fen),
  doctorCount: field('参与医生数', z.int(), { width: 100 }),
  scopeType: field('参与医生', programScopes.schema, { width: 120 }),
  introVersion: field('说明版本', z.int(), { width: 90 }),
  makerName: field('制定人', z.string(), { width: 90 }),
  opinion: field('审核意见', textOrNull, { width: 160 }),
  updatedAt: field('更新时间', instantOut),
  status: field('状态', programMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(programMachine),
});
export type ProgramRow = z.output<typeof programRow>;
export const queryIncentiveProgramList = service.list({
  operation: 'queryIncentiveProgramList',
  label: '查询激励项目',
  access: view,
  filter: {
    programNo: z.optional(wholeText('项目编号', 30)),
    programName: z.optional(text('项目名称', 50)),
    companyName: z.optional(text('药企', 60)),
    lineName: z.optional(text('产品线', 60)),
    status: field('状态', z.optional(several(programMachine.dictionary.schema))),
    validOn: field('有效日', z.optional(day)),
  },
  output: programRow,
});
export const exportIncentiveProgramList = exportOf(queryIncentiveProgramList, {
  operation: 'exportIncentiveProgramList',
  label: '导出激励项目',
  access: may['program.export'],
});

const changeRow = z.strictObject({
  id: idOut,
  kind: field('变更类型', programChangeKinds.schema, { width: 120 }),
  amountFen: field('追加金额', z.nullable(fen)),
  introduction: field('激励说明', textOrNull),
  batchNo: field('导入批次', textOrNull, { width: 150 }),
  factCount: field('事实条数', z.nullable(z.int()), { width: 90 }),
  reason: field('原因', z.string(), { width: 200 }),
  makerName: field('提交人', z.string(), { width: 90 }),
  checkerName: field('审核人', textOrNull, { width: 90 }),
  opinion: field('审核意见', textOrNull, { width: 160 }),
  createdAt: field('提交时间', instantOut),
  status: field('状态', programChangeMachine.dictionary.schema),
  version: z.int(),
  allowedActions: actionsOf(programChangeMachine),
});
export type ProgramChangeRow = z.output<typeof changeRow>;
export const programChangeRow = changeRow;
const taskOut = z.strictObject({ id: idOut, ...task, doneCount: field('已完成', z.int()) });
export type ProgramTaskRow = z.output<typeof taskOut>;
export const queryIncentiveProgramDetail = service.read({
  operation: 'queryIncentiveProgramDetail',
  label: '查看激励项目',
  access: view,
  input: { id: field('激励项目', id) },
  output: z.strictObject({
    program: programRow,
    pharmaCompanyId: idOut,
    productLineId: idOut,
    payerEntityId: idOut,
    scopeIds: z.array(idOut),
    scopeNames: z.array(z.string()),
    introduction: field('激励说明', z.string()),
    fileIds: z.array(idOut),
    complianceByName: field('合规确认人', textOrNull),
    complianceAt: field('合规确认时间', z.nullable(instantOut)),
    tasks: z.array(taskOut),
    changes: z.array(changeRow),
    trail,
  }),
});

const answer = acted(programMachine.dictionary.schema);
export const addIncentiveProgram = service.act({
  operation: 'addIncentiveProgram',
  label: '新增激励项目',
  access: edit,
  ...ADDED,
  input: z.strictObject(facts).check(...sound),
  output: answer,
});
export const modifyIncentiveProgram = service.act({
  operation: 'modifyIncentiveProgram',
  label: '修改激励项目',
  access: edit,
  ...CHANGED,
  input: z.strictObject({ id: field('激励项目', id), version, ...facts }).check(...sound),
  output: answer,
});
const onProgram = { id: field('激励项目', id), version };
export const submitIncentiveProgram = service.act({
  operation: 'submitIncentiveProgram',
  label: '提交激励项目',
  access: edit,
  input: onProgram,
  output: answer,
});
export const auditIncentiveProgram = service.act({
  operation: 'auditIncentiveProgram',
  label: '审核激励项目',
  access: audit,
  idempotency: 'required',
  input: verdict,
  output: answer,
});
export const pauseIncentiveProgram = service.act({
  operation: 'pauseIncentiveProgram',
  label: '暂停激励项目',
  access: edit,
  input: { ...onProgram, opinion },
  output: answer,
});
export const resumeIncentiveProgram = service.act({
  operation: 'resumeIncentiveProgram',
  label: '恢复激励项目',
  access: edit,
  input: { ...onProgram, opinion },
  output: answer,
});
export const closeIncentiveProgram = service.act({
  operation: 'closeIncentiveProgram',
  label: '结清激励项目',
  access: audit,
  idempotency: 'required',
  input: { ...onProgram, opinion },
  output: answer,
});

const changeAnswer = acted(programChangeMachine.dictionary.schema);
/** Asked for by one; the money is there when another has passed it. */
export const addIncentiveBudget = service.act({
  operation: 'addIncentiveBudget',
  label: '申请追加激励预算',
  access: edit,
  idempotency: 'required',
  input: {
    ...onProgram,
    amountFen: field('追加金额', fen.check(z.minimum(1, '追加金额须大于0'), z.maximum(MOST_FEN, '追加金额不能大于1亿元'))),
    reason: text('原因', 200, 2),
  },
  output: changeAnswer,
});
/** Doctors read the new one when another has passed it. */
export const modifyIncentiveIntroduction = service.act({
  operation: 'modifyIncentiveIntroduction',
  label: '申请修改激励说明',
  access: edit,
  input: { ...onProgram, introduction: text('激励说明', 5_000, 10), reason: text('原因', 200, 2) },
  output: changeAnswer,
});
export const auditIncentiveChange = service.act({
  operation: 'auditIncentiveChange',
  label: '审核激励项目变更',
  access: audit,
  idempotency: 'required',
  input: verdict,
  output: changeAnswer,
});

const factRow = z.strictObject({
  id: idOut,
  doctorName: field('医生', z.string(), { width: 100 }),
  taskType: field('任务类型', incentiveTasks.schema, { width: 100 }),
  taskName: field('任务名称', z.string(), { width: 160 }),
  sourceType: field('来源', factSources.schema, { width: 90 }),
  sourceNo: field('凭证编号', z.string(), { width: 170 }),
  occurredAt: field('完成时间', instantOut),
  itemCount: field('数量', z.int(), { width: 70 }),
  paidCount: field('计入数量', z.int(), { width: 90 }),
  incomeNo: field('收入编号', textOrNull, { width: 160 }),
  grossFen: field('应得', z.nullable(fen)),
  state: field('状态', factStates.schema),
});
export const queryIncentiveFactList = service.list({
  operation: 'queryIncentiveFactList',
  label: '查询激励发放明细',
  access: view,
  filter: {
    programId: field('激励项目', id),
    doctorName: z.optional(text('医生', 40)),
    taskType: field('任务类型', z.optional(several(incentiveTasks.schema))),
    sourceNo: z.optional(wholeText('凭证编号', 60)),
    state: field('状态', z.optional(several(factStates.schema))),
  },
  output: factRow,
});
export const exportIncentiveFactList = exportOf(queryIncentiveFactList, {
  operation: 'exportIncentiveFactList',
  label: '导出激励发放明细',
  access: may['program.export'],
});

/** A line of a table of what doctors did. */
export const importedFact = z.strictObject({
  doctorNo: text('医生编号', 20),
  taskName: text('任务名称', 40),
  doneOn: field('完成日期', day),
  itemCount: field('数量', count('数量', 1_000)),
  voucherNo: text('凭证编号', 40),
});
export const INCENTIVE_FACT_IMPORTER = 'settlement.incentiveFact';
/** What it holds counts when another person has passed the batch. */
export const importIncentiveFact = service.act({
  operation: 'importIncentiveFact',
  label: '导入激励事实',
  access: may['program.fact'],
  log: 'IMPORT',
  input: { programId: field('激励项目', id), ...importFields },
  output: importStarted,
});
