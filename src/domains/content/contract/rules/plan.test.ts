import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeLimit, driftOf, isAdrift, planOf, type MarkState } from './plan.ts';

const state = (more: Partial<MarkState> = {}): MarkState => ({
  held: true,
  carried: false,
  own: false,
  blocked: false,
  rival: 'NONE',
  full: false,
  ...more,
});

describe('what a rule does to one object (R7)', () => {
  it.each([
    ['puts the mark where its conditions hold', {}, true, 'ADD'],
    ['leaves what carries it already', { carried: true, own: true }, true, null],
    ['leaves what people have marked', { carried: true }, true, null],
    ['does not put back what somebody took away', { blocked: true }, true, null],
    ['does not replace what people have chosen', { rival: 'PERSON' }, true, null],
    ["replaces another rule's choice", { rival: 'RULE' }, true, 'ADD'],
    ["replaces another rule's choice in a full group", { rival: 'RULE', full: true }, true, 'ADD'],
    ['respects the limit of the group', { full: true }, true, null],
    ['takes its own mark away', { held: false, carried: true, own: true }, true, 'REMOVE'],
    ['keeps it where the rule only adds', { held: false, carried: true, own: true }, false, null],
    ['never takes away what people have marked', { held: false, carried: true }, true, null],
  ] as const)('%s', (_name, more, removes, change) => {
    expect(planOf(state(more), removes)).toBe(change);
  });

  it('has nothing more to do once it is done', () => {
    const any = fc.record({
      held: fc.boolean(),
      carried: fc.boolean(),
      own: fc.boolean(),
      blocked: fc.boolean(),
      rival: fc.constantFrom('NONE' as const, 'RULE' as const, 'PERSON' as const),
      full: fc.boolean(),
    });
    fc.assert(
      fc.property(any, fc.boolean(), (one, removes) => {
        const before = { ...one, own: one.own && one.carried };
        const change = planOf(before, removes);
        if (change === 'REMOVE') expect([before.own, before.held]).toEqual([true, false]);
        const after =
          change === 'ADD'
            ? { ...before, carried: true, own: true, rival: 'NONE' as const }
            : change === 'REMOVE'
              ? { ...before, carried: false, own: false }
              : before;
        expect(planOf(after, removes)).toBeNull();
      }),
    );
  });
});

describe('the drift of a run (R8)', () => {
  it('of +700 −20 where +400 −20 was foreseen is 0.71, and the run is aborted', () => {
    const [run, dry] = [
      { toAdd: 700, toRemove: 20 },
      { toAdd: 400, toRemove: 20 },
    ];
    expect(driftOf(run, dry)).toBeCloseTo(0.714, 3);
    expect(isAdrift(run, dry)).toBe(true);
  });
  it.each([
    [10, 0, false],
    [11, 0, true],
    [0, 10, false],
    [30, 20, false],
    [31, 20, true],
    [150, 100, false],
    [151, 100, true],
    [50, 100, false],
    [49, 100, true],
  ])('of %i changes where %i were foreseen: aborted %s', (toAdd, foreseen, adrift) => {
    expect(isAdrift({ toAdd, toRemove: 0 }, { toAdd: foreseen, toRemove: 0 })).toBe(adrift);
  });
});

it.each([
  [0, 0],
  [99, 19],
  [1_000, 200],
  [25_000, 5_000],
  [1_000_000, 5_000],
])('of %i objects a rule may change %i without a supervisor', (objects, limit) => {
  expect(changeLimit(objects)).toBe(limit);
});
