import { useCallback, useRef, useState } from 'react';
import { keepWork, keptWork } from '../session/storage.ts';

/** How the state of a case outlives a reload and a step to the next case and back. */
interface Kept<T> {
  /** Tells desks apart: `institution.apply`. */
  as: string;
  /** What was kept, if it still is such a state. */
  read(stored: unknown): T | undefined;
}

/**
 * State of one case of a queue: another case begins with `initial` (a constant) in the same render, so that a
 * switch costs one pass over the panel and nothing of the former case is ever painted beside the next.
 * What is set for a case that is no longer shown (a late answer) is dropped.
 * @param kept keeps what is not `initial` in this tab until the session ends; set `initial` when the case is decided
 */
export function useCaseState<T>(caseId: string | undefined, initial: T, kept?: Kept<T>) {
  const keyOf = (id: string) => `${kept?.as}:${id}`;
  const begin = (): T => (kept && caseId !== undefined ? (kept.read(keptWork(keyOf(caseId))) ?? initial) : initial);
  const [held, setHeld] = useState(() => ({ caseId, value: begin() }));
  const shown = useRef(caseId);
  shown.current = caseId;
  // Another case: what was kept of it, read once.
  const value = held.caseId === caseId ? held.value : begin();
  if (held.caseId !== caseId && kept) setHeld({ caseId, value });
  const keeps = kept?.as;
  const set = useCallback(
    (change: T | ((now: T) => T)) => {
      if (shown.current !== caseId) return;
      setHeld((known) => {
        const now = known.caseId === caseId ? known.value : initial;
        const next = change instanceof Function ? change(now) : change;
        if (keeps !== undefined && caseId !== undefined) keepWork(`${keeps}:${caseId}`, next === initial ? undefined : next);
        return { caseId, value: next };
      });
    },
    [caseId, initial, keeps],
  );
  return [value, set] as const;
}
