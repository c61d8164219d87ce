import { AsyncLocalStorage } from 'node:async_hooks';

/** In tests alone: the statements that a request's handler sends; a list may send three (asserted by the generated tests). */
interface Counter {
  statements: number;
}

const counters = new AsyncLocalStorage<Counter>();

export async function countingStatements<T>(work: () => Promise<T>): Promise<{ result: T; statements: number }> {
  const counter: Counter = { statements: 0 };
  const result = await counters.run(counter, work);
  return { result, statements: counter.statements };
}

/** What the tests' pool calls for each statement. */
export function noteStatement(): void {
  const counter = counters.getStore();
  if (counter) counter.statements += 1;
}
