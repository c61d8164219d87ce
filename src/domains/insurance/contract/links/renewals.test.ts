import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renewalCycle } from './renewals.ts';

const PRODUCTS = 7;
const renewal = fc.record({
  mainProductId: fc.integer({ min: 1, max: PRODUCTS }).map(String),
  otherProductId: fc.integer({ min: 1, max: PRODUCTS }).map(String),
});

it('V12: refuses the renewal that closes a circle and no other, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(renewal, { maxLength: 30 }), (wishes) => {
      const known: { mainProductId: string; otherProductId: string }[] = [];
      // Who continues whom, over any number of steps: kept apart from the walk that is tried.
      const continues = Array.from({ length: PRODUCTS + 1 }, () => new Set<string>());
      for (const wish of wishes) {
        const { mainProductId: main, otherProductId: other } = wish;
        const closes = main === other || continues[Number(other)]!.has(main);
        const circle = renewalCycle(known, wish);
        expect(circle !== null).toBe(closes);
        if (circle) {
          expect([circle[0], circle[1], circle.at(-1)]).toEqual([main, other, main]);
          continue;
        }
        known.push(wish);
        const reached = [other, ...continues[Number(other)]!];
        for (const [at, far] of continues.entries()) if (String(at) === main || far.has(main)) for (const one of reached) far.add(one);
      }
      expect(continues.every((far, at) => !far.has(String(at)))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
