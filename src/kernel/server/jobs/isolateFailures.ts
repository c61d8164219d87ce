import type { JobContext } from './declaration.ts';

/** Names that the error of a job lists; the log has all of them. */
const MOST_NAMES = 20;

type Running = Pick<JobContext, 'signal' | 'traceId'> & { kernel: Pick<JobContext['kernel'], 'log'> };

/** Work on many things of which none holds up another. */
export interface FailureIsolation {
  /** One thing, by the name that operators know it by. @returns whether it was done */
  run(name: string, work: () => Promise<unknown>): Promise<boolean>;
  /**
   * Things that are cheaper in one transaction: where that fails, halves are tried, down to the one that fails.
   * @returns those that failed
   */
  runTogether<Item>(
    items: readonly Item[],
    nameOf: (item: Item) => string,
    work: (items: readonly Item[]) => Promise<unknown>,
  ): Promise<Item[]>;
  /** The end of the job. @throws Error naming what failed: the queue tries again, then the page of failed jobs shows it */
  throwIfAny(): void;
}

/**
 * What a job does to many things, each in a transaction of its own or several in one: one that fails is logged by its name, the rest
 * is done all the same, and the job fails at its end.
 */
export function isolateFailures({ kernel, signal, traceId }: Running): FailureIsolation {
  const failed: string[] = [];
  let reason = '';
  const run: FailureIsolation['run'] = async (name, work) => {
    try {
      await work();
      return true;
    } catch (error) {
      kernel.log.error({ error, traceId, name }, 'a job could not process one item and continues');
      if (failed.length === 0) reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 200);
      failed.push(name);
      return false;
    }
  };
  const runTogether: FailureIsolation['runTogether'] = async (items, nameOf, work) => {
    const [only, another] = items;
    if (only === undefined || signal.aborted) return [];
    if (another === undefined) return (await run(nameOf(only), () => work(items))) ? [] : [only];
    try {
      await work(items);
      return [];
    } catch {
      const half = Math.ceil(items.length / 2);
      return [...(await runTogether(items.slice(0, half), nameOf, work)), ...(await runTogether(items.slice(half), nameOf, work))];
    }
  };
  return {
    run,
    runTogether,
    throwIfAny() {
      if (failed.length === 0) return;
      const names = failed.slice(0, MOST_NAMES).join('、');
      throw new Error(`${failed.length}项处理失败，其余已处理：${names}${failed.length > MOST_NAMES ? ' 等' : ''}。首个原因：${reason}`);
    },
  };
}
