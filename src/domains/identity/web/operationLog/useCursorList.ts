import { useState } from 'react';
import type { Call, InputOf, OutputOf } from '#kernel/contract/call.ts';
import { useList } from '#kernel/web/http/queries.ts';

/** Pages of a list that grows without bound: forwards by the cursor of the last answer, backwards by those seen. */
export function useCursorList<C extends Call>(call: C, input: InputOf<C>, pageSize: number) {
  const key = JSON.stringify([input, pageSize]);
  const [seen, setSeen] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  // Other filters begin at the first page again.
  const cursors = seen.key === key ? seen.cursors : [];
  const cursor = cursors.at(-1);
  const list = useList(call, { ...(input as object), pageNo: 1, pageSize, ...(cursor && { cursor }) } as InputOf<C>, { quiet: true });
  return {
    ...list,
    rows: list.rows as OutputOf<C>[] | undefined,
    pageNo: cursors.length + 1,
    forwards: list.nextCursor ? () => setSeen({ key, cursors: [...cursors, list.nextCursor!] }) : undefined,
    backwards: cursors.length ? () => setSeen({ key, cursors: cursors.slice(0, -1) }) : undefined,
  };
}
