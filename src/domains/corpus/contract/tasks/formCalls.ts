import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { corpusPermissions } from '../permissions.ts';
import { askedForm } from '../questionnaires/calls.ts';
import { answersIn } from '../questionnaires/content.ts';

const base = { host: 'admin', service: 'TaskManageService' } as const;
const mayView = access.permission(corpusPermissions['task.view']);
const mayHandle = access.permission(corpusPermissions['task.handle']);

/** What was filled in for the patient while his task was handled. */
export const filledForm = z.strictObject({
  answerId: idOut,
  title: field('问卷', z.string(), { width: 220 }),
  score: field('得分', z.int(), { width: 80 }),
  alertText: field('预警', z.string(), { width: 120 }),
  filledByName: field('填写人', z.string(), { width: 110 }),
  submittedAt: field('提交时间', instantOut),
});
export type FilledForm = z.output<typeof filledForm>;

/** Which questionnaires may be filled in for the patient of a task: what he was sent and has not answered, and all others in use. */
export const queryTaskForms = call({
  ...base,
  operation: 'queryTaskForms',
  shape: 'data',
  kind: 'query',
  input: z.strictObject({ id: field('任务', id) }),
  output: z.strictObject({
    sent: z.array(z.strictObject({ sendId: idOut, questionnaireId: idOut, title: z.string(), sentAt: instantOut, expiresAt: instantOut })),
    others: z.array(z.strictObject({ questionnaireId: idOut, title: z.string() })),
    filled: z.array(filledForm),
  }),
  access: mayView,
  label: '查询任务可代填的问卷',
});

/** One questionnaire: that of a touch, or one in use that was not sent. */
const asked = { id: field('任务', id), questionnaireId: field('问卷', id), sendId: field('随访消息', z.optional(id)) };

export const queryTaskForm = call({
  ...base,
  operation: 'queryTaskForm',
  shape: 'data',
  kind: 'query',
  input: z.strictObject(asked),
  output: askedForm,
  access: mayHandle,
  label: '打开代填问卷',
});

export const addTaskAnswer = call({
  ...base,
  operation: 'addTaskAnswer',
  shape: 'data',
  kind: 'command',
  message: '提交成功!',
  input: z.strictObject({ ...asked, answers: answersIn }),
  output: z.strictObject({ id: idOut }),
  access: mayHandle,
  secrets: ['answers'],
  label: '代填问卷',
});
