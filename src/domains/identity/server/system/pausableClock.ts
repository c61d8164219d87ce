import { dayOf, daysBetween, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { addWorkingMinutes, workingMinutesBetween } from './calendar.ts';

/**
 * A deadline that stands still while somebody else is asked for something, as a case keeps it. WORKING_MINUTE: what we promise
 * (09:00 to 18:00 on workdays). DAY: natural days of the law; the first is the day after `startedAt`, and the last counts whole.
 */
export interface PausableClock {
  unit: 'WORKING_MINUTE' | 'DAY';
  startedAt: Instant;
  /** So many minutes or days there are. */
  allowed: number;
  /** Minutes or days of all pauses that ended. */
  paused: number;
  /** Since when it stands; null: it runs. */
  pausedAt: Instant | null;
}

type Pauses = Pick<PausableClock, 'paused' | 'pausedAt'>;

const elapsed = (db: Db | Tx, unit: PausableClock['unit'], from: Instant, to: Instant): Promise<number> | number =>
  unit === 'WORKING_MINUTE' ? workingMinutesBetween(db, from, to) : Math.max(0, daysBetween(dayOf(from), dayOf(to)));

/** Stops it; one that stands already stands since then. */
export const pauseClock = ({ paused, pausedAt }: PausableClock, at: Instant): Pauses => ({ paused, pausedAt: pausedAt ?? at });

/** Lets it run on, never from anew; one that runs is left as it is. */
export async function resumeClock(db: Db | Tx, { unit, paused, pausedAt }: PausableClock, at: Instant): Promise<Pauses> {
  return pausedAt === null ? { paused, pausedAt } : { paused: paused + (await elapsed(db, unit, pausedAt, at)), pausedAt: null };
}

/**
 * When it is over: a case that is not done then is late. Null while it stands.
 */
export async function pausableDue(db: Db | Tx, { unit, startedAt, allowed, paused, pausedAt }: PausableClock): Promise<Instant | null> {
  if (pausedAt !== null) return null;
  if (unit === 'WORKING_MINUTE') return addWorkingMinutes(db, startedAt, allowed + paused);
  return startOfDay(plusDays(dayOf(startedAt), allowed + paused + 1));
}

/** Minutes or days that are left at a moment, also while it stands; below zero once it is late. */
export async function pausableLeft(db: Db | Tx, clock: PausableClock, at: Instant): Promise<number> {
  const { unit, startedAt, allowed, paused, pausedAt } = clock;
  return allowed + paused - (await elapsed(db, unit, startedAt, pausedAt ?? at));
}
