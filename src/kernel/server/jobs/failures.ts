import { sql } from 'kysely';
import { hours, minutes, plusMs, type Instant } from '../../contract/time.ts';
import { lockKeys, tryLockKey } from '../command/lockKeys.ts';
import type { Tx } from '../context.ts';
import type { Kernel } from '../kernel.ts';
import type { JobDeclaration } from './declaration.ts';

/** What failed for good again within this time is the same outage: it was told of. */
const SAME_OUTAGE_MS = hours(1);
/** A job that repeats itself is well again once it has not failed for so long, and twice its own pause, in any process. */
const WELL_MS = minutes(5);
/** Jobs of dead processes that are taken up at once; the rest follows. */
const MOST_DEAD = 500;
const REASON_LENGTH = 1000;
/** `job_id` of the one row of a job that repeats itself. */
const REPEATED = 'interval';

export interface Failure {
  id: string;
  data: object;
  attempts: number;
  traceId: string;
  reason: string;
}

/** Tells whoever may see it that something failed for good, once per outage. */
export async function notifyOutage(kernel: Kernel, tx: Tx, failure: { name: string; label: string; reason: string }): Promise<void> {
  const now = kernel.clock.now();
  const { name } = failure;
  await lockKeys(tx, 'kernel.outage', [name]);
  const { rows } = await sql<{ failedAt: Instant | null }>`select failed_at from kernel_job_state where name = ${name}`.execute(tx);
  await sql`
    insert into kernel_job_state (name, known_since, failed_at) values (${name}, ${now}, ${now})
      on conflict (name) do update set failed_at = excluded.failed_at`.execute(tx);
  const last = rows[0]?.failedAt ?? null;
  if (last !== null && Date.parse(now) - Date.parse(last) < SAME_OUTAGE_MS) return;
  await kernel.ports.failureNotices.notify(tx, failure, now);
}

const subjectOf = (declaration: JobDeclaration<never>, data: object): string | null =>
  (declaration.subject as ((data: object) => string) | undefined)?.(data) ?? null;

/** A row on the page of failed jobs, and a notice where it is the first of its kind; a job that is there already stays as it is. */
export function keepFailure(kernel: Kernel, declaration: JobDeclaration<never>, failure: Failure): Promise<void> {
  return kernel.transactions.run(failure.traceId, ({ tx }) => keepFailureIn(kernel, tx, declaration, failure));
}

async function keepFailureIn(kernel: Kernel, tx: Tx, declaration: JobDeclaration<never>, failure: Failure): Promise<void> {
  const { id, data, attempts, traceId, reason } = failure;
  const { name, label } = declaration;
  const { rows } = await sql`
    insert into kernel_failed_job (job_id, job_name, label, subject, data, attempts, error, trace_id, failed_at, state)
    select ${id}, ${name}, ${label}, ${subjectOf(declaration, data)}, ${JSON.stringify(data)}::jsonb, ${attempts},
      ${reason.slice(0, REASON_LENGTH)}, ${traceId}, ${kernel.clock.now()}, 'FAILED'
      where not exists (select from kernel_failed_job where job_id = ${id})
    returning id`.execute(tx);
  if (rows.length > 0) await notifyOutage(kernel, tx, { name, label, reason });
}

/** The one row of a job that repeats itself, with the last reason and how often it failed. */
export async function keepRepeatedFailure(
  kernel: Kernel,
  { name, label }: JobDeclaration<never>,
  { traceId, reason }: Pick<Failure, 'traceId' | 'reason'>,
): Promise<void> {
  await kernel.transactions.run(traceId, async ({ tx }) => {
    const { rows } = await sql<{ attempts: number }>`
      insert into kernel_failed_job as f (job_id, job_name, label, data, attempts, error, trace_id, failed_at, state)
        values (${REPEATED}, ${name}, ${label}, '{}', 1, ${reason.slice(0, REASON_LENGTH)}, ${traceId}, ${kernel.clock.now()}, 'FAILED')
        on conflict (job_name) where job_id = 'interval' and state = 'FAILED'
          do update set attempts = f.attempts + 1, error = excluded.error, trace_id = excluded.trace_id, failed_at = excluded.failed_at
        returning attempts`.execute(tx);
    if (rows[0]?.attempts === 1) await notifyOutage(kernel, tx, { name, label, reason });
  });
}

/** What pg-boss says of a job that nobody brought to an end. */
function reasonOf(output: unknown, { expireSeconds = 900 }: JobDeclaration<never>): string {
  const message = JSON.stringify(output ?? '');
  if (message.includes('heartbeat')) return '执行该任务的进程已中断，重新执行后仍未完成';
  if (/timed out|exceeded/.test(message)) return `任务超过${expireSeconds}秒仍未完成，已停止等待`;
  return message;
}

/** Jobs that the queue gave up without their own last word: their process died, or they took too long. */
async function keepDead(kernel: Kernel, tx: Tx, jobs: ReadonlyMap<string, JobDeclaration<never>>): Promise<void> {
  const { rows } = await sql<{ id: string; name: string; data: object | null; attempts: number; output: unknown }>`
    select j.id::text as id, j.name, j.data, j.retry_count + 1 as attempts, j.output
      from pgboss.job j
      where j.state = 'failed' and j.name = any(${[...jobs.keys()]}::text[])
        and not exists (select from kernel_failed_job f where f.job_id = j.id::text)
      order by j.completed_on, j.id limit ${MOST_DEAD}`.execute(tx);
  for (const { id, name, data, attempts, output } of rows) {
    const declaration = jobs.get(name);
    if (!declaration) continue;
    const reason = reasonOf(output, declaration);
    kernel.log.error({ job: name, id, output }, 'a job was given up by the queue');
    await keepFailureIn(kernel, tx, declaration, { id, data: data ?? {}, attempts, traceId: '', reason });
  }
}

/** Jobs that repeat themselves and are well again leave the page, as do those that are no longer part of the program. */
async function keepRecovered(kernel: Kernel, tx: Tx, jobs: ReadonlyMap<string, JobDeclaration<never>>): Promise<void> {
  const now = kernel.clock.now();
  const repeated = [...jobs.values()].flatMap(({ name, everySeconds }) => (everySeconds ? [{ name, everySeconds }] : []));
  const wellSince = repeated.map(({ everySeconds }) => plusMs(now, -Math.max(WELL_MS, 2000 * everySeconds)));
  await sql`
    update kernel_failed_job f set state = 'RECOVERED', retried_at = ${now}
      where f.job_id = ${REPEATED} and f.state = 'FAILED'
        and not exists (
          select from unnest(${repeated.map(({ name }) => name)}::text[], ${wellSince}::timestamptz[]) as j (name, well_since)
            where j.name = f.job_name
              and (f.failed_at > j.well_since
                or not exists (select from kernel_job_state s where s.name = f.job_name and s.succeeded_at > f.failed_at))
        )`.execute(tx);
}

/** Every half minute in one of the processes: what the queue gave up comes to the page of failed jobs, what is well again leaves it. */
export async function settleFailures(kernel: Kernel, jobs: ReadonlyMap<string, JobDeclaration<never>>): Promise<void> {
  await kernel.transactions.run('jobs', async ({ tx }) => {
    if (!(await tryLockKey(tx, 'kernel.settleFailures'))) return;
    await keepDead(kernel, tx, jobs);
    await keepRecovered(kernel, tx, jobs);
  });
}
