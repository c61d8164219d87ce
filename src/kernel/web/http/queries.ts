import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { AnswerOf, Call, InputOf, OutputOf } from '../../contract/call.ts';
import { platformErrors } from '../../contract/errors.ts';
import { SERVER_MESSAGE, type SuccessText } from '../feedback/successTexts.ts';
import { toast } from '../feedback/toast.ts';
import { UnreadScope } from '../form/unread.ts';
import { afterPaint } from '../kit/afterPaint.ts';
import { send, sendForAnswer } from './client.ts';
import { queryClient } from './queryClient.ts';
import { useAntiDoubleClick } from './antiDoubleClick.ts';
import { debounceAnswered, waitOf } from './debounce.ts';
import { keepList, keptList, type KeptList } from '../session/storage.ts';
import { isSessionEnd } from './errorLaw.ts';
import type { Answer } from './client.ts';
import { RefusalError, TransportError } from './refusal.ts';
import type { SendOptions } from './request.ts';

interface ReadOptions {
  /** False: not asked yet. */
  enabled?: boolean;
  /** Milliseconds between repetitions; hidden tabs stop by themselves. */
  every?: number | false;
  /** Milliseconds in which an answer counts as fresh. */
  fresh?: number;
  /** Refusals are not toasted; the caller shows `error`. */
  quiet?: boolean;
  /** The whole list of a picker: kept in session storage, shown from there while it is read anew. */
  kept?: KeptList | undefined;
}

const queryFor = <C extends Call>(call: C, input: InputOf<C>, { enabled, every, fresh, quiet, kept }: ReadOptions) => ({
  queryKey: [call.name, input] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AnswerOf<C>> => {
    const answer = await send(call, input, { signal, ...(quiet && { quiet }) });
    if (kept) keepList(kept, answer);
    return answer;
  },
  ...(enabled !== undefined && { enabled }),
  ...(every !== undefined && { refetchInterval: every }),
  ...(fresh !== undefined && { staleTime: fresh }),
});

/** Reads one call; asks again when the input changes. */
export function useData<C extends Call>(call: C, input: InputOf<C>, options: ReadOptions = {}) {
  const { data: read, error, isFetching, isFetchedAfterMount, refetch } = useQuery(queryFor(call, input, options));
  // This browser wrote what it kept as the answer of the same call.
  const data = read ?? (options.kept ? (keptList(options.kept) as AnswerOf<C> | undefined) : undefined);
  return {
    data,
    error,
    loading: isFetching && data === undefined,
    fetching: isFetching,
    /** False: what is shown was read before this place was. */ readHere: isFetchedAfterMount,
    refetch,
  };
}

/**
 * Asks for what the operator will look at next, once the present page is painted: its turn then needs no answer.
 * @param input undefined: nothing follows.
 */
export function useReadAhead<C extends Call>(call: C, input: InputOf<C> | undefined, options: ReadOptions): void {
  const client = useQueryClient();
  const wanted = useRef({ input, options });
  wanted.current = { input, options };
  const text = JSON.stringify(input);
  useEffect(
    () =>
      afterPaint(() => {
        const { input: next, options: how } = wanted.current;
        if (next) void client.prefetchQuery(queryFor(call, next, how));
      }),
    [client, call, text],
  );
}

interface ListOptions<Row> extends ReadOptions {
  /** Whether these rows will soon be otherwise by themselves: then they are asked for again until they are. */
  changing?(rows: readonly Row[]): boolean;
}

/** Milliseconds between looks at what a job is at work on. */
const FOLLOW_MS = 4_000;

/** Reads one page of a list; the former page stays visible until the next one is there. */
export function useList<C extends Call>(call: C, input: InputOf<C>, { changing, ...options }: ListOptions<OutputOf<C>> = {}) {
  type Page = { rows: OutputOf<C>[]; total: number; nextCursor?: string } | undefined;
  const { data, error, isFetching, refetch } = useQuery({
    ...queryFor(call, input, options),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const rows = (state.data as Page)?.rows;
      return rows && changing?.(rows) ? Math.min(FOLLOW_MS, options.every || FOLLOW_MS) : (options.every ?? false);
    },
  });
  const page = data as Page;
  return { rows: page?.rows, total: page?.total ?? 0, nextCursor: page?.nextCursor, error, fetching: isFetching, refetch };
}

/** Makes every open page ask these calls again. */
export const refresh = (...calls: readonly Call[]): Promise<unknown> =>
  Promise.all(calls.map((call) => queryClient.invalidateQueries({ queryKey: [call.name] })));

/** Answers of this call that are kept are asked for again where they are shown next; what is shown now stays. */
export const outdate = (call: Call): Promise<unknown> => queryClient.invalidateQueries({ queryKey: [call.name], refetchType: 'none' });

/** Hears what an act beside any form was refused with; null: another act begins. */
let onRefused: (refusal: RefusalError | null) => void = () => {};
export const hearRefusals = (hear: typeof onRefused): void => void (onRefused = hear);

interface CommandOptions<C extends Call> {
  /** Toast of a success; `'message'` shows the server's. Absent: none. */
  success?: SuccessText;
  /** Lists and records that show something else now. */
  refreshes?: readonly Call[];
  onSuccess?(answer: Answer<AnswerOf<C>>): void;
  /** Buttons stay disabled this long after a click, in ms (specification: 3 s or a given value). */
  blockMs?: number;
}

/** What is shown is not what is stored: the refusal asks to look again. */
const outdated: ReadonlySet<string> = new Set([
  platformErrors.CHANGED.code,
  platformErrors.WRONG_STATE.code,
  platformErrors.NOT_FOUND.code,
]);

export { SERVER_MESSAGE };

const recordOf = (input: unknown): unknown => (typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined);

/**
 * Makes a call on the operator's act: no double click from the click on, saves, additions and deletions debounced, success toast,
 * refreshed lists; these are read again
 * too when the server refuses because the record is no longer what the page shows.
 * `run` answers null when it was refused (the error law has shown it) or a run is under way.
 */
export function useCommand<C extends Call>(call: C, options: CommandOptions<C> = {}) {
  const client = useQueryClient();
  const scope = useContext(UnreadScope);
  const [flying, setFlying] = useState(false);
  const { blocked, block } = useAntiDoubleClick(options.blockMs);
  const underWay = useRef(false);
  const waitingFor = useRef<{ record: unknown } | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const perform = useCallback(
    async (input: InputOf<C>, sendOptions?: SendOptions): Promise<Answer<AnswerOf<C>> | null> => {
      underWay.current = true;
      const readAgain = () => {
        for (const read of latest.current.refreshes ?? []) void client.invalidateQueries({ queryKey: [read.name] });
      };
      try {
        const answer = await sendForAnswer(call, input, sendOptions);
        const { success, onSuccess } = latest.current;
        if (success) toast(success === SERVER_MESSAGE ? answer.message : success);
        readAgain();
        onSuccess?.(answer);
        return answer;
      } catch (error) {
        if (isSessionEnd(error)) return null;
        const quiet = sendOptions?.quiet;
        if (error instanceof RefusalError && (quiet === true || (Array.isArray(quiet) && quiet.includes(error.code)))) throw error;
        if (error instanceof RefusalError && outdated.has(error.code)) readAgain();
        if (error instanceof RefusalError) onRefused(error);
        if (error instanceof RefusalError || error instanceof TransportError) return null;
        throw error;
      } finally {
        underWay.current = false;
        waitingFor.current = null;
        setFlying(false);
      }
    },
    [call, client],
  );
  const start = useMemo(() => {
    const wait = waitOf(call);
    return wait ? debounceAnswered(perform, ...wait) : Object.assign(perform, { flush: () => {} });
  }, [call, perform]);
  // Whoever clicked and left the page within the wait has still clicked.
  useEffect(() => () => start.flush(), [start]);
  const run = useCallback(
    async (input: InputOf<C>, sendOptions?: SendOptions): Promise<Answer<AnswerOf<C>> | null> => {
      // What stands in a field and could not be read would be missing, or what it replaced would go in its place.
      const [unread] = scope.values();
      if (unread) {
        toast(unread, 'error');
        return null;
      }
      const record = recordOf(input);
      // A second click within the wait is the same act with the newer input; one on another record comes too early.
      if (underWay.current || (waitingFor.current && waitingFor.current.record !== record)) return null;
      waitingFor.current = { record };
      onRefused(null);
      block();
      setFlying(true);
      return start(input, sendOptions);
    },
    [block, scope, start],
  );
  return { run, busy: flying || blocked, flying };
}
