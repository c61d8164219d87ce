import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { targetNames, targetText, type LogRow } from './logValues.ts';

// A filter by the column of that name (`q.targetType`) names nothing.
const NAMED = /(?:target\(\{ type: |targetType: |TARGET = |noun: '[^']+',\s*type: )'(?!\w\.targetType')([a-zA-Z.]+)'/g;

it('has a Chinese name for everything that a server half names as touched', () => {
  const types = globSync('src/{domains,kernel}/**/server/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(NAMED)].map(([, type]) => type!));
  expect(types.length).toBeGreaterThan(50);
  expect([...new Set(types)].filter((type) => !targetNames[type])).toEqual([]);
  expect(new Set(Object.values(targetNames)).size).toBe(Object.keys(targetNames).length);
});

it('says what was touched, and how many of them', () => {
  const row = (more: Partial<LogRow>) =>
    ({ targetType: 'files.fileObject', targetId: '7', targetNo: null, targetCount: 1, ...more }) as LogRow;
  expect(targetText(row({}))).toBe('文件 7');
  expect(targetText(row({ targetNo: 'WJ1', targetCount: 3 }))).toBe('文件 WJ1 等3项');
  expect(targetText(row({ targetType: null }))).toBe('—');
});
