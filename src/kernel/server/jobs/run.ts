import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kernel } from '../kernel.ts';
import type { JobDeclaration } from './declaration.ts';

export interface JobAttempt {
  id: string;
  data: object;
  /** Tries before this one. */
  retryCount: number;
  retryLimit: number;
}

/**
 * Runs one attempt of a job. The last failed one leaves a row on the page of failed jobs.
 * @throws what the job threw, so that the queue tries again.
 */
export async function runAttempt(
  kernel: Kernel,
  declaration: JobDeclaration<never>,
  attempt: JobAttempt,
  signal: AbortSignal,
): Promise<void> {
  const traceId = randomBytes(8).toString('hex');
  const run = declaration.run as (data: object, ctx: Parameters<typeof declaration.run>[1]) => Promise<void>;
  try {
    await run(attempt.data, {
      kernel,
      now: kernel.clock.now(),
      traceId,
      db: kernel.db,
      signal,
      transaction: (work) => kernel.transactions.run(traceId, work),
    });
  } catch (error) {
    kernel.log.error({ error, traceId, job: declaration.name, attempt: attempt.retryCount + 1 }, 'a job failed');
    if (attempt.retryCount >= attempt.retryLimit) await keepFailure(kernel, declaration, attempt, traceId, error);
    throw error;
  }
}

async function keepFailure(
  kernel: Kernel,
  declaration: JobDeclaration<never>,
  attempt: JobAttempt,
  traceId: string,
  error: unknown,
): Promise<void> {
  const subjectOf = declaration.subject as ((data: object) => string) | undefined;
  await sql`
    insert into kernel_failed_job (job_id, job_name, label, subject, data, attempts, error, trace_id, failed_at, state)
    values (${attempt.id}, ${declaration.name}, ${declaration.label}, ${subjectOf?.(attempt.data) ?? null},
      ${JSON.stringify(attempt.data)}::jsonb, ${attempt.retryCount + 1}, ${String(error).slice(0, 1000)}, ${traceId},
      ${kernel.clock.now()}, 'FAILED')`.execute(kernel.db);
}
