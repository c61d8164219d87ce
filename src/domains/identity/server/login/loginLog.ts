import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { own, json } from '../database.ts';
import { deviceLabelOf } from '../session/device.ts';

export type LoginResult = 'OK' | 'BAD_PASSWORD' | 'BAD_CODE' | 'LOCKED' | 'DISABLED' | 'EXPIRED_TEMP' | 'RATE';

export interface LoginTry {
  userName: string;
  userId: string | null;
  method: 'PASSWORD' | 'SMS';
  result: LoginResult;
  /** Entered from a known device while the account was locked for strangers. */
  pastLock?: boolean;
  ip: string;
  userAgent: string;
  sessionId?: string;
  at: Instant;
}

/** Hour of an instant in Asia/Shanghai. */
const hourOf = (at: Instant) => (new Date(at).getUTCHours() + 8) % 24;

/** Writes one try; a success is compared with the earlier ones of the same user. */
export async function writeLogin(tx: Tx, attempt: LoginTry): Promise<void> {
  const deviceLabel = deviceLabelOf(attempt.userAgent);
  const abnormal: string[] = [];
  if (attempt.result === 'OK' && attempt.userId !== null) {
    const earlier = await own(tx)
      .selectFrom('identityLoginLog')
      .select(({ fn, eb }) => [
        fn.countAll<string>().as('logins'),
        fn
          .countAll<string>()
          .filterWhere(eb('ip', '=', attempt.ip))
          .as('sameIp'),
        fn
          .countAll<string>()
          .filterWhere(eb('deviceLabel', '=', deviceLabel))
          .as('sameDevice'),
      ])
      .where('userId', '=', attempt.userId)
      .where('result', '=', 'OK')
      .executeTakeFirstOrThrow();
    if (earlier.logins !== '0' && earlier.sameIp === '0') abnormal.push('NEW_IP');
    if (earlier.logins !== '0' && earlier.sameDevice === '0') abnormal.push('NEW_DEVICE');
  }
  if (attempt.result === 'OK' && hourOf(attempt.at) < 6) abnormal.push('NIGHT');
  if (attempt.pastLock) abnormal.push('PAST_LOCK');
  await own(tx)
    .insertInto('identityLoginLog')
    .values({
      at: attempt.at,
      userName: attempt.userName.slice(0, 64),
      userId: attempt.userId,
      method: attempt.method,
      result: attempt.result,
      ip: attempt.ip,
      userAgent: attempt.userAgent.slice(0, 500),
      deviceLabel,
      sessionId: attempt.sessionId ?? null,
      abnormal: json(abnormal),
    })
    .execute();
}
