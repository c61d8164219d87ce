import { createRequire } from 'node:module';
import type * as ChineseDays from 'chinese-days';
import { sql } from 'kysely';
import { plusDays } from '#kernel/contract/time.ts';
import type { ReferenceData } from '#kernel/server/module.ts';
import { json } from '../database.ts';
import { isWeekday } from '../system/calendar.ts';

const require = createRequire(import.meta.url);
// The package's ES build has no file extensions that Node resolves.
const chineseDays = require('chinese-days') as typeof ChineseDays;
const version = (require('chinese-days/package.json') as { version: string }).version;

const FIRST = '2024-01-01';
const LAST = '2028-12-31';
/** The State Council's arrangement is known up to this year; later years have the days fixed by law alone. */
const ARRANGED_UNTIL = '2026-12-31';

const lunarDays: readonly [month: number, day: number, name: string][] = [
  [1, 1, '春节'],
  [1, 2, '春节'],
  [1, 3, '春节'],
  [5, 5, '端午节'],
  [8, 15, '中秋节'],
];
const solarDays: readonly [string, string][] = [
  ['01-01', '元旦'],
  ['05-01', '劳动节'],
  ['05-02', '劳动节'],
  ['10-01', '国庆节'],
  ['10-02', '国庆节'],
  ['10-03', '国庆节'],
];

/** Public holidays by law of a year whose arrangement is not published: 13 days, without shifted ones. */
function lawfulHolidays(year: number): Map<string, string> {
  const days = new Map<string, string>(solarDays.map(([monthDay, name]) => [`${year}-${monthDay}`, name]));
  for (const [month, day, name] of lunarDays) {
    const solar = chineseDays.getSolarDateFromLunar(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`).date;
    days.set(solar, name);
    if (month === 1 && day === 1) days.set(plusDays(solar, -1), '除夕');
  }
  days.set(chineseDays.getSolarTermDate(year, 4, 'pure_brightness'), '清明节');
  return days;
}

export interface SeedDay {
  day: string;
  work: boolean;
  note: string;
}

export function calendarSeed(): SeedDay[] {
  const lawful = new Map([2027, 2028].flatMap((year) => [...lawfulHolidays(year)]));
  const rows: SeedDay[] = [];
  for (let day = FIRST; day <= LAST; day = plusDays(day, 1)) {
    if (day > ARRANGED_UNTIL) {
      rows.push({ day, work: isWeekday(day) && !lawful.has(day), note: lawful.get(day) ?? '' });
      continue;
    }
    const { work, name } = chineseDays.getDayDetail(day);
    const holiday = name.split(',')[1];
    rows.push({ day, work, note: holiday === undefined ? '' : work ? `${holiday}调休上班` : holiday });
  }
  return rows;
}

export const workCalendarReference: ReferenceData = {
  name: 'identity.workCalendar',
  content: { version, FIRST, LAST, ARRANGED_UNTIL },
  async write(tx) {
    await sql`
      insert into identity_work_calendar (day, is_workday, is_bankday, note)
      select day, work, work, note from jsonb_to_recordset(${json(calendarSeed())}::jsonb) as c(day date, work boolean, note text)
      on conflict (day) do update set is_workday = excluded.is_workday, is_bankday = excluded.is_bankday, note = excluded.note
      where not identity_work_calendar.edited`.execute(tx);
  },
};
