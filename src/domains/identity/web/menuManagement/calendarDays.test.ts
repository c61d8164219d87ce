import { describe, expect, it } from 'vitest';
import { daysOfMonth, parseHolidays, plusMonths, weekdayOf } from './calendarDays.ts';

describe('the work calendar', () => {
  it('knows months and weekdays', () => {
    expect(daysOfMonth('2028-02')).toHaveLength(29);
    expect(weekdayOf('2026-11-21')).toBe(5);
    expect([plusMonths('2026-12', 1), plusMonths('2026-01', -1), plusMonths('2026-11', 14)]).toEqual(['2027-01', '2025-12', '2028-01']);
  });
  it('reads the yearly list: single days, ranges, shifted working days', () => {
    const { days, faults } = parseHolidays('2027-10-01 至 2027-10-03 休 国庆节\n\n2027/10/9 班 国庆节调休\n2027年5月1日，休，劳动节');
    expect(faults).toEqual([]);
    expect(days.map(({ day, isWorkday, isBankday, note }) => [day, isWorkday, isBankday, note])).toEqual([
      ['2027-05-01', false, false, '劳动节'],
      ['2027-10-01', false, false, '国庆节'],
      ['2027-10-02', false, false, '国庆节'],
      ['2027-10-03', false, false, '国庆节'],
      ['2027-10-09', true, false, '国庆节调休'],
    ]);
  });
  it.each(['2027-02-30 休', '2027-10-07 至 2027-10-01 休', '国庆节 休', '2027-10-01'])('names the line that it cannot read: %s', (line) => {
    expect(parseHolidays(line).faults).toHaveLength(1);
  });
});
