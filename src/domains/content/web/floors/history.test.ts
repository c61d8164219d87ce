import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kept, noHistory, redone, undone, type History } from './history.ts';

/** Every state that an editor goes through, change after change. */
const changed = (states: readonly number[]) => {
  let history: History<number> = noHistory();
  for (const state of states.slice(0, -1)) history = kept(history, state);
  return { history, present: states.at(-1) ?? 0 };
};

describe('the history of a draft', () => {
  it('goes back through all states and forth again to the last one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1, maxLength: 50 }), (states) => {
        let { history, present } = changed(states);
        const seen = [present];
        for (let step = undone(history, present); step; step = undone(history, present)) {
          ({ history, state: present } = step);
          seen.push(present);
        }
        expect(seen).toEqual(states.toReversed());
        for (let step = redone(history, present); step; step = redone(history, present)) ({ history, state: present } = step);
        expect(present).toBe(states.at(-1));
      }),
    );
  });

  it('forgets what was taken back when something else is changed, and keeps fifty states', () => {
    const back = undone(changed([1, 2, 3]).history, 3);
    expect(back?.state).toBe(2);
    const other = kept(back?.history ?? noHistory(), 2);
    expect(redone(other, 9)).toBeNull();
    expect(changed(Array.from({ length: 80 }, (_, n) => n)).history.past).toHaveLength(50);
  });
});
