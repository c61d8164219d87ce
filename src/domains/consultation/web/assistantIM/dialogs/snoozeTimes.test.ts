import { expect, test } from 'vitest';
import { snoozeChoices, snoozeFault } from './snoozeTimes.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}:00+08:00`);

test('this evening is offered until it begins', () => {
  expect(snoozeChoices(at('17:30')).map(({ label, until }) => `${label} ${until}`)).toEqual([
    '1小时 2026-11-21T10:30:00.000Z',
    '今天18:00 2026-11-21T10:00:00.000Z',
    '明天09:00 2026-11-22T01:00:00.000Z',
  ]);
  expect(snoozeChoices(at('18:00')).map(({ label }) => label)).toEqual(['1小时', '明天09:00']);
});

test('a time must lie ahead, within thirty days', () => {
  const now = at('12:00');
  expect(
    [
      snoozeFault('2026-11-21T04:00:00.000Z', now),
      snoozeFault('2026-12-21T04:00:00.000Z', now),
      snoozeFault('2026-12-21T04:00:01.000Z', now),
      snoozeFault('', now),
    ].map((fault) => fault === null),
  ).toEqual([false, true, false, false]);
});
