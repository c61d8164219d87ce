import { expect, it } from 'vitest';
import { minutes, startOfDay } from '#kernel/contract/time.ts';
import { windowMsBetween } from './window.ts';

const at = (time: string, day = '2026-11-23') => startOfDay(day, time);

it.each([
  ['within one day', at('10:00'), at('10:30'), 30],
  ['over the morning', at('07:00'), at('08:50'), 20],
  ['over the evening', at('18:00'), at('23:00'), 31],
  ['at night', at('19:00'), at('08:30', '2026-11-24'), 0],
  ['from one day to the next', at('18:11'), at('08:40', '2026-11-24'), 30],
  ['backwards', at('12:00'), at('11:00'), 0],
])('counts the part of a span within window hours: %s', (_what, from, to, counted) => {
  expect(windowMsBetween(from, to)).toBe(minutes(counted));
});
