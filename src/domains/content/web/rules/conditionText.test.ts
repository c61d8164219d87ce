import { expect, it } from 'vitest';
import type { RuleVariableRow } from '../../contract/rules/calls.ts';
import { conditionText, explainedText } from './conditionText.ts';

const age: RuleVariableRow = {
  code: 'patient.age',
  name: '年龄',
  valueType: 'NUMBER',
  operators: ['>=', 'range'],
  unit: '岁',
  decimals: 0,
  options: [],
  source: '实名信息',
};
const sex: RuleVariableRow = {
  ...age,
  code: 'patient.sex',
  name: '性别',
  valueType: 'OPTION',
  unit: '',
  options: [{ value: '1', label: '男' }],
};

it('says a condition, and at which value it held', () => {
  const row = { variableCode: 'patient.age', operator: '>=' as const, value: '60', groupNo: 1 };
  expect(conditionText(row, [age])).toBe('年龄 ≥ 60 岁');
  expect(explainedText({ ...row, verdict: 'HELD', fact: '71', at: null }, [age])).toBe('年龄 ≥ 60 岁：满足（71 岁）');
  expect(explainedText({ ...row, verdict: 'NO_DATA', fact: null, at: null }, [age])).toBe('年龄 ≥ 60 岁：不满足（无数据）');
  const man = { variableCode: 'patient.sex', operator: '=' as const, value: '1', groupNo: 1 };
  expect(explainedText({ ...man, verdict: 'HELD', fact: '1', at: null }, [age, sex])).toBe('性别 = 男：满足（男）');
  expect(conditionText({ ...row, variableCode: 'gone' }, [age])).toBe('gone');
});
