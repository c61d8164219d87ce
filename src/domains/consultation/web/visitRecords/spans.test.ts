import { expect, it } from 'vitest';
import { spanText } from './spans.ts';

it.each([
  [null, '—'],
  [0, '0秒'],
  [59, '59秒'],
  [60, '1分'],
  [390, '6分30秒'],
  [3_600, '1小时'],
  [11_520, '3小时12分'],
  [187_200, '2天4小时'],
] as const)('%s seconds are %s', (seconds, text) => expect(spanText(seconds)).toBe(text));
