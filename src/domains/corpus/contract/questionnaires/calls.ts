import { actionsOf } from '#kernel/contract/offeredActions.ts';
import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { actionAnswer } from '#kernel/contract/actionAnswer.ts';
import { exportOf } from '#kernel/contract/exportOf.ts';
import { flag, id, idOut, instant, instantOut, opinion, several, text, version } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { trail } from '#kernel/contract/trail.ts';
import { sortedBy } from '#kernel/contract/sorting.ts';
import { reviewAccess, reviewActionIn, reviewMachine, revisionMachine, submittedVersion } from '../materials/review.ts';
import { corpusPermissions as may } from '../permissions.ts';
import type { alertLevel, alertTask } from './dictionaries.ts';
import { answersIn, question, questionnaireContent } from './content.ts';

const service = declareService('QuestionnaireService');
const mayView = may['corpus.view'];
const mayEdit = may['material.edit'];
const state = reviewMachine.dictionary.schema;

const questionnaireRow = z.strictObject({
  id: idOut,
  title: field('问卷标题', z.string(), { width: 260 }),
  questionCount: field('题数', z.int(), { width: 80 }),
  answerCount: field('答卷数', z.int(), { width: 90 }),
  state: field('状态', state),
  editState: field('修改状态', revisionMachine.dictionary.schema),
  updatedAt: field('更新时间', instantOut),
  updatedByName: field('更新人', z.nullable(z.string()), { width: 100 }),
  version: z.int(),
  allowedActions: actionsOf(reviewMachine, 'corpus.questionnaire'),
});
export type QuestionnaireRow = z.output<typeof questionnaireRow>;

export const queryQuestionnaireList = service.list({
  operation: 'queryQuestionnaireList',
  label: '查询问卷',
  access: mayView,
  filter: {
    ...sortedBy('questionCount', 'answerCount', 'updatedAt'),
    keyword: z.optional(text('问卷标题', 64)),
    state: field('状态', z.optional(several(state))),
    toAudit: field('待我审核', z.optional(flag)),
  },
  output: questionnaireRow,
});

export const queryQuestionnaireDetail = service.read({
  operation: 'queryQuestionnaireDetail',
  label: '查询问卷详情',
  access: mayView,
  input: { id },
  output: z.strictObject({
    questionnaire: questionnaireRow,
    current: z.nullable(questionnaireContent),
    draft: z.nullable(questionnaireContent),
    versions: z.array(submittedVersion),
    timeline: trail,
  }),
});

const fields = { title: text('问卷标题', 64, 1), content: field('内容', questionnaireContent) };
const saved = z.strictObject({ id: idOut, version: z.int() });

export const addQuestionnaire = service.act({
  operation: 'addQuestionnaire',
  label: '新增问卷',
  access: mayEdit,
  message: '新增成功!',
  input: fields,
  output: saved,
});

export const modifyQuestionnaire = service.act({
  operation: 'modifyQuestionnaire',
  label: '修改问卷',
  access: mayEdit,
  message: '修改成功!',
  input: {
    id,
    version,
    ...fields,
    /** Answered questions stay as they are: changed ones make a new version. */
    newVersion: field('新建版本', z.optional(z.boolean('新建版本不正确'))),
  },
  output: saved,
});

export const auditQuestionnaire = service.act({
  operation: 'auditQuestionnaire',
  label: '提交、审核、停用、启用问卷',
  access: reviewAccess,
  message: '操作成功!',
  input: { id, version, action: reviewActionIn, opinion: z.optional(opinion) },
  output: actionAnswer,
});

const answerRow = z.strictObject({
  id: idOut,
  questionnaireId: idOut,
  patientId: idOut,
  /** Masked: what a patient says of his health is shown with his case alone. */
  patientName: field('患者', z.string(), { width: 110 }),
  seq: field('问卷版本', z.int(), { width: 90 }),
  score: field('得分', z.int(), { width: 80 }),
  alertText: field('预警', z.string(), { width: 220 }),
  answered: field('已答题数', z.int(), { width: 90 }),
  /** Somebody who asked him by phone; else the patient. */
  filledByName: field('填写人', z.string(), { width: 110 }),
  seconds: field('用时（秒）', z.int(), { width: 100 }),
  submittedAt: field('提交时间', instantOut),
});
export const queryQuestionnaireAnswerList = service.list({
  operation: 'queryQuestionnaireAnswerList',
  label: '查询答卷',
  access: mayEdit,
  filter: {
    ...sortedBy('submittedAt'),
    questionnaireId: field('问卷', z.optional(id)),
    alerted: field('有预警', z.optional(flag)),
    submittedFrom: field('提交时间从', z.optional(instant)),
    submittedTo: field('提交时间至', z.optional(instant)),
  },
  output: answerRow,
});
export const exportQuestionnaireAnswer = exportOf(queryQuestionnaireAnswerList, {
  operation: 'exportQuestionnaireAnswer',
  label: '导出答卷',
  access: mayEdit,
});

const gateway = declareService('QuestionnaireService', 'gateway');
const token = text('链接', 200, 1);

/** A questionnaire as it is filled in; what the answers count is not shown. */
export const askedForm = z.strictObject({
  title: z.string(),
  questions: z.array(
    z.strictObject({
      key: question.shape.key,
      type: question.shape.type,
      title: question.shape.title,
      required: z.boolean(),
      options: z.array(z.string()),
      showIf: z.nullable(z.strictObject({ key: z.string(), labels: z.array(z.string()) })),
      min: z.nullable(z.number()),
      max: z.nullable(z.number()),
    }),
  ),
});

/** What a patient fills; scores and alerts are not his to see. */
export const queryByToken = gateway.read({
  operation: 'queryByToken',
  label: '打开问卷',
  access: access.public,
  ratePerMinute: 60,
  input: { token },
  output: askedForm,
});

export const submitAnswer = gateway.act({
  operation: 'submitAnswer',
  label: '提交问卷',
  access: access.public,
  ratePerMinute: 20,
  secrets: ['token', 'answers'],
  input: {
    token,
    answers: answersIn,
    seconds: field('用时', z.int('用时不正确').check(z.minimum(0, '用时不正确'), z.maximum(86_400, '用时不正确'))),
  },
  output: z.strictObject({}),
});

/** An alert as it is kept with the answer. */
export interface StoredAlert {
  level: (typeof alertLevel.codes)[number];
  taskType: (typeof alertTask.codes)[number];
  text: string;
}
