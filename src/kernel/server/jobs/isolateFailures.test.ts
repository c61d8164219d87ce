import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { isolateFailures } from './isolateFailures.ts';

/** Work that fails for some of its things, with what it was asked to do and what the log was told. */
function scene(poisoned: readonly string[], signal = new AbortController().signal) {
  const [tried, done, logged]: [string[][], string[], unknown[]] = [[], [], []];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) });
  return {
    tried,
    done,
    logged,
    failures: isolateFailures({ kernel: { log }, traceId: 'trace', signal }),
    run: async (some: readonly string[]) => {
      tried.push([...some]);
      const wrong = some.find((one) => poisoned.includes(one));
      if (wrong !== undefined) throw new Error(`${wrong} is broken`);
      done.push(...some);
    },
  };
}
const same = (one: string) => one;

describe('things of which a job works on many', () => {
  it('are done one by one, whichever fails', async () => {
    const { failures, done, logged, run } = scene(['b']);
    const answers = [];
    for (const one of ['a', 'b', 'c']) answers.push(await failures.run(one, () => run([one])));
    expect(answers).toEqual([true, false, true]);
    expect(done).toEqual(['a', 'c']);
    expect(logged).toMatchObject([{ name: 'b', traceId: 'trace' }]);
    expect(() => failures.throwIfAny()).toThrow('1项处理失败，其余已处理：b。首个原因：b is broken');
  });

  it('are done together where all is well, and halved down to what fails', async () => {
    const fine = scene([]);
    expect(await fine.failures.runTogether(['a', 'b', 'c'], same, fine.run)).toEqual([]);
    expect(fine.tried).toEqual([['a', 'b', 'c']]);
    fine.failures.throwIfAny();
    const { failures, done, tried, run } = scene(['c', 'h']);
    expect(await failures.runTogether([...'abcdefgh'], same, run)).toEqual(['c', 'h']);
    expect(done.toSorted()).toEqual([...'abdefg']);
    expect(tried.length).toBeLessThan(14);
    expect(() => failures.throwIfAny()).toThrow('2项处理失败，其余已处理：c、h。');
  });

  it('are left when the process ends', async () => {
    const stopping = new AbortController();
    stopping.abort();
    const { failures, tried, run } = scene([], stopping.signal);
    expect(await failures.runTogether(['a', 'b'], same, run)).toEqual([]);
    expect(tried).toEqual([]);
  });

  it('name at most twenty', async () => {
    const all = Array.from({ length: 30 }, (_, at) => `P${at}`);
    const { failures, run } = scene(all);
    await failures.runTogether(all, same, run);
    expect(() => failures.throwIfAny()).toThrow(/^30项处理失败，其余已处理：(P\d+、){19}P19 等。/);
  });
});
