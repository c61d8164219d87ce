import { expect, test } from 'vitest';
import { shareOut } from '../../e2e/shares.ts';
import seconds from '../../e2e/seconds.json' with { type: 'json' };

const recorded = Object.entries<number>(seconds);
const total = recorded.reduce((sum, [, one]) => sum + one, 0);
const longest = Math.max(...recorded.map(([, one]) => one));

test.each([1, 2, 3, 4])('every journey is in one of %i shares, always the same one, and the shares take about as long', (count) => {
  const names = [...recorded.map(([name]) => name), 'kernel/unknown.test.ts'];
  const shares = shareOut(names, count);
  expect(shares).toHaveLength(count);
  expect(shares.flat().toSorted()).toEqual(names.toSorted());
  expect(shareOut(names.toReversed(), count)).toEqual(shares);
  for (const share of shares) {
    const taken = recorded.filter(([name]) => share.includes(name)).reduce((sum, [, one]) => sum + one, 0);
    expect(taken).toBeLessThan(Math.max(total / count, longest) * 1.1);
  }
});
