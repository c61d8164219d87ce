import { dayOf, type Instant } from '#kernel/contract/time.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';
import { deviceLabelOf } from './device.ts';
import type { SessionEnds } from './ends.ts';
import { lifeOf } from './reader.ts';
import { hashToken, newToken } from './tokens.ts';

export interface NewSession {
  userId: string;
  method: 'PASSWORD' | 'SMS';
  restricted: boolean;
  ip: string;
  userAgent: string;
  now: Instant;
  policy: SecurityPolicy;
}

/**
 * Opens a session and ends the oldest ones beyond the permitted number (I6).
 * The caller holds the lock on the user's row, so that parallel logins wait for each other.
 */
export async function openSession(writing: Writing, ends: SessionEnds, session: NewSession): Promise<{ token: string; sessionId: string }> {
  const { userId, now, policy } = session;
  const token = newToken();
  const { id } = await own(writing.tx)
    .insertInto('identitySession')
    .values({
      tokenHash: hashToken(token),
      userId,
      method: session.method,
      restricted: session.restricted,
      smsVerifiedAt: session.method === 'SMS' ? now : null,
      issuedAt: now,
      lastSeenAt: now,
      rotatedAt: now,
      ...lifeOf(now, policy),
      ip: session.ip,
      userAgent: session.userAgent.slice(0, 500),
      deviceLabel: deviceLabelOf(session.userAgent),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (policy.maxSessions > 0) {
    const live = await own(writing.tx)
      .selectFrom('identitySession')
      .select('id')
      .where('userId', '=', userId)
      .where('endedAt', 'is', null)
      .orderBy('issuedAt', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const beyond = live.map((one) => one.id).slice(policy.maxSessions);
    if (beyond.length > 0) await ends.end(writing, { userId, ids: beyond }, 'REPLACED', now);
  }
  return { token, sessionId: id };
}

/** Whether somebody may enter today. */
export const mayEnter = (user: { state: string; validFrom: string | null; validTo: string | null }, now: Instant): boolean =>
  ['PENDING', 'ENABLED', 'LOCKED'].includes(user.state) &&
  (user.validFrom === null || user.validFrom <= dayOf(now)) &&
  (user.validTo === null || user.validTo >= dayOf(now));
