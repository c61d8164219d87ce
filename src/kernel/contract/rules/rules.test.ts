import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, decimalsOf } from './decimal.ts';
import { dryRun } from './dryRun.ts';
import { evaluate } from './evaluate.ts';
import type { TypedKind } from './groups.ts';
import type { Condition, Fact, Operator, RuleVariable } from './rule.ts';
import { basicOperators, extendedOperators } from './rule.ts';
import { sentenceOf } from './sentence.ts';
import { ruleTexts } from './texts.ts';
import { faultOfTyped } from './typed.ts';
import { faultOfCondition, keepNumber, tidyNumber } from './validate.ts';

const number: RuleVariable = {
  code: 'gap',
  name: '距上次购药天数',
  valueType: 'NUMBER',
  operators: basicOperators,
  unit: '天',
  decimals: 0,
  options: [],
};
const option: RuleVariable = {
  code: 'sex',
  name: '性别',
  valueType: 'OPTION',
  operators: ['=', 'in'],
  unit: '',
  decimals: 0,
  options: [
    { value: '1', label: '男' },
    { value: '2', label: '女' },
  ],
};
const text: RuleVariable = {
  code: 'note',
  name: '备注',
  valueType: 'TEXT',
  operators: extendedOperators,
  unit: '',
  decimals: 0,
  options: [],
};

const row = (operator: Operator, value: string, extra: Partial<Condition> = {}): Condition => ({
  variableCode: 'gap',
  operator,
  value,
  groupNo: 1,
  effective: true,
  ...extra,
});
const fact = (value: string | null): Fact => ({ value, at: '2026-11-20', source: '订单' });
const facts = (table: Record<string, string | null>) => new Map(Object.entries(table).map(([code, value]) => [code, fact(value)]));

describe('faults of a condition', () => {
  it.each([
    ['>', '', '请输入全部内容'],
    ['', '25', '请输入全部内容'],
    ['in', '25', '该变量不支持此运算符'],
    ['>', '1.2345', '小数点后面最多三位小数'],
    ['>', 'abc', '条件值只能输入数字和小数点'],
    ['>', '-1', '条件值只能输入数字和小数点'],
    ['>', '1.', '条件值只能输入数字和小数点'],
    ['>', '.5', '条件值只能输入数字和小数点'],
    ['>', '1.2.3', '条件值只能输入数字和小数点'],
    ['range', '1，2', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '1-2', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '1', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '1,2,3', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '-1,2', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '0,2', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '1, 2', '请输入正确的格式:数字+英文逗号+数字'],
    ['range', '1.2345,3', '小数点后面最多三位小数'],
    ['range', '1,3.0001', '小数点后面最多三位小数'],
    ['range', '9,7', '区间左值不能大于右值'],
  ])('%s %s → %s', (operator, value, expected) => {
    const fault = faultOfCondition(number, operator, value);
    expect(fault && ruleTexts[fault]).toBe(expected);
  });

  it.each([
    [number, '>', '0'],
    [number, '=', '25.125'],
    [number, 'range', '7,9'],
    [number, 'range', '7.125,7.125'],
    [option, '=', '2'],
    [option, 'in', '1,2'],
    [text, 'contains', '头晕'],
    [text, 'not in', 'a,b'],
  ] as const)('%o %s %s is right', (variable, operator, value) => {
    expect(faultOfCondition(variable, operator, value)).toBeNull();
  });

  it.each([
    [option, '=', '3', 'OPTION'],
    [option, 'in', '1,', 'LIST_FORMAT'],
    [option, '>', '1', 'OPERATOR'],
    [text, '>', '1', 'OPERATOR'],
    [text, 'range', '1,2', 'OPERATOR'],
  ] as const)('%o %s %s → %s', (variable, operator, value, expected) => {
    expect(faultOfCondition(variable, operator, value)).toBe(expected);
  });
});

describe('a typed range', () => {
  const of = (kind: TypedKind, value: string) =>
    faultOfTyped({ code: 'x', name: '变量', kind, unit: '', options: [] }, { operator: 'range', value });
  it.each([
    ['MONEY', ',', 'INCOMPLETE'],
    ['MONEY', '10000,', 'INCOMPLETE'],
    ['MONEY', ',10000', 'INCOMPLETE'],
    ['MONEY', '10000', 'INCOMPLETE'],
    ['MONEY', '0,10000', null],
    ['MONEY', '0,0', null],
    ['MONEY', '10000,10000', null],
    // by amount, not by text
    ['MONEY', '9000,10000', null],
    ['MONEY', '10000,9000', 'RANGE_ORDER'],
    ['MONEY', '1.5,3', 'RANGE_FORMAT'],
    ['MONEY', '-1,3', 'RANGE_FORMAT'],
    ['MONEY', '1 or 1=1,3', 'RANGE_FORMAT'],
    // the specification's rule of numbers
    ['NUMBER', '0,5', 'RANGE_FORMAT'],
    ['NUMBER', '1,', 'RANGE_FORMAT'],
    ['NUMBER', '5,1', 'RANGE_ORDER'],
    ['NUMBER', '1.5,3', null],
    ['DATE', '2026-01-01,', 'INCOMPLETE'],
    ['DATE', '2026-02-01,2026-01-01', 'RANGE_ORDER'],
    ['DATE', '2026-02-30,2026-03-01', 'DAY'],
    ['DATE', '0000-01-01,2026-03-01', 'DAY'],
    ['DATE', '2026-03-01,9999-12-31', 'DAY'],
  ] as const)('of %s %s: %s', (kind, value, fault) => expect(of(kind, value)).toBe(fault));
});

describe('typing a number', () => {
  it.each([
    ['12a.3b', '12.3'],
    ['1.2.3', '1.23'],
    ['1.23456', '1.234'],
    ['，-1', '1'],
    ['.', '.'],
  ])('%s keeps %s', (typed, kept) => expect(keepNumber(typed)).toBe(kept));
  it.each([
    ['25.', '25'],
    ['.5', '0.5'],
    ['.', ''],
    ['7.10', '7.10'],
  ])('leaving %s gives %s', (kept, tidied) => expect(tidyNumber(kept)).toBe(tidied));
  it('never leaves a number that the server refuses', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const value = tidyNumber(keepNumber(typed));
        return value === '' || faultOfCondition(number, '=', value) === null;
      }),
    );
  });
});

describe('comparison', () => {
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 6 })).map(([amount, digits]) => {
    const padded = (amount < 0n ? -amount : amount).toString().padStart(digits + 1, '0');
    const whole = padded.slice(0, padded.length - digits);
    return { amount, digits, text: `${amount < 0n ? '-' : ''}${whole}${digits ? `.${padded.slice(-digits)}` : ''}` };
  });

  it('orders decimals exactly, beyond the precision of floats', () => {
    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        const x = a.amount * 10n ** BigInt(6 - a.digits);
        const y = b.amount * 10n ** BigInt(6 - b.digits);
        expect(compareDecimals(a.text, b.text)).toBe(x < y ? -1 : x > y ? 1 : 0);
        expect(decimalsOf(a.text)).toBe(a.digits);
      }),
    );
    expect(compareDecimals('9007199254740993.001', '9007199254740993.002')).toBe(-1);
    expect(compareDecimals('0.3', '0.300')).toBe(0);
  });
});

describe('evaluation', () => {
  it.each([
    ['range', '7,9', '7', true],
    ['range', '7,9', '9', true],
    ['range', '7,9', '9.001', false],
    ['range', '7,9', '6.999', false],
    ['>', '25', '25', false],
    ['>', '25', '25.001', true],
    ['>=', '25', '25.0', true],
    ['<', '5', '4.9', true],
    ['<=', '5', '5', true],
    ['=', '7.1', '7.10', true],
    ['in', '1,2', '2', true],
    ['not in', '1,2', '2', false],
    ['contains', '头晕', '偶有头晕', true],
  ] as const)('%s %s against %s: %s', (operator, value, actual, held) => {
    expect(evaluate([row(operator, value)], facts({ gap: actual })).held).toBe(held);
  });

  it('a missing value is no data and does not hold, not even a negation', () => {
    for (const operator of extendedOperators) {
      for (const known of [facts({}), facts({ gap: null })]) {
        const answer = evaluate([row(operator, '1,2')], known);
        expect(answer.held).toBe(false);
        expect(answer.rows[0]!.verdict).toBe('NO_DATA');
      }
    }
  });

  it('explains each row with value, time and source', () => {
    expect(evaluate([row('>', '25')], facts({ gap: '30' })).rows).toEqual([
      { index: 0, groupNo: 1, effective: true, verdict: 'HELD', value: '30', at: '2026-11-20', source: '订单', sourceRoute: null },
    ]);
  });

  it('joins rows with AND and groups with OR', () => {
    const rule = [row('>', '25'), row('=', '1', { variableCode: 'sex' }), row('<', '5', { groupNo: 2 })];
    expect(evaluate(rule, facts({ gap: '30', sex: '2' })).held).toBe(false);
    expect(evaluate(rule, facts({ gap: '30', sex: '1' })).heldGroups).toEqual([1]);
    expect(evaluate(rule, facts({ gap: '3', sex: '2' })).heldGroups).toEqual([2]);
  });

  it('an empty rule, or one without effective rows, does not hold', () => {
    expect(evaluate([], facts({}))).toMatchObject({ held: false, empty: true });
    expect(evaluate([row('>', '1', { effective: false })], facts({ gap: '9' }))).toMatchObject({ held: false, empty: true });
  });

  it('a row without effect never changes the result', () => {
    const condition = fc.record({
      variableCode: fc.constantFrom('gap', 'sex', 'other'),
      operator: fc.constantFrom<Operator>('>', '<', '=', '>=', '<='),
      value: fc.nat(9).map(String),
      groupNo: fc.integer({ min: 1, max: 5 }),
      effective: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 12 }), fc.nat(9), fc.nat(9), (rule, gap, sex) => {
        const known = facts({ gap: String(gap), sex: String(sex) });
        expect(evaluate(rule, known).held).toBe(
          evaluate(
            rule.filter((one) => one.effective),
            known,
          ).held,
        );
      }),
    );
  });
});

describe('dry run', () => {
  it('counts what each row keeps out, no data apart, and repeats itself', () => {
    const rule = [row('>', '25'), row('=', '1', { variableCode: 'sex' }), row('>', '99', { effective: false })];
    const records = [
      { key: 'a', facts: facts({ gap: '30', sex: '1' }) },
      { key: 'b', facts: facts({ gap: '20', sex: '1' }) },
      { key: 'c', facts: facts({ gap: '30' }) },
    ];
    const answer = dryRun(rule, records);
    expect(answer).toMatchObject({
      judged: 3,
      held: 1,
      perRow: [
        { excluded: 1, noData: 0 },
        { excluded: 0, noData: 1 },
        { excluded: 0, noData: 0 },
      ],
    });
    expect(dryRun(rule, records)).toEqual(answer);
  });
});

describe('sentence', () => {
  const variables = [number, option];
  const say = (rule: Condition[]) =>
    sentenceOf(
      rule,
      (code) => variables.find((one) => one.code === code),
      (one) => `患者.${one.name}`,
    );

  it('reads like the rule', () => {
    expect(say([row('>=', '25'), row('=', '2', { variableCode: 'sex' })])).toBe('患者.距上次购药天数 ≥ 25 天 且 患者.性别 = 女');
    expect(say([row('range', '7,9'), row('<', '5', { groupNo: 2 }), row('>', '1', { effective: false })])).toBe(
      '（患者.距上次购药天数 在 7 至 9 天 之间（含）） 或 （患者.距上次购药天数 < 5 天）',
    );
    expect(say([])).toBe('');
  });
});
