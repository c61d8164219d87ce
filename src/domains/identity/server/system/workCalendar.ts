import { sql } from 'kysely';
import { workCalendarChanged } from '#events/identity.ts';
import { refuseField } from '#kernel/contract/errors.ts';
import { daysBetween } from '#kernel/contract/time.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { modifyWorkCalendar, queryWorkCalendar } from '../../contract/calls/system.ts';
import { json } from '../database.ts';
import { calendarDays, type CalendarDay } from './calendar.ts';

const MOST_DAYS = 731;

const sentence = (day: CalendarDay) =>
  `${day.isWorkday ? '工作日' : '休息日'}${day.isBankday === day.isWorkday ? '' : day.isBankday ? '（银行营业）' : '（银行休息）'}${day.note ? ` ${day.note}` : ''}`;

export const workCalendarHandlers: readonly Handler[] = [
  query(queryWorkCalendar, async ({ from, to }, { db }) => {
    if (to < from) throw refuseField('to', '结束日期不能早于开始日期');
    if (daysBetween(from, to) > MOST_DAYS) throw refuseField('to', '一次最多查询两年');
    return { days: await calendarDays(db, from, to) };
  }),

  command(modifyWorkCalendar, async (input, ctx) => {
    const wanted: CalendarDay[] = input.days ?? [
      { day: input.day!, isWorkday: input.isWorkday!, isBankday: input.isBankday!, note: input.note ?? '' },
    ];
    const ordered = wanted.map(({ day }) => day).sort();
    const before = new Map<string, CalendarDay>();
    for (const day of ordered) for (const old of await calendarDays(ctx.tx, day, day)) before.set(day, old);
    await sql`
      insert into identity_work_calendar (day, is_workday, is_bankday, note, edited)
      select day, "isWorkday", "isBankday", note, true
      from jsonb_to_recordset(${json(wanted)}::jsonb) as d(day date, "isWorkday" boolean, "isBankday" boolean, note text)
      on conflict (day) do update
        set is_workday = excluded.is_workday, is_bankday = excluded.is_bankday, note = excluded.note, edited = true`.execute(ctx.tx);
    ctx.target({ type: 'workCalendar', id: ordered[0]! });
    await ctx.publish(workCalendarChanged, ordered[0]!, { from: ordered[0]!, to: ordered.at(-1)! });
    ctx.changed(wanted.map((day) => ({ path: day.day, label: day.day, before: sentence(before.get(day.day)!), after: sentence(day) })));
    return { days: wanted };
  }),
];
