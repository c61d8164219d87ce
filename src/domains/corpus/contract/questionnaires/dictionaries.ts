import { dictionary } from '#kernel/contract/dictionary.ts';

export const questionType = dictionary('corpusQuestionType', {
  SINGLE: '单选',
  MULTI: '多选',
  NUMBER: '数字',
  TEXT: '文本',
  DATE: '日期',
});
export type QuestionType = (typeof questionType.codes)[number];

export const alertLevel = dictionary('corpusAlertLevel', {
  HIGH: { label: '高', tone: 'error' },
  MID: { label: '中', tone: 'warning' },
});

/** What an alert asks somebody to do. */
export const alertTask = dictionary('corpusAlertTask', {
  CALL: '电话随访',
  REPLY: '待人工回复',
  ALERT: '异常指标',
  AE: '不良反应上报',
});

export const QUESTIONNAIRE_TARGET = 'corpus.questionnaire';
