import { instantOf } from '#kernel/contract/time.ts';
import type { Day } from '#kernel/contract/time.ts';
import { DEFAULT_AGE_LABEL, playMode, sendTarget, timeOption, touchKind, type TimeOption } from '../../contract/dictionaries.ts';
import { avoiding, planCycle } from '../../contract/plan.ts';
import { createTask, createTaskText } from '../../contract/tasks/createTask.ts';
import type { CycleRow } from '../../contract/scheduleCalls.ts';

/** The cycle's fields as the form holds them: nothing chosen yet is empty. */
export interface CycleValues {
  timeOption?: TimeOption;
  sendTime?: string;
  age?: 10 | 20 | 30 | null;
  playMode: CycleRow['playMode'];
  target: CycleRow['target'];
  touchKind?: CycleRow['touchKind'];
  materialIds: string[];
}

export const valuesOf = (cycle: CycleRow): CycleValues => ({
  timeOption: cycle.timeOption,
  sendTime: cycle.sendTime,
  age: cycle.age === '' ? null : cycle.age,
  playMode: cycle.playMode,
  target: cycle.target,
  touchKind: cycle.touchKind,
  materialIds: cycle.materialIds,
});

/** Days on which a patient who enters at `now` would be touched; empty while the form is incomplete. */
export function previewOf(values: Partial<CycleValues>, now: number, restDays: readonly Day[]): Day[] {
  const { timeOption, sendTime, age } = values;
  if (!timeOption || !sendTime) return [];
  const entry = { enteredAt: instantOf(now), shiftDays: 0, usableDay: avoiding(new Set(restDays)) };
  return planCycle(entry, { timeOption, sendTime, age: age ?? null }).map((touch) => touch.day);
}

const dictionaries: Readonly<Record<string, { label(code: string): string }>> = { timeOption, playMode, target: sendTarget, touchKind };

/** A coded field of a cycle or schedule item for people. */
export function scheduleValue(name: string, value: unknown): unknown {
  if (name === 'materialIds') return Array.isArray(value) ? `${value.length}个` : value;
  if (name === 'age') return value === '' || value === null || value === undefined ? DEFAULT_AGE_LABEL : value;
  if (name === 'createTask') return createTaskText(createTask.safeParse(value).data);
  return typeof value === 'string' ? (dictionaries[name]?.label(value) ?? value) : value;
}
