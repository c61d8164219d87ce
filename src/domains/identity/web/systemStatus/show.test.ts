import { expect, it } from 'vitest';
import type { StatusValue } from '../../contract/calls/status.ts';
import { isQuiet, rowsOf, showFigure, showLimit, showSeconds, worst } from './show.ts';

it.each([
  [0, '0秒'],
  [59.4, '59秒'],
  [60, '1分钟'],
  [95, '1分钟35秒'],
  [900, '15分钟'],
  [1234, '20分钟'],
  [7260, '2小时1分钟'],
  [90_000, '1天1小时'],
  [12 * 86_400, '12天'],
])('says %d seconds as %s', (seconds, text) => expect(showSeconds(seconds)).toBe(text));

it('says figures and limits in their units', () => {
  expect(showFigure('BYTES', 3 * 1024 ** 3)).toBe('3 GB');
  expect(showFigure('BYTES', 5 * 1024 ** 2)).toBe('5 MB');
  expect(showFigure('SHARE', 0.1234)).toBe('12.3%');
  expect(showFigure('YES_NO', 0)).toBe('否');
  expect(showFigure('MOMENT', 1_795_226_400)).toBe('2026-11-21 10:00:00');
  const figure = {
    metric: 'm',
    label: '',
    unit: 'SECONDS',
    many: false,
    absent: '',
    limit: { side: 'above', amber: 120, red: 900 },
  } as const;
  expect(showLimit(figure)).toBe('超过2分钟注意，超过15分钟告警');
  expect(showLimit({ ...figure, unit: 'COUNT', limit: { side: 'above', amber: 0, red: null } })).toBe('出现即注意');
  expect(showLimit({ ...figure, limit: null })).toBe('');
});

it('puts rows with something wrong first, and knows those that have nothing to tell', () => {
  const value = (key: string, metric: string, n: number, level: StatusValue['level'] = 'NORMAL'): StatusValue => ({
    metric,
    key,
    label: key.toUpperCase(),
    value: n,
    note: null,
    level,
  });
  const figures = [
    { metric: 'due', unit: 'COUNT' },
    { metric: 'old', unit: 'SECONDS' },
    { metric: 'next', unit: 'MOMENT' },
  ] as const;
  const rows = rowsOf(figures, [value('a', 'due', 0), value('b', 'due', 3, 'AMBER'), value('c', 'due', 1), value('c', 'old', 9, 'RED')]);
  expect(rowsOf(figures, [value('late', 'next', 9), value('soon', 'next', 2)]).map(({ key }) => key)).toEqual(['soon', 'late']);
  expect(rows.map(({ label, level }) => [label, level])).toEqual([
    ['C', 'RED'],
    ['B', 'AMBER'],
    ['A', 'NORMAL'],
  ]);
  expect(rows.map(isQuiet)).toEqual([false, false, true]);
  expect(worst([])).toBe('NORMAL');
});
