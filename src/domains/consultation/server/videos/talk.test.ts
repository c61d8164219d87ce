import { describe, expect, it } from 'vitest';
import { showLength, talkOf, videoLeft, type Stay } from './talk.ts';

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const stay = (imUserId: string, from: string, to: string): Stay => ({ imUserId, from: at(from), to: at(to) });

describe('length of a call', () => {
  it.each<[string, Stay[], number, number]>([
    [
      'the example of the design',
      [stay('P1', '10:00:00', '10:08:00'), stay('D2', '10:00:30', '10:05:30'), stay('A3', '10:04:00', '10:08:00')],
      450,
      300,
    ],
    ['nobody came', [], 0, 0],
    ['one alone speaks with nobody', [stay('P1', '10:00:00', '10:08:00')], 0, 0],
    ['the same person twice at once is one', [stay('P1', '10:00:00', '10:05:00'), stay('P1', '10:01:00', '10:06:00')], 0, 0],
    [
      'one who came back on a second device before the first was given up',
      [stay('P1', '10:00:00', '10:03:00'), stay('P1', '10:02:00', '10:05:00'), stay('D2', '10:00:00', '10:05:00')],
      300,
      300,
    ],
    [
      'a break in between does not count',
      [stay('P1', '10:00:00', '10:01:00'), stay('P1', '10:02:00', '10:03:00'), stay('D2', '10:00:00', '10:03:00')],
      120,
      120,
    ],
    ['patient and assistant without a doctor', [stay('P1', '10:00:00', '10:02:00'), stay('A3', '10:00:00', '10:02:00')], 120, 0],
    ['coming as another goes is no meeting', [stay('P1', '10:00:00', '10:01:00'), stay('D2', '10:01:00', '10:02:00')], 0, 0],
  ])('%s', (_, stays, talkSec, doctorPatientSec) => expect(talkOf(stays)).toEqual({ talkSec, doctorPatientSec }));

  it('never counts more with the doctor than in all, nor more than the whole', () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (let round = 0; round < 300; round += 1) {
      const stays = Array.from({ length: 1 + random(6) }, (): Stay => {
        const from = random(1_000) * 1_000;
        return { imUserId: `${'PDA'[random(3)]}${random(2)}`, from, to: from + random(500) * 1_000 };
      });
      const { talkSec, doctorPatientSec } = talkOf(stays);
      expect(doctorPatientSec).toBeLessThanOrEqual(talkSec);
      expect(talkSec * 1_000).toBeLessThanOrEqual(Math.max(...stays.map(({ to }) => to)) - Math.min(...stays.map(({ from }) => from)));
    }
  });
});

it.each([
  [900, 300, 600],
  [900, 900, 0],
  [900, 1_200, 0],
  [0, 500, null],
])('of %i seconds with %i used %s are left', (limit, used, left) => expect(videoLeft(limit, used)).toBe(left));
it.each([
  [0, '00:00'],
  [300, '05:00'],
  [3_723, '1:02:03'],
])('%i seconds are shown as %s', (seconds, text) => expect(showLength(seconds)).toBe(text));
