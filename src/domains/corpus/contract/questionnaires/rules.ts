import { isDay } from '#kernel/contract/time.ts';
import type { AlertRule, Answers, Question, QuestionnaireContent } from './content.ts';

export interface FormFault {
  path: string;
  message: string;
}

const isChoice = ({ type }: Question) => type === 'SINGLE' || type === 'MULTI';

/** What a questionnaire must hold beyond the shape of its questions. */
export function contentFaults({ questions, alerts }: QuestionnaireContent): FormFault[] {
  const faults: FormFault[] = [];
  const earlier = new Map<string, Question>();
  for (const [index, question] of questions.entries()) {
    const fault = (message: string) => faults.push({ path: `content.questions.${index}`, message: `第${index + 1}题${message}` });
    const labels = question.options.map(({ label }) => label);
    if (earlier.has(question.key)) fault('题号重复');
    if (isChoice(question) && labels.length < 2) fault('至少需要两个选项');
    if (!isChoice(question) && labels.length > 0) fault('不能有选项');
    if (new Set(labels).size < labels.length) fault('选项重复');
    if (typeof question.min === 'number' && typeof question.max === 'number' && question.min > question.max) fault('最小值不能大于最大值');
    if (question.showIf) {
      const asked = earlier.get(question.showIf.key);
      if (!asked || !isChoice(asked)) fault('的显示条件须引用前面的选择题');
      else if (question.showIf.labels.some((label) => asked.options.every((option) => option.label !== label)))
        fault('的显示条件引用了不存在的选项');
    }
    earlier.set(question.key, question);
  }
  for (const [index, { key }] of alerts.entries()) {
    const asked = key ? earlier.get(key) : undefined;
    if (key && (!asked || asked.type === 'TEXT' || asked.type === 'DATE'))
      faults.push({ path: `content.alerts.${index}`, message: `第${index + 1}条预警须引用选择题或数字题` });
  }
  return faults;
}

const chosen = (value: Answers[string] | undefined): readonly string[] =>
  Array.isArray(value) ? value : typeof value === 'string' && value !== '' ? [value] : [];

/** The questions that are asked, given what was answered so far. What hangs on a hidden question is hidden. */
export function shownQuestions(questions: readonly Question[], answers: Answers): Question[] {
  const shown: Question[] = [];
  for (const question of questions) {
    const { showIf } = question;
    const isShown =
      !showIf ||
      (shown.some(({ key }) => key === showIf.key) && chosen(answers[showIf.key]).some((label) => showIf.labels.includes(label)));
    if (isShown) shown.push(question);
  }
  return shown;
}

const isEmpty = (value: Answers[string] | undefined) => value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function faultOf(question: Question, value: Answers[string] | undefined): string | null {
  if (isEmpty(value)) return question.required ? '请填写此题' : null;
  const labels = question.options.map(({ label }) => label);
  switch (question.type) {
    case 'SINGLE':
      return typeof value === 'string' && labels.includes(value) ? null : '请选择一个选项';
    case 'MULTI':
      return Array.isArray(value) && value.every((label) => labels.includes(label)) && new Set(value).size === value.length
        ? null
        : '请选择列出的选项';
    case 'NUMBER':
      if (typeof value !== 'number' || !Number.isFinite(value)) return '请输入数字';
      if (typeof question.min === 'number' && value < question.min) return `不能小于${question.min}`;
      if (typeof question.max === 'number' && value > question.max) return `不能大于${question.max}`;
      return null;
    case 'TEXT':
      return typeof value === 'string' ? null : '请输入文字';
    case 'DATE':
      return typeof value === 'string' && isDay(value) ? null : '请选择日期';
  }
}

/** What is wrong with an answer, each fault at its question. */
export const answerFaults = (questions: readonly Question[], answers: Answers): { key: string; message: string }[] =>
  shownQuestions(questions, answers).flatMap((question) => {
    const message = faultOf(question, answers[question.key]);
    return message === null ? [] : [{ key: question.key, message }];
  });

/** The answers to what was asked; what a hidden question still held is dropped. */
export const keptAnswers = (questions: readonly Question[], answers: Answers): Answers =>
  Object.fromEntries(
    shownQuestions(questions, answers).flatMap(({ key }) => {
      const value = answers[key];
      return value === undefined || isEmpty(value) ? [] : [[key, value]];
    }),
  );

const scoreOfQuestion = (question: Question, value: Answers[string] | undefined): number =>
  question.options.filter(({ label }) => chosen(value).includes(label)).reduce((sum, { score }) => sum + score, 0);

/** Sum of what the chosen options count. */
export const scoreOf = (questions: readonly Question[], answers: Answers): number =>
  shownQuestions(questions, answers).reduce((sum, question) => sum + scoreOfQuestion(question, answers[question.key]), 0);

const holds = (left: number, { operator, value }: AlertRule) =>
  operator === '>=' ? left >= value : operator === '<=' ? left <= value : left === value;

/** The alerts that an answer raises; a question that was not answered raises none. */
export function alertsOf({ questions, alerts }: QuestionnaireContent, answers: Answers): (AlertRule & { text: string })[] {
  const shown = shownQuestions(questions, answers);
  return alerts.flatMap((rule) => {
    if (!rule.key) {
      const score = scoreOf(questions, answers);
      return holds(score, rule) ? [{ ...rule, text: `总分${score}` }] : [];
    }
    const question = shown.find(({ key }) => key === rule.key);
    const value = question && answers[question.key];
    if (!question || isEmpty(value)) return [];
    const left = typeof value === 'number' ? value : scoreOfQuestion(question, value);
    const answerText = Array.isArray(value) ? value.join('、') : String(value);
    return holds(left, rule) ? [{ ...rule, text: `${question.title}：${answerText}` }] : [];
  });
}

/** Values of the condition variables that the answers give: numbers as they are, choices by what they count. */
export const valuesOf = (questions: readonly Question[], answers: Answers): { variableCode: string; value: string }[] =>
  shownQuestions(questions, answers).flatMap((question) => {
    const value = answers[question.key];
    if (!question.variableCode || isEmpty(value) || question.type === 'TEXT' || question.type === 'DATE') return [];
    return [{ variableCode: question.variableCode, value: String(typeof value === 'number' ? value : scoreOfQuestion(question, value)) }];
  });

/** All words that patients will read. */
export const plainTextOfForm = (title: string, { questions }: QuestionnaireContent): string =>
  [title, ...questions.flatMap((one) => [one.title, ...one.options.map(({ label }) => label)])].join('\n');
