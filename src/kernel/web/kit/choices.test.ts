import { expect, test } from 'vitest';
import { choicesOf, withNameless } from './choices.ts';

test('what is chosen stays among the choices with its label, once, before what was found', () => {
  const option = (value: string) => ({ value, label: `医院${value}` });
  const seen = new Map(['1', '2', '3'].map((value) => [value, option(value)]));
  expect(choicesOf(['1', '9'], [option('2'), option('1')], seen)).toEqual([option('1'), option('2')]);
});

test('what is chosen and has no name yet is not shown as a number', () => {
  expect(withNameless([{ value: '1', label: '医院1' }], ['1', '9'], true)).toEqual([
    { value: '1', label: '医院1' },
    { value: '9', label: '加载中…' },
  ]);
  expect(withNameless([], ['9'], false)).toEqual([{ value: '9', label: '（名称未读取到）' }]);
});
