import { describe, expect, it } from 'vitest';
import { plusMs } from '../../contract/time.ts';
import { stillOpen } from './inquiry.ts';

const SINCE = '2026-11-21T02:00:00.000Z';
const after = (minutes: number) => plusMs(SINCE, minutes * 60_000);

describe('an open outcome', () => {
  it('is asked for a minute after it became open', () => {
    expect(stillOpen(null, SINCE)).toEqual({ unknownSince: SINCE, askDueAt: after(1) });
  });

  it.each([
    [0, 1],
    [1, 5],
    [4.9, 5],
    [5, 15],
    [15, 60],
    [59, 60],
    [60, 120],
    [119, 120],
    [120, 180],
    // Nobody asked for a night: at the next full hour, not for each that was missed.
    [700, 720],
    [24 * 60, 25 * 60],
  ])('asked for %d minutes after it became open, next after %d', (asked, next) => {
    expect(stillOpen(SINCE, after(asked))).toEqual({ unknownSince: SINCE, askDueAt: after(next) });
  });
});
