import { expect, it } from 'vitest';
import { numbersOf } from './numbersOf.ts';

it.each([
  ['', []],
  [' \n ', []],
  ['PT00000001', ['PT00000001']],
  ['A1\nA2\r\nA3', ['A1', 'A2', 'A3']],
  ['A1，A2、A3;A1 A4', ['A1', 'A2', 'A3', 'A4']],
])('reads %j', (text, numbers) => {
  expect(numbersOf(text)).toEqual(numbers);
});
