import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { earnedFen, ratioBp } from './earned.ts';
import { workMinutes } from './workTime.ts';

const year = { coverageStart: '2026-01-01', coverageEnd: '2026-12-31', amountFen: 3_650_000 };
const months = Array.from({ length: 12 }, (_, index) => {
  const first = `2026-${String(index + 1).padStart(2, '0')}-01`;
  const next = index === 11 ? '2027-01-01' : `2026-${String(index + 2).padStart(2, '0')}-01`;
  return [first, plusDays(next, -1)] as const;
});

describe('earned premium (acceptance 20)', () => {
  it('of January is 31 days of the year’s, and the months are the amount', () => {
    const earned = months.map(([from, to]) => earnedFen(year, from, to));
    expect(earned[0]).toBe(310_000);
    expect(earned.reduce((sum, one) => sum + one, 0)).toBe(3_650_000);
    expect(ratioBp(186_000, 310_000)).toBe(6000);
    expect(ratioBp(1, 0)).toBeNull();
  });

  it('V10: adds up over any cut of any cover, also of what is returned', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
        fc.integer({ min: 1, max: 800 }),
        fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 20 }),
        (amountFen, days, cuts) => {
          const span = { coverageStart: '2026-01-01', coverageEnd: plusDays('2026-01-01', days - 1), amountFen };
          const edges = [...new Set([0, ...cuts, 900])].toSorted((a, b) => a - b);
          const sum = edges
            .slice(1)
            .reduce(
              (total, edge, index) => total + earnedFen(span, plusDays('2026-01-01', edges[index]!), plusDays('2026-01-01', edge - 1)),
              0,
            );
          expect(sum).toBe(amountFen);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('working minutes', () => {
  it('are those of the office', () => {
    // Friday 17:00 to Monday 10:00
    expect(workMinutes('2026-11-20T09:00:00.000Z', '2026-11-23T02:00:00.000Z')).toBe(120);
    expect(workMinutes('2026-11-21T02:00:00.000Z', '2026-11-22T02:00:00.000Z')).toBe(0);
  });
});
