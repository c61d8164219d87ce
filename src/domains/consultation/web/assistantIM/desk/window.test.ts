import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterAppend, afterPrepend, around, atEnd, MOST_SHOWN, shiftDown, shiftUp, type Range } from './window.ts';

test('older ones join what is shown and the newest leave beyond the limit', () => {
  expect(afterPrepend(atEnd(15), 15, 30)).toEqual({ from: 0, to: 30 });
  expect(afterPrepend({ from: 0, to: MOST_SHOWN }, 15, MOST_SHOWN + 15)).toEqual({ from: 0, to: MOST_SHOWN });
});

test('whatever happens, at most 400 loaded messages stand in the page', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('prepend', 'append'), n: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constantFrom('up', 'down', 'end', 'around'), n: fc.nat(5000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let count = 15;
      let range: Range = atEnd(count);
      for (const { kind, n } of steps) {
        if (kind === 'prepend') [count, range] = [count + n, afterPrepend(range, n, count + n)];
        else if (kind === 'append') [range, count] = [afterAppend(range, count, count + n, n % 2 === 0), count + n];
        else if (kind === 'up') range = shiftUp(range, count);
        else if (kind === 'down') range = shiftDown(range, count);
        else range = kind === 'end' ? atEnd(count) : around(n % count, count);
        expect(range.from).toBeGreaterThanOrEqual(0);
        expect(range.to).toBeLessThanOrEqual(count);
        expect(range.to - range.from).toBeLessThanOrEqual(MOST_SHOWN);
        expect(range.to).toBeGreaterThan(range.from);
      }
    }),
  );
});
