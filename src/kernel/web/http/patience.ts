import { create } from 'zustand';
import { platformErrors } from '../../contract/errors.ts';
import { RefusalError } from './refusal.ts';
import type { SendOptions } from './request.ts';

interface Reach {
  /** How many questions wait for the service to be back. */
  waiting: number;
  /** The channel of pushes broke off, and nothing has been answered since. */
  lost: boolean;
  /** How often it came back. */
  returns: number;
}

/** Whether the service is there. */
export const useReach = create<Reach>(() => ({ waiting: 0, lost: false, returns: 0 }));

/** The channel of pushes knows first. */
export const noteLost = (): void => useReach.setState({ lost: true });

/** Something was answered, or the channel stands again. */
export function noteReached(): void {
  const { lost, returns } = useReach.getState();
  if (lost) useReach.setState({ lost: false, returns: returns + 1 });
}

/** The person leaves: nobody waits for the channel any longer. */
export const forgetLost = (): void => useReach.setState({ lost: false });

const count = (change: 1 | -1): void => useReach.setState(({ waiting }) => ({ waiting: waiting + change }));

const FIRST_MS = 1_000;
const LONGEST_MS = 8_000;
const wakers = new Set<() => void>();

/** The service lives, but not what it reads from; it may be back in a moment. */
const isAway = (error: unknown): boolean => error instanceof RefusalError && error.code === platformErrors.UNAVAILABLE.code;

/** Twice as long after each vain try, and not all pages at once. */
const pauseBefore = (tries: number, random = Math.random()): number => Math.min(FIRST_MS * 2 ** tries, LONGEST_MS) * (0.75 + random / 2);

/** Until the time is over, or another question has been answered. */
const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      wakers.delete(wake);
      signal?.removeEventListener('abort', leave);
    };
    const wake = () => {
      end();
      resolve();
    };
    const leave = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(wake, ms);
    wakers.add(wake);
    signal?.addEventListener('abort', leave);
  });

/** The refusal for which one waits is not toasted. */
export const withoutWord = (options: SendOptions): SendOptions =>
  options.quiet === true ? options : { ...options, quiet: [...(options.quiet || []), platformErrors.UNAVAILABLE.code] };

/**
 * Asks until the service is back; meanwhile a line on the page says so, and nothing else does. For what only reads: an act is made once.
 * @throws any other failure, and the reason of the signal when nobody waits for the answer any more.
 */
export async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  let tries = 0;
  try {
    for (;;) {
      try {
        const answer = await ask();
        if (tries > 0) {
          for (const wake of wakers) wake();
          useReach.setState(({ returns }) => ({ returns: returns + 1 }));
        }
        return answer;
      } catch (error) {
        if (!isAway(error) || signal?.aborted) throw error;
      }
      if (tries === 0) count(1);
      await pause(pauseBefore(tries++), signal);
    }
  } finally {
    if (tries > 0) count(-1);
  }
}
