import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { createTestDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import { isWeekday } from './calendar.ts';
import { pausableDue, pausableLeft, pauseClock, resumeClock, type PausableClock } from './pausableClock.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // A Tuesday without work.
  await database.pool.query(
    "insert into identity_work_calendar (day, is_workday, is_bankday, note) values ('2026-11-24', false, false, '测试假日') on conflict (day) do update set is_workday = false",
  );
});
afterAll(() => database.close());

/** Friday, ten in the morning. */
const START: Instant = startOfDay('2026-11-20', '10:00');
const clockOf = (wish: Partial<PausableClock> = {}): PausableClock => ({
  unit: 'WORKING_MINUTE',
  startedAt: START,
  allowed: 480,
  paused: 0,
  pausedAt: null,
  ...wish,
});
const at = (day: string, time: string) => startOfDay(day, time);
const due = (clock: PausableClock) => pausableDue(database.db, clock);

/** The clock after pauses from one moment to the other. */
async function after(clock: PausableClock, ...pauses: readonly (readonly [Instant, Instant])[]): Promise<PausableClock> {
  let now = clock;
  for (const [from, to] of pauses) {
    now = { ...now, ...pauseClock(now, from) };
    now = { ...now, ...(await resumeClock(database.db, now, to)) };
  }
  return now;
}

describe('working minutes that pause', () => {
  it('run out without a pause at the usual moment', async () => {
    expect(await due(clockOf())).toBe(at('2026-11-20', '18:00'));
    expect(await due(clockOf({ allowed: 540 }))).toBe(at('2026-11-23', '10:00'));
  });

  it('never run out while they stand, and count from where they stood', async () => {
    const stopped = { ...clockOf(), ...pauseClock(clockOf(), at('2026-11-20', '12:00')) };
    expect(await due(stopped)).toBeNull();
    expect(await pausableLeft(database.db, stopped, at('2027-06-01', '12:00'))).toBe(360);
    expect(pauseClock(stopped, at('2026-11-20', '15:00'))).toEqual({ paused: 0, pausedAt: at('2026-11-20', '12:00') });
  });

  it('go on behind a pause over a weekend and a holiday, never from anew', async () => {
    // Friday 12:00 to Wednesday 11:00: six hours of Friday, nine of Monday, two of Wednesday.
    const clock = await after(clockOf(), [at('2026-11-20', '12:00'), at('2026-11-25', '11:00')]);
    expect(clock).toMatchObject({ paused: (6 + 9 + 2) * 60, pausedAt: null });
    expect(await due(clock)).toBe(at('2026-11-25', '17:00'));
  });

  it('lose nothing by a pause without work in it', async () => {
    const clock = await after(clockOf({ allowed: 540 }), [at('2026-11-20', '18:30'), at('2026-11-22', '23:00')]);
    expect([clock.paused, await due(clock)]).toEqual([0, at('2026-11-23', '10:00')]);
  });

  it('stay late by as much as they were when they were stopped', async () => {
    const clock = await after(clockOf({ allowed: 60 }), [at('2026-11-20', '12:00'), at('2026-11-20', '15:00')]);
    expect(await pausableLeft(database.db, clock, at('2026-11-20', '15:00'))).toBe(-60);
    expect(await due(clock)).toBe(at('2026-11-20', '14:00'));
  });

  it('are left alone by whoever lets them run again twice', async () => {
    const clock = await after(clockOf(), [at('2026-11-20', '12:00'), at('2026-11-20', '13:00')]);
    expect(await resumeClock(database.db, clock, at('2026-11-20', '17:00'))).toEqual({ paused: 60, pausedAt: null });
  });

  it('are as many as somebody counts minute by minute', async () => {
    const MINUTE = 60_000;
    const isWorked = (moment: Instant) => {
      const time = new Date(Date.parse(moment) + 8 * 3_600_000).toISOString().slice(11, 16);
      return isWeekday(dayOf(moment)) && dayOf(moment) !== '2026-11-24' && time >= '09:00' && time < '18:00';
    };
    /** Minutes after `START` at which pauses begin and end by turns. */
    const turns = fc
      .uniqueArray(fc.integer({ min: 0, max: 8 * 24 * 60 }), { minLength: 0, maxLength: 6 })
      .map((all) => all.toSorted((a, b) => a - b).slice(0, all.length - (all.length % 2)));
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 1, max: 1500 }), async (moments, allowed) => {
        const pauses = moments.flatMap((from, n) =>
          n % 2 === 0 ? [[plusMs(START, from * MINUTE), plusMs(START, moments[n + 1]! * MINUTE)] as const] : [],
        );
        let left = allowed;
        let minute = 0;
        for (; left > 0; minute += 1) {
          const moment = plusMs(START, minute * MINUTE);
          if (isWorked(moment) && !pauses.some(([from, to]) => moment >= from && moment < to)) left -= 1;
        }
        const over = plusMs(START, minute * MINUTE);
        // Pauses that begin once it is over belong to another story.
        const clock = await after(clockOf({ allowed }), ...pauses.filter(([from]) => from < over));
        expect(await due(clock)).toBe(over);
      }),
      { numRuns: 40 },
    );
  });
});

describe('days of the law that pause', () => {
  const legal = (wish: Partial<PausableClock> = {}) => clockOf({ unit: 'DAY', allowed: 30, ...wish });

  it('end with the last of thirty days, holidays or not', async () => {
    expect(await due(legal())).toBe(startOfDay('2026-12-21'));
    expect(await pausableLeft(database.db, legal(), at('2026-12-20', '23:59'))).toBe(0);
    expect(await pausableLeft(database.db, legal(), at('2026-12-21', '00:00'))).toBe(-1);
  });

  it('stand from the notice to the answer, and do not begin anew', async () => {
    const clock = await after(legal(), [at('2026-11-25', '17:00'), at('2026-12-05', '09:00')]);
    expect([clock.paused, await due(clock)]).toEqual([10, startOfDay('2026-12-31')]);
    const twice = await after(
      clock,
      [at('2026-12-10', '09:00'), at('2026-12-10', '18:00')],
      [at('2026-12-11', '09:00'), at('2026-12-12', '08:00')],
    );
    expect([twice.paused, await due(twice)]).toEqual([11, startOfDay('2027-01-01')]);
    expect(await due({ ...clock, pausedAt: at('2026-12-10', '09:00') })).toBeNull();
  });
});
