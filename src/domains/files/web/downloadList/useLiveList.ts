import { useEffect, useRef } from 'react';
import type { Call } from '#kernel/contract/call.ts';
import { refresh } from '#kernel/web/http/queries.ts';
import { isChannelOpen, useTopic } from '#kernel/web/realtime/socket.ts';

const POLL_MS = 3_000;
const GATHER_MS = 400;

/** Keeps lists up to date without a reload: by pushes; while the channel is closed, by asking every 3 seconds. */
export function useLiveList(topics: { export?: boolean; import?: boolean }, ...calls: readonly Call[]): void {
  const latest = useRef(calls);
  latest.current = calls;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const soon = () => {
    if (timer.current) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void refresh(...latest.current);
    }, GATHER_MS);
  };
  useTopic('exportTask', () => topics.export && soon());
  useTopic('importTask', () => topics.import && soon());
  useTopic('connected', soon);
  useEffect(() => {
    const poll = setInterval(() => {
      if (!isChannelOpen()) void refresh(...latest.current);
    }, POLL_MS);
    return () => (clearInterval(poll), clearTimeout(timer.current));
  }, []);
}
