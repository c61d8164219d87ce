import { describe, expect, it } from 'vitest';
import { dayOf, startOfDay } from '#kernel/contract/time.ts';
import { avoiding } from '../plan.ts';
import { CYCLE_KEY, planRun, type Plan } from './planRun.ts';
import type { FrozenCycle, FrozenItem } from './snapshot.ts';

// 2026-11-20 is a Friday.
const ENTERED = startOfDay('2026-11-20', '08:00');
const WEEKEND = ['2026-11-21', '2026-11-22', '2026-11-28', '2026-11-29'];
const usableDay = avoiding(new Set(WEEKEND));
const policy = { maxDelayHours: 24 };

const cycle = (change: Partial<FrozenCycle> = {}): FrozenCycle => ({
  sendTime: '09:00',
  target: 'SINGLE',
  touchKind: 'CARE',
  materialIds: ['1'],
  timeOption: 'EVERY_DAY',
  age: 10,
  playMode: 'SAME',
  ...change,
});
const item = (itemKey: string, dayOffset: number, materialIds: string[], change: Partial<FrozenItem> = {}): FrozenItem => ({
  itemKey,
  dayOffset,
  sendTime: '09:00',
  target: 'SINGLE',
  touchKind: 'CARE',
  materialIds,
  itemConditions: [],
  ...change,
});
const condition: FrozenItem['itemConditions'][number] = {
  groupNo: 1,
  role: 1,
  variableId: '1',
  variableCode: 'HBA1C',
  variableName: '糖化血红蛋白',
  operatorValue: '>',
  conditionValue: '7',
  checked: 1,
};

const planned = (plan: Pick<Plan, 'schedule' | 'cycle'>) =>
  planRun({ ...plan, policy }, { enteredAt: ENTERED, shiftDays: 0, usableDay }).map(({ itemKey, occurrence, dueAt, materialIds }) => [
    itemKey,
    occurrence,
    dayOf(dueAt),
    materialIds.join(),
  ]);

describe('touches that rest days move onto one slot', () => {
  it('of a cycle are one: the last', () => {
    const days = planned({ schedule: [], cycle: cycle() });
    expect(days.map(([, , day]) => day)).toEqual([
      '2026-11-20',
      '2026-11-23',
      '2026-11-24',
      '2026-11-25',
      '2026-11-26',
      '2026-11-27',
      '2026-11-30',
    ]);
    expect(days.map(([, occurrence]) => occurrence)).toEqual([0, 3, 4, 5, 6, 7, 9]);
  });

  it('of a rotating cycle are the one whose turn it is', () => {
    const rotating = cycle({ playMode: 'ROTATE', materialIds: ['1', '2', '3'], age: 10 });
    expect(planned({ schedule: [], cycle: rotating }).slice(0, 3)).toEqual([
      [CYCLE_KEY, 0, '2026-11-20', '1'],
      [CYCLE_KEY, 3, '2026-11-23', '1'],
      [CYCLE_KEY, 4, '2026-11-24', '2'],
    ]);
  });

  it('of the schedule stay two, but no material goes twice; who is asked to do something is asked', () => {
    const schedule = [
      item('a', 1, ['1', '2']),
      item('b', 2, ['2', '3']),
      item('c', 3, ['1'], { createTask: { taskType: 'CALL', dueInHours: 24 } }),
    ];
    expect(planned({ schedule, cycle: cycle({ age: 10 }) }).filter(([, , day]) => day === '2026-11-23')).toEqual([
      ['a', 0, '2026-11-23', '1,2'],
      ['b', 0, '2026-11-23', '3'],
      ['c', 0, '2026-11-23', ''],
    ]);
  });

  it('that may not be sent take nothing away from the others', () => {
    const schedule = [item('a', 1, ['1'], { itemConditions: [condition] }), item('b', 2, ['1'])];
    expect(planned({ schedule, cycle: null }).map(([key, , , ids]) => `${key}${ids}`)).toEqual(['a1', 'b1']);
  });
});
