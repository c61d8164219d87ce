import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from '../../../../kernel/web/http/refusal.ts';
import { send } from '../../../../kernel/web/http/client.ts';
import { queryVisitMessages, type VisitMessage } from '../../contract/calls/visits.ts';

const PAGE = 50;

export interface Loaded {
  messages: readonly VisitMessage[];
  isCompleted: boolean;
  loading: boolean;
  failure: string | null;
  more(): void;
}

/** Messages of an inquiry from its first one, page by page; another keyword begins anew and drops late answers. */
export function useVisitMessages(serverId: string, keyword: string): Loaded {
  const [state, setState] = useState<{ messages: readonly VisitMessage[]; isCompleted: boolean }>({ messages: [], isCompleted: false });
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const round = useRef(0);
  const load = useCallback(
    async (afterSeq: number | undefined) => {
      const mine = (round.current += 1);
      setLoading(true);
      setFailure(null);
      try {
        const page = await send(
          queryVisitMessages,
          { serverId, pageSize: PAGE, ...(afterSeq !== undefined && { afterSeq }), ...(keyword !== '' && { keyword }) },
          { quiet: true },
        );
        if (mine === round.current)
          setState((before) => ({
            messages: afterSeq === undefined ? page.messages : [...before.messages, ...page.messages],
            isCompleted: page.isCompleted,
          }));
      } catch (error) {
        if (mine === round.current) setFailure(failureText(error));
      } finally {
        if (mine === round.current) setLoading(false);
      }
    },
    [serverId, keyword],
  );
  useEffect(() => {
    setState({ messages: [], isCompleted: false });
    void load(undefined);
    return () => void (round.current += 1);
  }, [load]);
  return { ...state, loading, failure, more: () => void load(state.messages.at(-1)?.seq) };
}
