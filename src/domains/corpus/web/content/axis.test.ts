import { expect, it } from 'vitest';
import type { ScheduleRow } from '../../contract/scheduleCalls.ts';
import { axisColumns } from './axis.ts';

const on = (...days: number[]) => days.map((dayOffset) => ({ dayOffset }) as ScheduleRow);
const shape = (items: ScheduleRow[], unfolded: number[] = []) =>
  axisColumns(items, new Set(unfolded)).map((column) => (column.kind === 'day' ? column.day : `${column.from}-${column.to}`));
const twoWeeks = Array.from({ length: 15 }, (_, day) => day);

it.each([
  [on(), twoWeeks],
  [on(3, 14), [...twoWeeks, 15]],
  [on(30), [...twoWeeks, '15-28', 29, 30, 31]],
  [on(17), [...twoWeeks, '15-15', 16, 17, 18]],
  [on(365), [...twoWeeks, '15-363', 364, 365]],
])('case %#', (items, expected) => expect(shape(items)).toEqual(expected));

it('an opened gap shows its days', () => {
  expect(shape(on(18), [15])).toEqual([...twoWeeks, 15, 16, 17, 18, 19]);
});
