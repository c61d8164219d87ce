import * as z from 'zod/mini';
import { id, idOut, instantOut } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { corpusPermissions } from '../permissions.ts';
import { askedForm } from '../questionnaires/calls.ts';
import { answersIn } from '../questionnaires/content.ts';

const service = declareService('TaskManageService');
const mayView = corpusPermissions['task.view'];
const mayHandle = corpusPermissions['task.handle'];

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
export const queryTaskForms = service.read({
  operation: 'queryTaskForms',
  label: '查询任务可代填的问卷',
  access: mayView,
  input: { id: field('任务', id) },
  output: z.strictObject({
    sent: z.array(z.strictObject({ sendId: idOut, questionnaireId: idOut, title: z.string(), sentAt: instantOut, expiresAt: instantOut })),
    others: z.array(z.strictObject({ questionnaireId: idOut, title: z.string() })),
    filled: z.array(filledForm),
  }),
});

/** One questionnaire: that of a touch, or one in use that was not sent. */
const asked = { id: field('任务', id), questionnaireId: field('问卷', id), sendId: field('随访消息', z.optional(id)) };

export const queryTaskForm = service.read({
  operation: 'queryTaskForm',
  label: '打开代填问卷',
  access: mayHandle,
  input: asked,
  output: askedForm,
});

export const addTaskAnswer = service.act({
  operation: 'addTaskAnswer',
  label: '代填问卷',
  access: mayHandle,
  message: '提交成功!',
  secrets: ['answers'],
  input: { ...asked, answers: answersIn },
  output: z.strictObject({ id: idOut }),
});
