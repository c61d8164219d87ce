import { expect, it } from 'vitest';
import { uuid7 } from './uuid.ts';

it('makes keys of version 7 that differ, and that sort by their time', () => {
  const at = Date.parse('2026-11-21T08:00:00Z');
  const keys = Array.from({ length: 200 }, (_, n) => uuid7(at + n));
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keys.toSorted()).toEqual(keys);
  expect(new Set(Array.from({ length: 200 }, () => uuid7(at))).size).toBe(200);
  expect(Number.parseInt(keys[0]!.replace('-', '').slice(0, 12), 16)).toBe(at);
});
