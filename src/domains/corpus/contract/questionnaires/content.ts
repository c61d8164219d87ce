import * as z from 'zod/mini';
import { text } from '#kernel/contract/fields.ts';
import { field } from '#kernel/contract/field.ts';
import { alertLevel, alertTask, questionType } from './dictionaries.ts';

const key = field('题号', z.string().check(z.regex(/^q\d{1,3}$/, '题号不正确')));
const score = field('分值', z.int('分值须为整数').check(z.minimum(-100, '分值为-100至100'), z.maximum(100, '分值为-100至100')));
const bound = z.optional(z.nullable(z.number('请输入数字')));

export const option = z.strictObject({ label: text('选项', 40, 1), score: z._default(score, 0) });
export const question = z.strictObject({
  key,
  type: field('题型', questionType.schema),
  title: text('题目', 120, 1),
  required: field('必填', z._default(z.boolean('必填不正确'), true)),
  options: field('选项', z._default(z.array(option).check(z.maxLength(20, '最多20个选项')), [])),
  /** Asked only where an earlier choice is one of these. */
  showIf: field(
    '显示条件',
    z.optional(
      z.nullable(
        z.strictObject({
          key,
          labels: field('选项', z.array(text('选项', 40, 1)).check(z.minLength(1, '请选择选项'), z.maxLength(20, '选项过多'))),
        }),
      ),
    ),
  ),
  min: field('最小值', bound),
  max: field('最大值', bound),
  /** The condition variable that the answer gives. */
  variableCode: field('对应变量', z.optional(z.nullable(text('对应变量', 60)))),
});
export type Question = z.output<typeof question>;

export const alertRule = z.strictObject({
  /** Null: the total. */
  key: field('题号', z.optional(z.nullable(key))),
  operator: field('运算符', z.enum(['>=', '<=', '='], '运算符不正确')),
  value: field('条件值', z.number('请输入条件值')),
  level: field('级别', alertLevel.schema),
  taskType: field('任务类型', alertTask.schema),
});
export type AlertRule = z.output<typeof alertRule>;

export const questionnaireContent = z.strictObject({
  questions: field('题目', z.array(question).check(z.minLength(1, '请至少添加一道题'), z.maxLength(50, '最多50道题'))),
  alerts: field('预警', z._default(z.array(alertRule).check(z.maxLength(20, '最多20条预警')), [])),
});
export type QuestionnaireContent = z.output<typeof questionnaireContent>;

/** What a patient gives: a label, labels, a number, words or a day, by the question's key. */
export const answersIn = field(
  '答案',
  z.record(
    z.string().check(z.maxLength(8)),
    z.union([
      z.string().check(z.maxLength(500, '最多500个字符')),
      z.number(),
      z.array(z.string().check(z.maxLength(40))).check(z.maxLength(20)),
    ]),
  ),
);
export type Answers = z.output<typeof answersIn>;
