import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { pausableDue, pauseClock, resumeClock, type PausableClock } from '#domains/identity/server/index.ts';
import type { ApplyRecord } from './records.ts';

/** R3: working minutes that a case may take. */
export const FIRST_REVIEW = 480;
export const RECHECK = 240;
export const APPEAL = 480;

type Kept = Pick<ApplyRecord, 'slaStartedAt' | 'slaAllowed' | 'slaPausedMin' | 'slaPausedAt'>;
const clockOf = ({ slaStartedAt, slaAllowed, slaPausedMin, slaPausedAt }: Kept, now: Instant): PausableClock => ({
  unit: 'WORKING_MINUTE',
  startedAt: slaStartedAt ?? now,
  allowed: slaAllowed ?? FIRST_REVIEW,
  paused: slaPausedMin,
  pausedAt: slaPausedAt,
});
const columns = async (db: Db | Tx, clock: PausableClock) => ({
  slaStartedAt: clock.startedAt,
  slaAllowed: clock.allowed,
  slaPausedMin: clock.paused,
  slaPausedAt: clock.pausedAt,
  slaDueAt: await pausableDue(db, clock),
});

/** A clock that begins anew. */
export const started = (db: Db | Tx, now: Instant, allowed: number) =>
  columns(db, { unit: 'WORKING_MINUTE', startedAt: now, allowed, paused: 0, pausedAt: null });
export const paused = (db: Db | Tx, apply: Kept, now: Instant) => {
  const clock = clockOf(apply, now);
  return columns(db, { ...clock, ...pauseClock(clock, now) });
};
export async function resumed(db: Db | Tx, apply: Kept, now: Instant) {
  const clock = clockOf(apply, now);
  return columns(db, { ...clock, ...(await resumeClock(db, clock, now)) });
}
/** The same clock after the office calendar changed. */
export const dueAgain = (db: Db | Tx, apply: Kept, now: Instant): Promise<Instant | null> => pausableDue(db, clockOf(apply, now));
/** Nobody waits any more. */
export const stopped = { slaDueAt: null, slaPausedAt: null } as const;
