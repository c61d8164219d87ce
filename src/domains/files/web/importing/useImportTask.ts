import { useEffect, useState } from 'react';
import type { AnswerOf } from '#kernel/contract/call.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { useTopic } from '#kernel/web/realtime/socket.ts';
import { queryImportResult } from '../../contract/calls/imports.ts';

export type ImportTask = AnswerOf<typeof queryImportResult>;

const BUSY = new Set(['VALIDATING', 'COMMITTING']);
const POLL_MS = 1_500;

export const isBusy = (state: string) => BUSY.has(state);

/** One task, kept up to date by pushes and, while something runs, by asking. */
export function useImportTask(importTaskId: string | null) {
  const [every, setEvery] = useState<number | false>(POLL_MS);
  const { data, error, refetch } = useData(
    queryImportResult,
    { importTaskId: importTaskId ?? '1' },
    { enabled: importTaskId !== null, every },
  );
  const idle = data !== undefined && !isBusy(data.state);
  useEffect(() => setEvery(idle ? false : POLL_MS), [idle]);
  useTopic<{ importTaskId: string }>('importTask', (push) => {
    if (push.importTaskId === importTaskId) void refetch();
  });
  return { task: importTaskId === null ? undefined : data, error, refetch };
}
