import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Refusal } from '../../contract/errors.ts';
import { makeBrake } from './brake.ts';

const passes = (brake: ReturnType<typeof makeBrake>, caller: string) => {
  try {
    brake.use(caller);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return false;
  }
};

it('lets ten seconds’ worth of calls come at once, then as many as the second brings, for each caller by himself', () => {
  let at = 0;
  const brake = makeBrake(5, () => at);
  const burst = Array.from({ length: 60 }, () => passes(brake, 'a'));
  expect(burst.filter(Boolean)).toHaveLength(50);
  expect(passes(brake, 'b')).toBe(true);
  at += 1_000;
  expect(Array.from({ length: 9 }, () => passes(brake, 'a')).filter(Boolean)).toHaveLength(5);
  at += 60_000;
  expect(Array.from({ length: 60 }, () => passes(brake, 'a')).filter(Boolean)).toHaveLength(50);
});

it('says how long to wait', () => {
  const brake = makeBrake(5, () => 0);
  for (let call = 0; call < 50; call += 1) brake.use('a');
  expect(() => brake.use('a')).toThrow('1');
});

it('never lets more through than was saved and came in', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { minLength: 1, maxLength: 300 }), (pauses) => {
      let at = 0;
      const brake = makeBrake(10, () => at);
      let passed = 0;
      for (const pause of pauses) {
        at += pause;
        if (passes(brake, 'a')) passed += 1;
      }
      expect(passed).toBeLessThanOrEqual(100 + (at / 1000) * 10 + 1);
    }),
  );
});
