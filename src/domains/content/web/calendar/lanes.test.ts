import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lanesOf } from './lanes.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour)).toISOString();

describe('lines of a calendar', () => {
  it('hold every bar once, none over another, and no more lines than bars that meet', () => {
    const spans = fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 }))
        .map(([from, length]) => ({ startAt: at(from), endAt: at(from + length) })),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(spans, (bars) => {
        const lanes = lanesOf(bars);
        expect(lanes.flat()).toHaveLength(bars.length);
        for (const lane of lanes)
          for (const [index, bar] of lane.entries())
            expect(Date.parse(bar.startAt)).toBeGreaterThanOrEqual(Date.parse(lane[index - 1]?.endAt ?? at(0)));
        const together = Math.max(
          0,
          ...bars.map(({ startAt }) => bars.filter((one) => one.startAt <= startAt && one.endAt > startAt).length),
        );
        expect(lanes.length).toBeLessThanOrEqual(together);
      }),
    );
  });
});
