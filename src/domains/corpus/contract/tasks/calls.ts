import * as z from 'zod/mini';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import {
  day,
  dayOut,
  id,
  idOut,
  instant,
  instantOut,
  optionalText,
  several,
  text,
  textOrNull,
  version,
  personName,
  wholeText,
} from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { corpusPermissions } from '../permissions.ts';
import { seriousness, taskLevel, taskMachine, taskResult, taskSource, taskType } from './states.ts';

const service = declareService('TaskManageService');
const mayView = corpusPermissions['task.view'];
const mayHandle = corpusPermissions['task.handle'];

/** The sub-tabs of 人工任务; absent: 全部. */
export const taskViews = ['MINE', 'WAITING', 'SOON'] as const;
export type TaskView = (typeof taskViews)[number];

const taskRow = z.strictObject({
  id: idOut,
  taskNo: field('任务编号', z.string(), { width: 112 }),
  taskType: field('类型', taskType.schema, { width: 112 }),
  level: field('级别', taskLevel.schema, { width: 60 }),
  patientId: idOut,
  /** Masked. */
  patientName: field('患者', z.string(), { width: 80 }),
  doctorName: field('医生', z.string(), { width: 96 }),
  isGroup: field('群聊', z.boolean()),
  sourceType: field('来源', taskSource.schema, { width: 110 }),
  sceneName: field('来源场景', textOrNull, { width: 180 }),
  dueAt: field('截止时间', instantOut),
  nextFollowAt: field('下次随访', z.nullable(instantOut)),
  attemptCount: field('拨打次数', z.int(), { width: 90 }),
  assigneeId: z.nullable(idOut),
  assigneeName: field('负责人', textOrNull, { width: 100 }),
  result: field('随访结果', z.nullable(taskResult.schema), { width: 100 }),
  state: taskMachine.dictionary.schema,
  createdAt: field('创建时间', instantOut),
  version: z.int(),
});
export type TaskRow = z.output<typeof taskRow>;

const taskFilter = {
  taskNo: z.optional(wholeText('任务编号', 20)),
  patientId: field('患者', z.optional(id)),
  taskType: field('类型', z.optional(several(taskType.schema))),
  level: field('级别', z.optional(several(taskLevel.schema))),
  assigneeId: field('负责人', z.optional(id)),
  dueFrom: field('截止时间起', z.optional(instant)),
  dueTo: field('截止时间止', z.optional(instant)),
  sceneName: z.optional(text('来源场景', 32)),
  state: field('状态', z.optional(several(taskMachine.dictionary.schema))),
  view: field('视图', z.optional(z.enum(taskViews, '视图不正确'))),
};

export const queryFollowTaskList = service.list({
  operation: 'queryFollowTaskList',
  label: '查询随访任务',
  access: mayView,
  filter: { ...sortedBy('taskNo', 'dueAt'), ...taskFilter },
  output: taskRow,
});
export const exportFollowTaskList = exportOf(queryFollowTaskList, {
  operation: 'exportFollowTaskList',
  label: '导出随访任务',
  access: corpusPermissions['corpus.export'],
});

/** A suspected reaction to a medicine, as it goes to the pharmacovigilance. */
export const aeReport = z.strictObject({
  medicineId: idOut,
  medicineName: z.string(),
  symptom: z.string(),
  onsetOn: dayOut,
  seriousness: seriousness.schema,
  outcome: z.string(),
});
export const attempt = z.strictObject({
  at: field('时间', instantOut),
  result: field('结果', taskResult.schema),
  note: field('记录', z.string(), { width: 320 }),
});
export type Attempt = z.output<typeof attempt>;

export const queryFollowTaskDetail = service.read({
  operation: 'queryFollowTaskDetail',
  label: '查询随访任务详情',
  access: mayView,
  secrets: ['subject', 'note', 'attempts', 'aeReport'],
  input: { id: field('任务', id) },
  output: z.strictObject({
    task: taskRow,
    subject: z.string(),
    diseaseName: textOrNull,
    runNo: textOrNull,
    patient: z.strictObject({ patientNo: z.string(), gender: z.int(), mobileMasked: textOrNull }),
    /** As the assistants' desk opens it; null where the patient has none that is open. */
    conversationID: textOrNull,
    attempts: z.array(attempt),
    note: z.string(),
    aeReport: z.nullable(aeReport),
    trail,
    allowedActions: z.array(z.string()),
  }),
});

/** Tasks that people make; the others come from the engine alone. */
export const manualTaskTypes = ['CALL', 'FORM', 'ALERT', 'AE'] as const satisfies readonly (typeof taskType.codes)[number][];

export const addFollowTask = service.act({
  operation: 'addFollowTask',
  label: '新增随访任务',
  access: mayHandle,
  secrets: ['subject'],
  input: {
    patientId: field('患者', id),
    taskType: field('类型', z.enum(manualTaskTypes, '请选择类型')),
    level: field('级别', taskLevel.schema),
    subject: text('任务说明', 500, 1),
    /** Absent for 不良反应上报: a day after it is made. */
    dueAt: field('截止时间', z.optional(instant)),
    /** Absent: whoever claims it. */
    assigneeId: field('负责人', z.optional(id)),
  },
  output: actionAnswer,
});

export const claimFollowTask = service.act({
  operation: 'claimFollowTask',
  label: '领取随访任务',
  access: mayHandle,
  input: { id: field('任务', id) },
  output: actionAnswer,
});

export const claimNextFollowTask = service.act({
  operation: 'claimNextFollowTask',
  label: '领取下一条随访任务',
  access: mayHandle,
  input: {},
  output: actionAnswer,
});

export const assignFollowTask = service.act({
  operation: 'assignFollowTask',
  label: '分派随访任务',
  access: corpusPermissions['task.assign'],
  input: { id: field('任务', id), assigneeId: field('负责人', id), version },
  output: actionAnswer,
});

/** Who may be given tasks. */
export const queryTaskAssigneeOptions = service.read({
  operation: 'queryTaskAssigneeOptions',
  label: '查询随访任务负责人',
  access: mayView,
  input: { keyword: z.optional(personName('姓名或工号', 32)) },
  output: z.array(z.strictObject({ value: idOut, label: z.string() })),
});

/** The report as it is handed in; what is missing is refused as a whole. */
export const aeReportIn = z.strictObject({
  medicineId: field('怀疑药品', z.optional(id)),
  symptom: optionalText('不良反应表现', 200),
  onsetOn: field('发生日期', z.optional(day)),
  seriousness: field('严重程度', z.optional(seriousness.schema)),
  outcome: optionalText('转归', 200),
});

export const completeFollowTask = service.act({
  operation: 'completeFollowTask',
  label: '完成随访任务',
  access: mayHandle,
  secrets: ['note', 'aeReport'],
  input: {
    id: field('任务', id),
    result: field('随访结果', z.optional(taskResult.schema)),
    note: optionalText('随访记录', 500),
    aeReport: field('不良反应报告', z.optional(aeReportIn)),
    version,
  },
  output: actionAnswer,
});

export const rescheduleFollowTask = service.act({
  operation: 'rescheduleFollowTask',
  label: '改期随访任务',
  access: mayHandle,
  secrets: ['note'],
  input: { id: field('任务', id), nextFollowAt: field('下次随访时间', instant), note: optionalText('随访记录', 500), version },
  output: actionAnswer,
});

export const closeFollowTask = service.act({
  operation: 'closeFollowTask',
  label: '关闭随访任务',
  access: mayHandle,
  input: { id: field('任务', id), opinion: optionalText('意见', 200), version },
  output: actionAnswer,
});
