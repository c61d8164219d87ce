import type { ScheduleRow } from '../../contract/scheduleCalls.ts';

/** A day of the axis, or a stretch of days without items that is folded into one narrow column. */
export type AxisColumn = { kind: 'day'; day: number; items: ScheduleRow[] } | { kind: 'gap'; from: number; to: number };

/** The first two weeks are always shown in full. */
const SHOWN_DAYS = 14;
const LAST_DAY = 365;

/**
 * Columns from day 0 on: the first two weeks, every later day with an item and the days beside it; what lies between is
 * folded. `unfolded` are first days of gaps that the operator opened.
 */
export function axisColumns(items: readonly ScheduleRow[], unfolded: ReadonlySet<number>): AxisColumn[] {
  const byDay = Map.groupBy(items, (item) => item.dayOffset);
  const last = Math.min(LAST_DAY, Math.max(SHOWN_DAYS, ...[...byDay.keys()].map((day) => day + 1)));
  const isShown = (day: number) => day <= SHOWN_DAYS || byDay.has(day) || byDay.has(day - 1) || byDay.has(day + 1);
  const columns: AxisColumn[] = [];
  for (let day = 0; day <= last; day += 1) {
    if (isShown(day)) {
      columns.push({ kind: 'day', day, items: byDay.get(day) ?? [] });
      continue;
    }
    const from = day;
    while (day < last && !isShown(day + 1)) day += 1;
    if (unfolded.has(from)) {
      for (let shown = from; shown <= day; shown += 1) columns.push({ kind: 'day', day: shown, items: [] });
    } else {
      columns.push({ kind: 'gap', from, to: day });
    }
  }
  return columns;
}
