import type { Call } from '../../contract/call.ts';
import { useEffect, useMemo, useRef } from 'react';

interface Debounced<Args extends readonly unknown[]> {
  (...args: Args): void;
  cancel(): void;
  /** Does at once what is still waiting. */
  flush(): void;
}

/** Calls `work` once the calls pause for `waitMs`, at the latest `maxWaitMs` after the first one. */
export function debounce<Args extends readonly unknown[]>(
  work: (...args: Args) => void,
  waitMs: number,
  maxWaitMs?: number,
): Debounced<Args> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let deadline: ReturnType<typeof setTimeout> | undefined;
  let last: Args | undefined;
  const cancel = () => {
    clearTimeout(timer);
    clearTimeout(deadline);
    timer = deadline = undefined;
  };
  const fire = () => {
    cancel();
    if (last) work(...last);
  };
  const debounced = (...args: Args) => {
    last = args;
    clearTimeout(timer);
    timer = setTimeout(fire, waitMs);
    if (maxWaitMs !== undefined) deadline ??= setTimeout(fire, maxWaitMs);
  };
  return Object.assign(debounced, {
    cancel,
    flush: () => {
      if (timer !== undefined) fire();
    },
  });
}

/** As `debounce`, for work that answers: all calls of one pause get the answer of the one run, which has the last one's input. */
export function debounceAnswered<Args extends readonly unknown[], Answer>(
  work: (...args: Args) => Promise<Answer>,
  waitMs: number,
  maxWaitMs?: number,
): ((...args: Args) => Promise<Answer>) & { flush(): void } {
  let waiting: ((answer: Promise<Answer>) => void)[] = [];
  const soon = debounce<Args>(
    (...args) => {
      const resolvers = waiting;
      waiting = [];
      const answer = work(...args);
      for (const resolve of resolvers) resolve(answer);
    },
    waitMs,
    maxWaitMs,
  );
  return Object.assign(
    (...args: Args) =>
      new Promise<Answer>((resolve) => {
        waiting.push(resolve);
        soon(...args);
      }),
    { flush: soon.flush },
  );
}

/** Saving: 300 ms. Adding and deleting: 300 ms with a maximum wait of 1000 ms (specification section 5). */
export const SAVE_WAIT_MS = 300;
export const ADD_DELETE_MAX_WAIT_MS = 1000;

const ADD_OR_DELETE = /^(batch)?(add|del|remove)/i;
const SAVE = /^(batch)?(save|modify|change)/i;

/** How long an operator's act waits for a second click; null: it is no save, addition or deletion and is made at once. */
export function waitOf({ kind, operation }: Pick<Call, 'kind' | 'operation'>): readonly [waitMs: number, maxWaitMs?: number] | null {
  if (kind !== 'command') return null;
  if (ADD_OR_DELETE.test(operation)) return [SAVE_WAIT_MS, ADD_DELETE_MAX_WAIT_MS];
  return SAVE.test(operation) ? [SAVE_WAIT_MS] : null;
}

/**
 * Debounces what is typed, and commands made of several calls; one call waits by itself (`useCommand`). `kind` chooses between the two
 * waits of the specification.
 */
export function useDebouncedCallback<Args extends readonly unknown[]>(
  callback: (...args: Args) => unknown,
  kind: 'save' | 'addOrDelete' = 'save',
): Debounced<Args> {
  const latest = useRef(callback);
  latest.current = callback;
  const debounced = useMemo(
    () =>
      debounce((...args: Args) => void latest.current(...args), SAVE_WAIT_MS, kind === 'addOrDelete' ? ADD_DELETE_MAX_WAIT_MS : undefined),
    [kind],
  );
  // Whoever clicked and left the page within the wait has still clicked.
  useEffect(() => () => debounced.flush(), [debounced]);
  return debounced;
}
