import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answers, Question, QuestionnaireContent } from './content.ts';
import { alertsOf, answerFaults, keptAnswers, scoreOf, shownQuestions, valuesOf } from './rules.ts';

const ask = (key: string, type: Question['type'], more: Partial<Question> = {}): Question => ({
  key,
  type,
  title: key,
  required: true,
  options: [],
  ...more,
});
const options = [
  { label: '否', score: 0 },
  { label: '是', score: 2 },
];
const questions: Question[] = [
  ask('q1', 'SINGLE', { options, variableCode: 'a' }),
  ask('q2', 'MULTI', { options, showIf: { key: 'q1', labels: ['是'] } }),
  ask('q3', 'NUMBER', { min: 1, max: 5, variableCode: 'b', showIf: { key: 'q2', labels: ['是'] } }),
  ask('q4', 'DATE', { required: false }),
  ask('q5', 'TEXT', { required: false }),
];

describe('what is asked', () => {
  it.each<[Answers, string[]]>([
    [{}, ['q1', 'q4', 'q5']],
    [{ q1: '是' }, ['q1', 'q2', 'q4', 'q5']],
    [{ q1: '是', q2: ['是'] }, ['q1', 'q2', 'q3', 'q4', 'q5']],
    // what hangs on a hidden question is hidden
    [{ q1: '否', q2: ['是'] }, ['q1', 'q4', 'q5']],
  ])('%o: %o', (answers, keys) => expect(shownQuestions(questions, answers).map(({ key }) => key)).toEqual(keys));
});

it.each<[Answers, [string, string][]]>([
  [{}, [['q1', '请填写此题']]],
  [{ q1: '也许' }, [['q1', '请选择一个选项']]],
  [
    { q1: ['是'] },
    [
      ['q1', '请选择一个选项'],
      ['q2', '请填写此题'],
    ],
  ],
  [
    { q1: '是', q2: ['是', '是'] },
    [
      ['q2', '请选择列出的选项'],
      ['q3', '请填写此题'],
    ],
  ],
  [{ q1: '是', q2: ['是'], q3: 6 }, [['q3', '不能大于5']]],
  [{ q1: '是', q2: ['是'], q3: 0 }, [['q3', '不能小于1']]],
  [{ q1: '是', q2: ['是'], q3: '3' }, [['q3', '请输入数字']]],
  [{ q1: '否', q4: '2026-02-30' }, [['q4', '请选择日期']]],
  [{ q1: '否', q4: '2026-02-28', q5: '好' }, []],
])('faults of %o', (answers, faults) => expect(answerFaults(questions, answers).map(({ key, message }) => [key, message])).toEqual(faults));

it('counts and tells what was asked alone', () => {
  const answers = { q1: '否', q2: ['是'], q3: 4 };
  expect([scoreOf(questions, answers), keptAnswers(questions, answers), valuesOf(questions, answers)]).toEqual([
    0,
    { q1: '否' },
    [{ variableCode: 'a', value: '0' }],
  ]);
});

describe('alerts', () => {
  const content: QuestionnaireContent = {
    questions,
    alerts: [
      { key: null, operator: '>=', value: 4, level: 'MID', taskType: 'CALL' },
      { key: 'q3', operator: '<=', value: 2, level: 'HIGH', taskType: 'ALERT' },
    ],
  };
  it.each<[Answers, string[]]>([
    [{ q1: '是', q2: ['是'], q3: 2 }, ['总分4', 'q3：2']],
    [{ q1: '是', q2: ['是'], q3: 3 }, ['总分4']],
    [{ q1: '是', q2: ['否'], q3: 1 }, []],
    [{ q1: '否' }, []],
  ])('%o: %o', (answers, texts) => expect(alertsOf(content, answers).map(({ text }) => text)).toEqual(texts));
});

it('kept answers have no fault that the given ones had not, and keeping twice changes nothing', () => {
  const given = fc.record(
    {
      q1: fc.constantFrom('是', '否', '?'),
      q2: fc.subarray(['是', '否']),
      q3: fc.integer({ min: 0, max: 6 }),
      q4: fc.constantFrom('2026-01-01', 'x'),
      q5: fc.string(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(given, (answers) => {
      const kept = keptAnswers(questions, answers);
      expect(keptAnswers(questions, kept)).toEqual(kept);
      expect(answerFaults(questions, kept)).toEqual(answerFaults(questions, answers));
    }),
  );
});
