import { useCallback } from 'react';
import { toast } from '../feedback/toast.ts';
import type { Call, InputOf } from '../../contract/call.ts';
import { useData, useReadAhead } from '../http/queries.ts';

/** A case that was just read is not read again when somebody steps back to it. */
const FRESH_MS = 15_000;

interface Desk<C extends Call> {
  caseId: string;
  /** The cases as the list shows them. */
  queue: readonly string[];
  /** Reads one case. */
  call: C;
  inputOf(caseId: string): InputOf<C>;
  /** Said at either end of the queue. */
  none: string;
  /** Shows another case; undefined closes the panel. */
  onGo(caseId: string | undefined): void;
}

/** Position of a case in its queue. */
export function placeIn(queue: readonly string[], caseId: string): { at: number; next: string | undefined; previous: string | undefined } {
  const at = queue.indexOf(caseId);
  return { at, next: queue[at + 1], previous: at > 0 ? queue[at - 1] : undefined };
}

/** Cases of a queue one after another: the shown one is read, the next one meanwhile; `panel` is what `AuditPanel` takes of it. */
export function useAuditDesk<C extends Call>({ caseId, queue, call, inputOf, none, onGo }: Desk<C>) {
  const { at, next, previous } = placeIn(queue, caseId);
  const reading = { quiet: true, fresh: FRESH_MS } as const;
  const { data, error, loading, refetch } = useData(call, inputOf(caseId), reading);
  useReadAhead(call, next === undefined ? undefined : inputOf(next), reading);
  const again = useCallback(() => void refetch(), [refetch]);
  const go = (id: string | undefined): void => (id === undefined ? toast(none, 'info') : onGo(id));
  return {
    data,
    next,
    again,
    panel: {
      caseId,
      ...(at >= 0 && { position: `${at + 1} / ${queue.length}` }),
      loading,
      error,
      onRetry: again,
      onNext: () => go(next),
      onPrevious: () => go(previous),
      onClose: () => onGo(undefined),
    },
  };
}
