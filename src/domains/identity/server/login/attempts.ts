import { createHash } from 'node:crypto';
import { hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';

export interface AttemptState {
  failedAt: readonly Instant[];
  locks: readonly Instant[];
  lockedUntil: Instant | null;
  /** Locked until an administrator unlocks. */
  hardLocked: boolean;
}

export const noAttempts: AttemptState = { failedAt: [], locks: [], lockedUntil: null, hardLocked: false };

export const userKey = (userName: string) => `user:${createHash('sha256').update(userName.toLowerCase()).digest('hex')}`;
export const ipKey = (ip: string) => `ip:${ip}`;

/** Minutes until the lock ends, at least 1; null when there is none. A hard lock shows the length of a timed one. */
export function lockedMinutes(state: AttemptState, now: Instant, policy: Pick<SecurityPolicy, 'lockMinutes'>): number | null {
  if (state.lockedUntil !== null && state.lockedUntil > now) {
    return Math.max(1, Math.ceil((Date.parse(state.lockedUntil) - Date.parse(now)) / 60_000));
  }
  return state.hardLocked ? policy.lockMinutes : null;
}

type LockRules = Pick<SecurityPolicy, 'lockThreshold' | 'lockWindowMinutes' | 'lockMinutes' | 'lockPermanentAfter'>;

/** R4: the state after one more failure; `lockedNow` where this failure locks. */
export function afterFailure(state: AttemptState, now: Instant, policy: LockRules): { state: AttemptState; lockedNow: boolean } {
  const windowStart = plusMs(now, -minutes(policy.lockWindowMinutes));
  const failedAt = [...state.failedAt.filter((at) => at > windowStart), now];
  if (failedAt.length < policy.lockThreshold) return { state: { ...state, failedAt }, lockedNow: false };
  const dayBefore = plusMs(now, -hours(24));
  const locks = [...state.locks.filter((at) => at > dayBefore), now];
  return {
    state: {
      failedAt: [],
      locks,
      lockedUntil: plusMs(now, minutes(policy.lockMinutes)),
      hardLocked: state.hardLocked || locks.length >= policy.lockPermanentAfter,
    },
    lockedNow: true,
  };
}

/** Reads the counters of a key, made when missing, and keeps others out until the transaction ends. */
export async function lockAttempts(tx: Tx, key: string, now: Instant): Promise<AttemptState> {
  await own(tx)
    .insertInto('identityLoginAttempt')
    .values({ key, updatedAt: now })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const row = await own(tx)
    .selectFrom('identityLoginAttempt')
    .select(['failedAt', 'locks', 'lockedUntil', 'hardLocked'])
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row;
}

export async function readAttempts(db: Db | Tx, key: string): Promise<AttemptState> {
  const row = await own(db)
    .selectFrom('identityLoginAttempt')
    .select(['failedAt', 'locks', 'lockedUntil', 'hardLocked'])
    .where('key', '=', key)
    .executeTakeFirst();
  return row ?? noAttempts;
}

export async function storeAttempts(tx: Tx, key: string, state: AttemptState, now: Instant): Promise<void> {
  await own(tx)
    .updateTable('identityLoginAttempt')
    .set({
      failedAt: [...state.failedAt],
      locks: [...state.locks],
      lockedUntil: state.lockedUntil,
      hardLocked: state.hardLocked,
      updatedAt: now,
    })
    .where('key', '=', key)
    .execute();
}

/** A success empties the failure window; `everything` also lifts locks (解锁, reset). */
export async function clearAttempts(tx: Tx, key: string, everything: boolean): Promise<void> {
  await own(tx)
    .updateTable('identityLoginAttempt')
    .set(everything ? { failedAt: [], locks: [], lockedUntil: null, hardLocked: false } : { failedAt: [] })
    .where('key', '=', key)
    .execute();
}

export const IP_WINDOW_MS = minutes(10);

/** Seconds that an address has to wait after too many failures in ten minutes; 0 = free. */
export function addressWait(state: AttemptState, now: Instant): number {
  return state.lockedUntil !== null && state.lockedUntil > now
    ? Math.max(1, Math.ceil((Date.parse(state.lockedUntil) - Date.parse(now)) / 1000))
    : 0;
}

export function afterAddressFailure(state: AttemptState, now: Instant, limit: number): AttemptState {
  const failedAt = [...state.failedAt.filter((at) => at > plusMs(now, -IP_WINDOW_MS)), now];
  if (failedAt.length < limit) return { ...state, failedAt };
  return { ...state, failedAt: [], lockedUntil: plusMs(now, IP_WINDOW_MS) };
}

/** Minutes for which an account is locked for strangers; null when it is not. */
export const lockOf = async (
  tx: Tx,
  user: { userName: string; state: string },
  now: Instant,
  policy: SecurityPolicy,
): Promise<number | null> =>
  lockedMinutes(await lockAttempts(tx, userKey(user.userName), now), now, policy) ?? (user.state === 'LOCKED' ? policy.lockMinutes : null);
