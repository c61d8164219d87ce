import { createHash, randomInt } from 'node:crypto';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { days, hours, minutes, plusMs, type Instant } from '#kernel/contract/time.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx, Writing } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { SecurityPolicy } from '../../contract/policy.ts';
import { own } from '../database.ts';
import { mobileHash } from '../users/mobile.ts';
import { sendSms } from './smsPort.ts';

const WRONG_LIMIT = 5;
const hashCode = (hash: string, code: string) => createHash('sha256').update(`${hash}:${code}`).digest('hex');
const secondsFrom = (now: Instant, until: Instant) => Math.max(1, Math.ceil((Date.parse(until) - Date.parse(now)) / 1000));

/**
 * R6: makes and sends a code; a number that nobody owns is counted the same and gets no message.
 * @returns seconds until the next one may be asked for.
 * @throws SCM90011 with the seconds left.
 */
export async function sendCode(
  kernel: Kernel,
  writing: Writing,
  request: { mobile: string; known: boolean; purpose: 'LOGIN' | 'STEP_UP'; ip: string },
  policy: SecurityPolicy,
  now: Instant,
): Promise<number> {
  const { tx } = writing;
  const hash = mobileHash(kernel.secrets, request.mobile);
  // One at a time per number, and per address.
  await lockKeys(tx, 'identity.smsCode', [hash, request.ip]);
  const limits: readonly [column: 'mobileHash' | 'ip', value: string, max: number, windowMs: number][] = [
    ['mobileHash', hash, 1, policy.smsResendSeconds * 1000],
    ['mobileHash', hash, policy.smsHourly, hours(1)],
    ['mobileHash', hash, policy.smsDaily, days(1)],
    ['ip', request.ip, policy.smsIpHourly, hours(1)],
  ];
  for (const [column, value, max, windowMs] of limits) {
    const oldest = await own(tx)
      .selectFrom('identitySmsCode')
      .select('sentAt')
      .where(column, '=', value)
      .where('sentAt', '>', plusMs(now, -windowMs))
      .orderBy('sentAt', 'desc')
      .offset(max - 1)
      .limit(1)
      .executeTakeFirst();
    if (oldest) {
      const wait = secondsFrom(now, plusMs(oldest.sentAt, windowMs));
      throw refuse(platformErrors.TOO_FREQUENT, { n: wait }, { data: { resendIn: wait }, keepWrites: true });
    }
  }
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await own(tx)
    .updateTable('identitySmsCode')
    .set({ usedAt: now })
    .where('mobileHash', '=', hash)
    .where('purpose', '=', request.purpose)
    .where('usedAt', 'is', null)
    .execute();
  await own(tx)
    .insertInto('identitySmsCode')
    .values({
      mobileHash: hash,
      purpose: request.purpose,
      codeHash: hashCode(hash, code),
      sentAt: now,
      expiresAt: plusMs(now, minutes(policy.smsCodeMinutes)),
      ip: request.ip,
    })
    .execute();
  if (request.known) {
    await sendSms(
      kernel,
      writing,
      {
        mobile: request.mobile,
        text: `【康桥】验证码${code}，${policy.smsCodeMinutes}分钟内有效。${request.purpose === 'LOGIN' ? '用于登录' : '用于身份确认'}，请勿告诉他人。`,
        purpose: request.purpose,
      },
      now,
    );
  }
  return policy.smsResendSeconds;
}

/** Tries a code: a right one is used up, the fifth wrong try voids it. The caller keeps what this writes although he refuses. */
export async function takeCode(
  kernel: Kernel,
  tx: Tx,
  given: { mobile: string; code: string; purpose: 'LOGIN' | 'STEP_UP' },
  now: Instant,
): Promise<boolean> {
  const hash = mobileHash(kernel.secrets, given.mobile);
  const row = await own(tx)
    .selectFrom('identitySmsCode')
    .select(['id', 'codeHash', 'wrongCount'])
    .where('mobileHash', '=', hash)
    .where('purpose', '=', given.purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return false;
  const fixed = kernel.config.captchaAnswer;
  const right = row.codeHash === hashCode(hash, given.code) || (fixed !== null && given.code === fixed);
  const wrongCount = right ? row.wrongCount : row.wrongCount + 1;
  await own(tx)
    .updateTable('identitySmsCode')
    .set({ wrongCount, ...(right || wrongCount >= WRONG_LIMIT ? { usedAt: now } : {}) })
    .where('id', '=', row.id)
    .execute();
  return right;
}
