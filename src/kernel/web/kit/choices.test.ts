import { expect, test } from 'vitest';
import { choicesOf } from './choices.ts';

test('what is chosen stays among the choices with its label, once, before what was found', () => {
  const option = (value: string) => ({ value, label: `医院${value}` });
  const seen = new Map(['1', '2', '3'].map((value) => [value, option(value)]));
  expect(choicesOf(['1', '9'], [option('2'), option('1')], seen)).toEqual([option('1'), option('2')]);
});
