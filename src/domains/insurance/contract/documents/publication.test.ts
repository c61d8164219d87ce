import fc from 'fast-check';
import { expect, it } from 'vitest';
import { plusDays } from '#kernel/contract/time.ts';
import { publicationOf } from './publication.ts';

const TODAY = '2026-11-24';
/** Beyond every day that is drawn. */
const FOREVER = 10_000;

interface Wish {
  from: number;
  days: number | null;
  explained: boolean;
}
const wishes: fc.Arbitrary<Wish[]> = fc.array(
  fc.record({
    from: fc.integer({ min: -20, max: 400 }),
    days: fc.option(fc.integer({ min: 1, max: 120 }), { nil: null }),
    explained: fc.boolean(),
  }),
  { maxLength: 12 },
);

it('V6: leaves no day to two versions, whatever is published after whatever', () => {
  fc.assert(
    fc.property(wishes, (all) => {
      let published: { id: string; versionNo: number; effectiveFrom: string; effectiveTo: string | null; from: number; to: number }[] = [];
      for (const [index, { from, days, explained }] of all.entries()) {
        const to = days === null ? FOREVER : from + days - 1;
        const version = {
          id: String(index),
          versionNo: index + 1,
          effectiveFrom: plusDays(TODAY, from),
          effectiveTo: days === null ? null : plusDays(TODAY, to),
        };
        const outcome = publicationOf({ ...version, gapNote: explained ? '换代停售' : '' }, published, TODAY);
        if (outcome.kind !== 'FITS') continue;
        const { closes } = outcome;
        published = published.map((one) => (one.id === closes?.id ? { ...one, effectiveTo: closes.on, to: from - 1 } : one));
        published.push({ ...version, from, to });
      }
      // Counted in numbers of days, apart from the comparison of dates that is tried.
      const inOrder = published.toSorted((a, b) => a.from - b.from);
      expect(inOrder.every((one, index) => one.from >= 0 && one.from <= one.to && (index === 0 || inOrder[index - 1]!.to < one.from))).toBe(
        true,
      );
    }),
    { numRuns: 2000 },
  );
});
