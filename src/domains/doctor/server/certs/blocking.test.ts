import { describe, expect, it } from 'vitest';
import { blockedFrom, reminderDue } from './blocking.ts';

describe('R3', () => {
  it.each([
    ['PRACTICE', '2026-11-20', '2026-11-21'],
    ['QUALIFICATION', '2026-11-20', '2026-11-21'],
    ['ID_CARD', '2026-11-20', '2026-12-21'],
    ['TITLE', '2026-11-20', null],
    ['BADGE', '2026-11-20', null],
    ['E_SIGN', '2026-11-20', null],
    ['MULTI_SITE', '2026-11-20', null],
    ['PRACTICE', null, null],
  ])('%s that ends on %s blocks from %s', (certType, validTo, from) => {
    expect(blockedFrom({ certType, validTo })).toBe(from);
  });

  it.each<[left: number, sent: number[], due: number | null]>([
    [91, [], null],
    [90, [], 90],
    [89, [90], null],
    [60, [90], 60],
    [29, [90, 60], 30],
    [5, [90], 7],
    [5, [90, 60, 30, 7], null],
    [1, [90, 7], 1],
    [0, [1], 0],
    [0, [1, 0], null],
    [-1, [], null],
  ])('%i days left after %j: %j', (left, sent, due) => {
    expect(reminderDue(left, sent)).toBe(due);
  });
});
