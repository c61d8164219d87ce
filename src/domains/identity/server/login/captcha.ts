import { createHash, randomInt, randomUUID } from 'node:crypto';
import { type Instant, plusMs } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { captcha } from '../../contract/calls/login.ts';
import { own } from '../database.ts';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';

const CAPTCHA_WIDTH = 120;
const CAPTCHA_HEIGHT = 40;

/**
 * Letters as strokes on a grid of 4 by 6, because a bare machine has no fonts; `;` lifts the pen.
 * None of 0 O 1 I l is among them.
 */
const strokes: Readonly<Record<string, string>> = {
  A: '06 20 46;13 33',
  C: '40 00 06 46',
  D: '00 30 41 45 36 06 00',
  E: '40 00 06 46;03 33',
  F: '40 00 06;03 33',
  H: '00 06;40 46;03 43',
  J: '00 40 45 36 16 05',
  K: '00 06;40 03 46',
  L: '00 06 46',
  M: '06 00 23 40 46',
  N: '06 00 46 40',
  P: '06 00 40 43 03',
  R: '06 00 40 43 03;23 46',
  T: '00 40;20 26',
  U: '00 06 46 40',
  V: '00 26 40',
  W: '00 16 23 36 40',
  X: '00 46;40 06',
  Y: '00 23 40;23 26',
  2: '00 40 43 03 06 46',
  3: '00 40 46 06;13 43',
  4: '00 03 43;40 46',
  5: '40 00 03 43 46 06',
  6: '40 00 06 46 43 03',
  7: '00 40 16',
  9: '43 03 00 40 46 06',
};
const CAPTCHA_LETTERS = Object.keys(strokes);

const between = (low: number, high: number) => low + Math.random() * (high - low);
const ink = () => `hsl(${Math.floor(between(180, 340))} 55% ${Math.floor(between(28, 44))}%)`;

function drawLetter(canvas: SKRSContext2D, letter: string, place: number): void {
  canvas.save();
  canvas.translate(17 + place * 27 + between(-2, 2), 20 + between(-3, 3));
  canvas.rotate(between(-0.3, 0.3));
  canvas.transform(1, 0, between(-0.2, 0.2), 1, 0, 0);
  canvas.strokeStyle = ink();
  canvas.lineWidth = between(2, 2.8);
  canvas.lineCap = 'round';
  canvas.lineJoin = 'round';
  for (const line of (strokes[letter] ?? '').split(';')) {
    canvas.beginPath();
    line.split(' ').forEach((point, index) => {
      const x = (Number(point[0]) - 2) * 4 + between(-0.5, 0.5);
      const y = (Number(point[1]) - 3) * 3.7 + between(-0.5, 0.5);
      if (index === 0) canvas.moveTo(x, y);
      else canvas.lineTo(x, y);
    });
    canvas.stroke();
  }
  canvas.restore();
}

/** PNG data URL of 120 by 40 with these letters, slanted and crossed by lines and dots. */
export function captchaImage(letters: string): string {
  const canvas = createCanvas(CAPTCHA_WIDTH, CAPTCHA_HEIGHT);
  const context = canvas.getContext('2d');
  context.fillStyle = '#f4f7fa';
  context.fillRect(0, 0, CAPTCHA_WIDTH, CAPTCHA_HEIGHT);
  for (let line = 0; line < 3; line++) {
    context.strokeStyle = ink();
    context.globalAlpha = 0.45;
    context.beginPath();
    context.moveTo(between(0, 20), between(0, CAPTCHA_HEIGHT));
    context.bezierCurveTo(between(30, 50), between(0, 40), between(70, 90), between(0, 40), between(100, 120), between(0, 40));
    context.stroke();
  }
  for (let dot = 0; dot < 40; dot++) {
    context.fillStyle = ink();
    context.fillRect(between(0, CAPTCHA_WIDTH), between(0, CAPTCHA_HEIGHT), 1.4, 1.4);
  }
  context.globalAlpha = 1;
  [...letters].forEach((letter, place) => drawLetter(context, letter, place));
  return canvas.toDataURL('image/png');
}

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
