import { expect, it } from 'vitest';
import { sharedReads } from './sharedReads.ts';

/** Reads that end when the test says so, each with the value of the moment in which it began. */
function source() {
  const begun: { value: number; end: PromiseWithResolvers<number> }[] = [];
  const world = { value: 0 };
  const read = async () => {
    const own = { value: world.value, end: Promise.withResolvers<number>() };
    begun.push(own);
    return own.end.promise;
  };
  return { begun, world, read, end: (at: number) => begun[at]!.end.resolve(begun[at]!.value) };
}

it('makes two reads for a crowd, and tells nobody what was before he came', async () => {
  const { begun, world, read, end } = source();
  const ask = sharedReads(read, 60_000);
  const first = ask('a');
  world.value = 1;
  const crowd = Array.from({ length: 100 }, () => ask('a'));
  const other = ask('b');
  expect(begun).toHaveLength(2);
  end(0);
  end(1);
  expect([await first, await other]).toEqual([0, 1]);
  await expect.poll(() => begun.length).toBe(3);
  world.value = 2;
  const late = ask('a');
  end(2);
  expect(new Set(await Promise.all(crowd))).toEqual(new Set([1]));
  await expect.poll(() => begun.length).toBe(4);
  end(3);
  expect(await late).toBe(2);
  // Nothing is kept when all have gone.
  void ask('a');
  expect(begun).toHaveLength(5);
});

it('tells a failure to those who share it alone, and waits for none that hangs', async () => {
  const { begun, read, end } = source();
  const ask = sharedReads(read, 60_000);
  const first = ask('a');
  const second = ask('a');
  begun[0]!.end.reject(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  await expect.poll(() => begun.length).toBe(2);
  end(1);
  expect(await second).toBe(0);

  const hanging = source();
  const impatient = sharedReads(hanging.read, -1);
  void impatient('a');
  const next = impatient('a');
  expect(hanging.begun).toHaveLength(2);
  hanging.end(1);
  expect(await next).toBe(0);
});
