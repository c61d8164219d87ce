import { randomBytes } from 'node:crypto';
import { isAway } from '../database/away.ts';
import type { Kernel } from '../kernel.ts';
import type { JobContext, JobDeclaration } from './declaration.ts';
import { keepFailure, keepRepeatedFailure } from './failures.ts';
import type { Successes } from './successes.ts';

export interface JobAttempt {
  id: string;
  data: object;
  /** Tries before this one. */
  retryCount: number;
  retryLimit: number;
}

type Run = (data: object, ctx: JobContext) => Promise<void>;

/** @returns for how many milliseconds nothing is due, as the job says */
async function run(
  kernel: Kernel,
  declaration: JobDeclaration<never>,
  data: object,
  traceId: string,
  signal: AbortSignal,
): Promise<number> {
  let idleMs = 0;
  await (declaration.run as Run)(data, {
    kernel,
    now: kernel.clock.now(),
    traceId,
    db: kernel.db,
    signal,
    transaction: (work) => kernel.transactions.run(traceId, work),
    idleFor: (ms) => void (idleMs = ms),
  });
  return idleMs;
}

const newTraceId = () => randomBytes(8).toString('hex');

/** A failure that cannot be written down takes not the place of what it was about. */
const writing = (kernel: Kernel, work: Promise<void>) =>
  work.catch((error: unknown) => kernel.log.error({ error }, 'the end of a job could not be written down'));

/**
 * Runs one attempt of a job of the queue. The last failed one leaves a row on the page of failed jobs.
 * @throws what the job threw, so that the queue tries again.
 */
export async function runAttempt(
  kernel: Kernel,
  declaration: JobDeclaration<never>,
  attempt: JobAttempt,
  signal: AbortSignal,
  successes: Successes,
): Promise<void> {
  const traceId = newTraceId();
  try {
    await run(kernel, declaration, attempt.data, traceId, signal);
  } catch (error) {
    kernel.log.error({ error, traceId, job: declaration.name, attempt: attempt.retryCount + 1 }, 'a job failed');
    if (attempt.retryCount >= attempt.retryLimit)
      await writing(
        kernel,
        keepFailure(kernel, declaration, { ...attempt, attempts: attempt.retryCount + 1, traceId, reason: String(error) }),
      );
    throw error;
  }
  if (declaration.cron) await writing(kernel, successes.writeNow(declaration));
}

/**
 * Runs a job that repeats itself once. A failure stands on the page of failed jobs until it has run well for a while; that the database
 * was away is no failure of the job.
 * @returns for how many milliseconds nothing is due, as the job says
 * @throws what the job threw
 */
export async function runRepeated(
  kernel: Kernel,
  declaration: JobDeclaration<never>,
  signal: AbortSignal,
  successes: Successes,
): Promise<number> {
  const traceId = newTraceId();
  try {
    const idleMs = await run(kernel, declaration, {}, traceId, signal);
    successes.note(declaration);
    return idleMs;
  } catch (error) {
    kernel.log.error({ error, traceId, job: declaration.name }, 'a job failed');
    if (!isAway(error)) await writing(kernel, keepRepeatedFailure(kernel, declaration, { traceId, reason: String(error) }));
    throw error;
  }
}
