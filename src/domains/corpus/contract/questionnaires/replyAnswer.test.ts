import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Question } from './content.ts';
import { answerOfReply, replyNumbers } from './replyAnswer.ts';

const question = (change: Partial<Question>): Question => ({
  key: 'q1',
  type: 'NUMBER',
  title: '今天的空腹血糖是多少？',
  required: true,
  options: [],
  min: 1,
  max: 33,
  variableCode: 'patient.fastingGlucose',
  ...change,
});
const systolic = question({ key: 'q1', title: '收缩压', min: 60, max: 260, variableCode: 'patient.systolic' });
const diastolic = question({ key: 'q2', title: '舒张压', min: 30, max: 160, variableCode: 'patient.diastolic' });
const unitOf = (code: string) => (code === 'patient.fastingGlucose' ? 'mmol/L' : 'mmHg');
const verdict = (text: string, ...questions: Question[]) => answerOfReply(questions, unitOf, text);

describe('a message that is a number', () => {
  it.each<[string, ReturnType<typeof replyNumbers>]>([
    ['7.2', { label: '', numbers: [7.2], unit: '' }],
    [' ７．２ ', { label: '', numbers: [7.2], unit: '' }],
    ['7.2mmol/L', { label: '', numbers: [7.2], unit: 'mmol/L' }],
    ['空腹血糖：7.2。', { label: '空腹血糖', numbers: [7.2], unit: '' }],
    ['血压130/85', { label: '血压', numbers: [130, 85], unit: '' }],
    ['血压是 130 / 85 mmHg', { label: '血压', numbers: [130, 85], unit: 'mmHg' }],
    ['7.2 8.1', null],
    ['早上7.2晚上9.1', null],
    ['7,2', null],
    ['24.1kg/m²', { label: '', numbers: [24.1], unit: 'kg/m2' }],
    ['-3', { label: '-', numbers: [3], unit: '' }],
    ['130/85/70', null],
    ['头晕', null],
    ['', null],
    ['12345', null],
  ])('%s', (text, said) => {
    expect(replyNumbers(text)).toEqual(said);
  });
});

describe('an answer by a message', () => {
  it.each([
    ['7.2', { q1: 7.2 }],
    ['７．２', { q1: 7.2 }],
    ['7.2 mmol/L', { q1: 7.2 }],
    ['7.2MMOL/L', { q1: 7.2 }],
    ['血糖7.2', { q1: 7.2 }],
    ['空腹血糖是7.2', { q1: 7.2 }],
  ])('is taken: %s', (text, answers) => {
    expect(verdict(text, question({}))).toEqual({ is: 'ANSWER', answers });
  });

  it.each(['7.2 mg/dL', '体温7.2', '7.2左右', '大概7.2', '7,2', '-3', '7/8', '7.2，头有点晕', '好的', '13800000000', '3天了'])(
    'is not taken where it may mean something else: %s',
    (text) => {
      expect(verdict(text, question({}))).toEqual({ is: 'OTHER' });
    },
  );

  it.each(['0.5', '72', '72mmol/L'])('that nobody can have is told apart: %s', (text) => {
    expect(verdict(text, question({}))).toEqual({ is: 'OUT_OF_RANGE' });
  });

  it('of a blood pressure has both values, the upper one first', () => {
    expect(verdict('血压130/85', systolic, diastolic)).toEqual({ is: 'ANSWER', answers: { q1: 130, q2: 85 } });
    for (const text of ['85/130', '130', '130/130', '11/23', '300/85', '130/85kg', '130 85'])
      expect(verdict(text, systolic, diastolic)).toEqual({ is: 'OTHER' });
  });

  it('is taken by a questionnaire that must know nothing else', () => {
    const also = question({ key: 'q2', type: 'TEXT', title: '还有什么不适？', required: false, variableCode: null });
    expect(verdict('7.2', question({}), also)).toEqual({ is: 'ANSWER', answers: { q1: 7.2 } });
    expect(verdict('7.2', question({}), { ...also, required: true })).toEqual({ is: 'OTHER' });
    expect(verdict('7.2', question({ variableCode: null }))).toEqual({ is: 'OTHER' });
    expect(verdict('7.2', also)).toEqual({ is: 'OTHER' });
  });

  it('is never more than what was said, whatever is said', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
        const result = verdict(text, question({}));
        return (
          result.is !== 'ANSWER' || (typeof result.answers['q1'] === 'number' && result.answers['q1'] >= 1 && result.answers['q1'] <= 33)
        );
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 330 }), (tenths) => {
        expect(verdict(String(tenths / 10), question({}))).toEqual({ is: 'ANSWER', answers: { q1: tenths / 10 } });
      }),
    );
  });
});
