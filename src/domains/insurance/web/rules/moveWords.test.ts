import { expect, it } from 'vitest';
import { moveWords } from './moveWords.ts';

it.each([
  ['DED:41:D1@2026-01-01', '年免赔额 免赔额已扣'],
  ['CNT:41:OUT_DRUG@2026-01-01', '院外特药费用 赔付次数'],
  ['ITEM:41:OUT_DRUG:7@2026-01-01', '院外特药费用 单药已赔（奥希替尼片）'],
  ['SUM:41:P9@LIFE', 'P9 保额已用'],
])('%s is told as %s', (key, words) => {
  const names: Readonly<Record<string, string>> = { D1: '年免赔额', OUT_DRUG: '院外特药费用', 7: '奥希替尼片' };
  expect(moveWords(key, (code) => names[code] ?? code)).toBe(words);
});
