import { expect, it } from 'vitest';
import { addNotice } from './calls/notices.ts';

const takes = (link: string) => addNotice.input.shape.link.safeParse(link).success;

it.each(['', '/userManagement', '/operationLog?tab=verify&from=2026-11-20', '/lowcode/9f86d081?x=%E4%B8%AD'])('takes %j', (link) => {
  expect(takes(link)).toBe(true);
});

it.each([
  '//evil.test',
  '/\\\\evil.test',
  '/\\evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/a\\b',
  '/a b',
  '/a\u0000b',
  'https://evil.test',
  'javascript:alert(1)',
  'evil.test',
])('refuses %j', (link) => {
  expect(takes(link)).toBe(false);
});
