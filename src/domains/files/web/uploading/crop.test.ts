import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnSize, fits } from './crop.ts';

const place = { width: 750, height: 300 };

describe('a picture that is cut to its place', () => {
  it('is left whole where it has the proportions already', () => {
    expect(
      [
        [750, 300],
        [1500, 600],
        [1500, 606],
        [750, 400],
        [300, 750],
      ].map(([width = 0, height = 0]) => fits({ width, height }, place)),
    ).toEqual([true, true, true, false, false]);
  });

  it('is drawn in the proportions of the place, neither smaller than it nor more than twice as large', () => {
    expect(drawnSize({ width: 1000, height: 400 }, place)).toEqual({ width: 1000, height: 400 });
    const side = fc.integer({ min: 100, max: 2000 });
    fc.assert(
      fc.property(side, side, fc.double({ min: 0.05, max: 20, noNaN: true }), (width, height, times) => {
        const drawn = drawnSize({ width: width * times, height: height * times }, { width, height });
        return fits(drawn, { width, height }) && drawn.width >= width && drawn.width <= width * 2;
      }),
    );
  });
});
