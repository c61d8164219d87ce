import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptDueAt, expireAt, type SoldTerms } from './deadlines.ts';
import { addDutySeconds, onDuty, platformHours, type DutyHours } from './dutyTime.ts';
import { byLoad, chooseOwner, type Candidate } from './load.ts';
import { roundsUsedUp, speak, type Rounds, type Speaker } from './rounds.ts';

/** Shanghai wall clock as an instant. */
const at = (text: string) => new Date(`${text}+08:00`).toISOString();

const terms = (over: Partial<SoldTerms> = {}): SoldTerms => ({
  serviceType: 'TEXT',
  billing: 'TIME',
  acceptHours: 24,
  replyHours: 24,
  validHours: 48,
  periodDays: null,
  durationMin: null,
  ...over,
});

describe('deadlines', () => {
  it('follow the sold terms', () => {
    const accepted = at('2026-11-21T10:00:00');
    expect(acceptDueAt(accepted, terms())).toBe(at('2026-11-22T10:00:00'));
    expect(expireAt(accepted, terms(), null, 0)).toBe(at('2026-11-23T10:00:00'));
    expect(expireAt(accepted, terms(), null, 24)).toBe(at('2026-11-24T10:00:00'));
    expect(expireAt(accepted, terms({ billing: 'PERIOD', periodDays: 30, validHours: 720 }), null, 0)).toBe(at('2026-12-21T10:00:00'));
  });
  it('never end a call before it is over', () => {
    const accepted = at('2026-11-21T10:00:00');
    const video = terms({ serviceType: 'VIDEO', durationMin: 15 });
    expect(expireAt(accepted, video, at('2026-11-25T09:00:00'), 0)).toBe(at('2026-11-25T11:15:00'));
    expect(expireAt(accepted, video, at('2026-11-21T12:00:00'), 0)).toBe(at('2026-11-23T10:00:00'));
  });
});

describe('rounds', () => {
  const speakers: Readonly<Record<string, Speaker>> = { P: 'PATIENT', D: 'DOCTOR', A: 'ASSISTANT' };
  const fold = (text: string): Rounds =>
    [...text].reduce<Rounds>((rounds, letter) => speak(rounds, speakers[letter] ?? 'ASSISTANT'), { used: 0, open: false });
  it('are closed by the doctor alone', () => {
    expect(fold('PPDPADDP')).toEqual({ used: 2, open: true });
    expect(fold('DDD')).toEqual({ used: 0, open: false });
    expect(fold('PAA')).toEqual({ used: 0, open: true });
  });
  it('are never more than the doctor spoke, nor than the patient began', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('P', 'D', 'A')), (letters) => {
        const { used } = fold(letters.join(''));
        expect(used).toBeLessThanOrEqual(
          Math.min(letters.filter((letter) => letter === 'D').length, letters.filter((letter) => letter === 'P').length),
        );
      }),
    );
  });
  it('have no limit at 0', () => {
    expect([roundsUsedUp(99, 0), roundsUsedUp(2, 3), roundsUsedUp(3, 3)]).toEqual([false, false, true]);
  });
});

describe('the owner of a group', () => {
  const one = (assistantId: string, serving: number, maxConcurrent: number, over: Partial<Candidate> = {}): Candidate => ({
    assistantId,
    serving,
    maxConcurrent,
    on: true,
    lastAssignedAt: null,
    ...over,
  });
  it('is the least loaded, compared as fractions', () => {
    expect(chooseOwner([], [one('2', 3, 5), one('1', 4, 8)])).toBe('1');
    expect(chooseOwner([], [one('1', 8, 8), one('2', 5, 5)])).toBeNull();
    expect(chooseOwner([], [one('1', 0, 8, { on: false })])).toBeNull();
  });
  it('is a named one with a place before any other', () => {
    const pool = [one('1', 7, 8), one('2', 0, 5), one('3', 5, 5)];
    expect(chooseOwner(['3', '1'], pool)).toBe('1');
    expect(chooseOwner([null, '9'], pool)).toBe('2');
  });
  it('is who waited longest at equal load, then the lower id', () => {
    expect(
      chooseOwner(
        [],
        [one('10', 1, 2, { lastAssignedAt: at('2026-11-21T09:00:00') }), one('9', 2, 4, { lastAssignedAt: at('2026-11-21T10:00:00') })],
      ),
    ).toBe('10');
    expect(chooseOwner([], [one('10', 1, 2), one('9', 2, 4)])).toBe('9');
  });
  it('is ordered totally', () => {
    const candidate = fc.record({
      assistantId: fc.integer({ min: 1, max: 99 }).map(String),
      serving: fc.nat(9),
      maxConcurrent: fc.integer({ min: 1, max: 9 }),
      on: fc.constant(true),
      lastAssignedAt: fc.constant(null),
    });
    fc.assert(
      fc.property(candidate, candidate, (a, b) => {
        expect(Math.sign(byLoad(a, b))).toBe(-Math.sign(byLoad(b, a)) + 0);
      }),
    );
  });
});

describe('duty time', () => {
  it('runs in the hours of duty only', () => {
    expect(addDutySeconds(at('2026-11-21T18:29:00'), 180, platformHours)).toBe(at('2026-11-22T08:32:00'));
    expect(addDutySeconds(at('2026-11-21T03:00:00'), 180, platformHours)).toBe(at('2026-11-21T08:33:00'));
    expect(addDutySeconds(at('2026-11-21T10:00:00'), 180, platformHours)).toBe(at('2026-11-21T10:03:00'));
  });
  it('skips days without duty', () => {
    const weekdays: DutyHours = { from: '09:00', to: '17:00', weekdays: [1, 2, 3, 4, 5] };
    // 2026-11-20 is a Friday.
    expect(addDutySeconds(at('2026-11-20T16:59:00'), 120, weekdays)).toBe(at('2026-11-23T09:01:00'));
    expect([
      onDuty(at('2026-11-20T16:59:59'), weekdays),
      onDuty(at('2026-11-20T17:00:00'), weekdays),
      onDuty(at('2026-11-21T10:00:00'), weekdays),
    ]).toEqual([true, false, false]);
  });
  it('never goes back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 14 * 86_400 }), fc.integer({ min: 1, max: 40_000 }), (start, seconds) => {
        const from = new Date(Date.parse(at('2026-11-16T00:00:00')) + start * 1000).toISOString();
        expect(Date.parse(addDutySeconds(from, seconds, platformHours))).toBeGreaterThanOrEqual(Date.parse(from) + seconds * 1000);
      }),
    );
  });
});
