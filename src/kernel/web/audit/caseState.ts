import { useCallback, useRef, useState } from 'react';

/**
 * State of one case of a queue: another case begins with `initial` (a constant) in the same render, so that a
 * switch costs one pass over the panel and nothing of the former case is ever painted beside the next.
 * What is set for a case that is no longer shown (a late answer) is dropped.
 */
export function useCaseState<T>(caseId: string | undefined, initial: T) {
  const [held, setHeld] = useState({ caseId, value: initial });
  const shown = useRef(caseId);
  shown.current = caseId;
  const set = useCallback(
    (change: T | ((now: T) => T)) => {
      if (shown.current !== caseId) return;
      setHeld((known) => {
        const now = known.caseId === caseId ? known.value : initial;
        return { caseId, value: change instanceof Function ? change(now) : change };
      });
    },
    [caseId, initial],
  );
  return [held.caseId === caseId ? held.value : initial, set] as const;
}
