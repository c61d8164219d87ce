import { platformErrors, refuse } from '../../contract/errors.ts';

/** A pause of this many seconds has saved up as many calls as may then come at once: a page with many parts, an export of a screen. */
const SAVED_SECONDS = 10;
/** Callers beyond this many are looked through for those who have rested. */
const MANY = 10_000;

interface Bucket {
  calls: number;
  /** Milliseconds of the process's own clock. */
  at: number;
}

export interface Brake {
  /** Counts one call of a caller. @throws Refusal SCM90011 with the seconds to wait, when he has used up what he saved. */
  use(caller: string): void;
}

/**
 * Slows down whoever calls without end: a script with a session, a page that runs wild. One process counts for itself and in memory,
 * so that it costs a call nothing; limits that matter by themselves (logins, codes, reveals) are counted in the database.
 * @param perSecond calls per second that a caller may go on with for ever
 */
export function makeBrake(perSecond: number, now: () => number = () => performance.now()): Brake {
  const most = perSecond * SAVED_SECONDS;
  const buckets = new Map<string, Bucket>();
  const saved = (bucket: Bucket, at: number) => Math.min(most, bucket.calls + ((at - bucket.at) / 1000) * perSecond);
  return {
    use(caller) {
      const at = now();
      const bucket = buckets.get(caller);
      const left = bucket ? saved(bucket, at) : most;
      if (left < 1) throw refuse(platformErrors.TOO_FREQUENT, { n: Math.ceil((1 - left) / perSecond) });
      buckets.set(caller, { calls: left - 1, at });
      if (buckets.size > MANY) for (const [key, one] of buckets) if (saved(one, at) >= most) buckets.delete(key);
    },
  };
}
