import { describe, expect, it } from 'vitest';
import type { TimeOption } from './dictionaries.ts';
import type { Entry } from './plan.ts';
import { avoiding, planCycle, planItem, rotationIndex } from './plan.ts';

/** `MM-DD HH:mm` in Asia/Shanghai. */
const entered = (at: string, extra: Partial<Entry> = {}): Entry => ({
  enteredAt: new Date(`2026-${at.replace(' ', 'T')}:00+08:00`).toISOString(),
  shiftDays: 0,
  usableDay: (day) => day,
  ...extra,
});

const cycleDays = (entry: Entry, timeOption: TimeOption, age: number | null) =>
  planCycle(entry, { timeOption, sendTime: '09:00', age }).map((touch) => touch.day.slice(5));

describe('cycle of a patient who entered 2026-11-20 15:10, at 09:00', () => {
  const entry = entered('11-20 15:10');
  it('every day: 13 touches, the entry day dropped', () => {
    const days = cycleDays(entry, 'EVERY_DAY', null);
    const dates = Array.from({ length: 13 }, (_, n) => (n < 10 ? `11-${21 + n}` : `12-0${n - 9}`));
    expect(days).toEqual(dates);
  });
  it('every other day: 6 touches', () => {
    expect(cycleDays(entry, 'EVERY_OTHER_DAY', null)).toEqual(['11-22', '11-24', '11-26', '11-28', '11-30', '12-02']);
  });
  it('every two days, age 10: 3 touches', () => {
    expect(cycleDays(entry, 'EVERY_TWO_DAYS', 10)).toEqual(['11-23', '11-26', '11-29']);
  });
  it('entered at 08:00 instead: 14, 7 and 4', () => {
    const early = entered('11-20 08:00');
    expect([
      cycleDays(early, 'EVERY_DAY', null).length,
      cycleDays(early, 'EVERY_OTHER_DAY', null).length,
      cycleDays(early, 'EVERY_TWO_DAYS', 10).length,
    ]).toEqual([14, 7, 4]);
  });
  it('a shift moves every date; rest days move to the next usable day, and two touches may meet', () => {
    expect(cycleDays(entered('11-20 15:10', { shiftDays: 2 }), 'EVERY_TWO_DAYS', 10)).toEqual(['11-22', '11-25', '11-28', '12-01']);
    const weekend = avoiding(new Set(['2026-11-21', '2026-11-22']));
    expect(cycleDays(entered('11-20 15:10', { usableDay: weekend }), 'EVERY_DAY', 10).slice(0, 4)).toEqual([
      '11-23',
      '11-23',
      '11-23',
      '11-24',
    ]);
  });
});

describe('schedule item', () => {
  it.each([
    ['11-20 15:10', 0, '16:00', '11-20 16:00'],
    ['11-20 15:10', 0, '09:00', '11-20 15:30'],
    ['11-20 15:25', 0, '09:00', '11-20 16:00'],
    ['11-20 15:20', 0, '09:00', '11-20 15:30'],
    ['11-20 18:25', 0, '09:00', '11-21 08:30'],
    ['11-20 18:20', 0, '09:00', '11-20 18:30'],
    ['11-20 23:55', 0, '09:00', '11-21 08:30'],
    ['11-20 15:10', 1, '09:00', '11-21 09:00'],
    ['11-20 00:05', 0, '08:30', '11-20 08:30'],
    ['11-20 15:10', 365, '18:30', '11-20 18:30'],
  ])('entered %s, day %i at %s → %s', (at, dayOffset, sendTime, expected) => {
    const planned = planItem(entered(at), { dayOffset, sendTime });
    expect(`${planned.day.slice(5)} ${planned.sendTime}`).toBe(expected);
    expect(planned.day.slice(0, 4)).toBe(dayOffset === 365 ? '2027' : '2026');
  });

  it('entered on a rest day: day 0 goes out at its time on the next usable day', () => {
    const usableDay = avoiding(new Set(['2026-11-21', '2026-11-22']));
    const planned = planItem(entered('11-21 15:10', { usableDay }), { dayOffset: 0, sendTime: '09:00' });
    expect([planned.day, planned.sendTime]).toEqual(['2026-11-23', '09:00']);
  });
});

it('rotation follows the day age, not the number of touches sent', () => {
  expect([0, 2, 4, 6].map((age) => rotationIndex(age, 'EVERY_OTHER_DAY', 3))).toEqual([0, 1, 2, 0]);
});
