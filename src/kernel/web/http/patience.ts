import { create } from 'zustand';
import { platformErrors } from '../../contract/errors.ts';
import { RefusalError } from './refusal.ts';
import type { SendOptions } from './request.ts';

/** How many questions wait for the service to be back. */
export const useWaiting = create<{ waiting: number }>(() => ({ waiting: 0 }));

const count = (change: 1 | -1): void => useWaiting.setState(({ waiting }) => ({ waiting: waiting + change }));

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
        if (tries > 0) for (const wake of wakers) wake();
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
