import type { Call } from '../../contract/call.ts';
import { platformErrors } from '../../contract/errors.ts';
import { SUCCESS } from '../../contract/envelope.ts';
import { RefusalError } from './refusal.ts';

/** Error toasts stay 1 s and come at most once per second (specification section 8). */
export const ERROR_TOAST_MS = 1000;

export const SESSION_ENDED: ReadonlySet<string> = new Set([platformErrors.SESSION_EXPIRED.code, platformErrors.SESSION_REPLACED.code]);

/** The session is over: the expiry dialog alone says so, no form and no place of a read. */
export const isSessionEnd = (error: unknown): boolean => error instanceof RefusalError && SESSION_ENDED.has(error.code);

export type Verdict = 'success' | 'sessionEnded' | 'toast' | 'quiet';

/**
 * What the HTTP layer does with an answer.
 * @param silent the call is one of the specification's silent ones, or its caller shows the refusal itself.
 */
export function judge(code: string, silent: boolean): Verdict {
  if (code === SUCCESS) return 'success';
  if (SESSION_ENDED.has(code)) return 'sessionEnded';
  return silent ? 'quiet' : 'toast';
}

/** Only these HTTP statuses carry an envelope; every other one is a failure of the network. */
export const carriesEnvelope = (status: number): boolean => status === 200 || status === 304 || status === 400;

/** Lets one toast through per second. */
export function toastGate(now: () => number): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - last < ERROR_TOAST_MS) return false;
    last = now();
    return true;
  };
}

/** Milliseconds that the browser waits: 50 s for a download, 10 s for a PUT, else 20 s (specification section 7). */
export const timeoutOf = ({ shape, method }: Pick<Call, 'shape' | 'method'>): number =>
  shape === 'file' ? 50_000 : method === 'PUT' ? 10_000 : 20_000;
