import { createHash, randomInt, randomUUID } from 'node:crypto';
import { plusMs } from '../../../../kernel/contract/time.ts';
import type { Tx } from '../../../../kernel/server/context.ts';
import { query } from '../../../../kernel/server/handler.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { Instant } from '../../../../kernel/contract/time.ts';
import { captcha } from '../../contract/calls/login.ts';
import { own } from '../database.ts';
import { CAPTCHA_LETTERS, captchaImage } from './captchaImage.ts';

export const CAPTCHA_SECONDS = 120;

export const hashAnswer = (captchaId: string, answer: string): string =>
  createHash('sha256').update(`${captchaId}:${answer.toUpperCase()}`).digest('hex');

/** The call is no change worth logging: it keeps the picture's answer, hashed, and nothing else. */
export const captchaHandler = (kernel: Kernel) =>
  query(captcha, async (_input, ctx) => {
    const captchaId = randomUUID();
    const letters = Array.from({ length: 4 }, () => CAPTCHA_LETTERS[randomInt(CAPTCHA_LETTERS.length)]!).join('');
    await own(kernel.db)
      .insertInto('identityCaptcha')
      .values({ captchaId, answerHash: hashAnswer(captchaId, letters), expiresAt: plusMs(ctx.now, CAPTCHA_SECONDS * 1000) })
      .execute();
    return { captchaId, image: captchaImage(letters), expiresIn: CAPTCHA_SECONDS };
  });

/**
 * Takes one answer to one picture: right or wrong, the picture is used up. A caller that refuses afterwards keeps
 * this write, so that the picture cannot be tried again; parallel tries wait for each other on its row.
 */
export async function takeCaptcha(kernel: Kernel, tx: Tx, given: { captchaId: string; captcha: string }, now: Instant): Promise<boolean> {
  const taken = await own(tx)
    .updateTable('identityCaptcha')
    .set({ usedAt: now })
    .where('captchaId', '=', given.captchaId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('answerHash')
    .executeTakeFirst();
  if (!taken) return false;
  const fixed = kernel.config.captchaAnswer;
  return (fixed !== null && given.captcha === fixed) || taken.answerHash === hashAnswer(given.captchaId, given.captcha);
}
