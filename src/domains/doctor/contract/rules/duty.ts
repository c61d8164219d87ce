import { dayOf, timeSlots, type Instant } from '#kernel/contract/time.ts';

/** A stretch of a weekday (1 = Monday … 7 = Sunday) between two of the half hours from 08:30 to 18:30. */
export interface DutySpan {
  weekday: number;
  from: string;
  to: string;
}

const SHANGHAI_OFFSET_MS = 8 * 3_600_000;
/** Half hours that can be painted: 08:30–09:00 … 18:00–18:30. */
export const DUTY_CELLS = timeSlots.length - 1;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Weekday (1 = Monday) of a calendar day. */
export const weekdayOf = (day: string): number => ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;

/** Whether an instant lies within the week's duty; the end of a span is outside. */
export function onDutyAt(week: readonly DutySpan[], at: Instant): boolean {
  const weekday = weekdayOf(dayOf(at));
  const time = new Date(Date.parse(at) + SHANGHAI_OFFSET_MS).toISOString().slice(11, 16);
  return week.some((span) => span.weekday === weekday && span.from <= time && time < span.to);
}

/** `1/0` = Monday 08:30. */
export const cellKey = (weekday: number, cell: number) => `${weekday}/${cell}`;

/** Painted half hours of a week. */
export const cellsOf = (week: readonly DutySpan[]): Set<string> =>
  new Set(
    week.flatMap(({ weekday, from, to }) =>
      timeSlots.slice(0, DUTY_CELLS).flatMap((slot, cell) => (from <= slot && timeSlots[cell + 1]! <= to ? [cellKey(weekday, cell)] : [])),
    ),
  );

/** The spans of painted half hours; neighbours become one, so equal pictures give equal spans. */
export function spansOf(cells: ReadonlySet<string>): DutySpan[] {
  return WEEKDAYS.flatMap((weekday) => {
    const spans: DutySpan[] = [];
    for (let cell = 0; cell < DUTY_CELLS; cell += 1) {
      if (!cells.has(cellKey(weekday, cell))) continue;
      const before = spans.at(-1);
      if (before && before.to === timeSlots[cell]) before.to = timeSlots[cell + 1]!;
      else spans.push({ weekday, from: timeSlots[cell]!, to: timeSlots[cell + 1]! });
    }
    return spans;
  });
}
