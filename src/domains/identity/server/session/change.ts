import { minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { own } from '../database.ts';
import { hashToken, newToken } from './tokens.ts';

/**
 * Gives a live session a new token (R3: at step-up and password change).
 * @param grace whether requests under way may still use the old one for a minute.
 */
export async function changeToken(
  tx: Tx,
  sessionId: string,
  now: Instant,
  set: { smsVerifiedAt?: Instant; restricted?: boolean },
  grace: boolean,
): Promise<string> {
  const token = newToken();
  const fresh = hashToken(token);
  await own(tx)
    .updateTable('identitySession')
    .set((eb) => ({
      ...set,
      // Without grace the old token is simply dead; kept, its next use would be taken for theft.
      previousTokenHash: grace ? eb.ref('tokenHash') : null,
      previousValidUntil: grace ? plusMs(now, minutes(1)) : null,
      tokenHash: fresh,
      rotatedAt: now,
    }))
    .where('id', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute();
  return token;
}
