import { sql } from 'kysely';
import { containsPattern } from '#kernel/server/database/search.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { command, query, type Handler } from '#kernel/server/handler.ts';
import { redeliver, type Delivery } from '#kernel/server/outbox/redeliver.ts';
import { offsetOf } from '#kernel/server/http/paging.ts';
import { queryFailedJobList, retryFailedJob } from '../../contract/calls/system.ts';
import { identityErrors } from '../../contract/errors.ts';
import type { IdentityCore } from '../core.ts';

interface FailedRow {
  jobId: string;
  jobName: string;
  label: string;
  subject: string | null;
  failedAt: string;
  attempts: number;
  reason: string;
  traceId: string | null;
  total: number;
}

/** Jobs that failed for good and events that a consumer could not take, newest first; what was retried is left out. */
const failed = sql`
  select 'job-' || id as job_id, job_name, label, subject, failed_at, attempts, error as reason, nullif(trace_id, '') as trace_id
  from kernel_failed_job where state = 'FAILED'
  union all
  select 'event-' || d.outbox_id || '-' || d.consumer, d.consumer, '处理事件 ' || o.name, o.aggregate_id, d.next_try_at, d.attempts,
    coalesce(d.last_error, ''), o.trace_id
  from kernel_outbox_delivery d join kernel_outbox o on o.id = d.outbox_id where d.state = 'FAILED'`;

export function failedJobHandlers({ kernel }: IdentityCore): Handler[] {
  const repeats = (name: string) => kernel.registry.jobs.get(name)?.everySeconds !== undefined;
  return [
    // No `listOf`: the rows are the job queue's own, in tables of its schema.
    query(queryFailedJobList, async (input, { db }) => {
      const { rows } = await sql<FailedRow>`
        select f.*, least(count(*) over (), 10001)::int as total
          from (${failed}) f
          where (
            ${input.jobName ?? ''} = ''
            or f.job_name like ${containsPattern(input.jobName ?? '')}
            or f.label like ${containsPattern(input.jobName ?? '')}
          )
            and (${input.from ?? null}::timestamptz is null or f.failed_at >= ${input.from ?? null}::timestamptz)
            and (${input.to ?? null}::timestamptz is null or f.failed_at <= ${input.to ?? null}::timestamptz)
          order by f.failed_at desc, f.job_id desc limit ${input.pageSize} offset ${offsetOf(input)}`.execute(db);
      return {
        rows: rows.map(({ total: _, ...row }) => ({ ...row, repeats: repeats(row.jobName) })),
        total: rows[0]?.total ?? 0,
      };
    }),

    command(retryFailedJob, async ({ jobId, opinion }, ctx) => {
      ctx.target({ type: 'job', id: jobId });
      ctx.changed([{ path: 'opinion', label: '意见', before: null, after: opinion }]);
      const [kind, id, ...rest] = jobId.split('-');
      if (kind === 'event' && /^\d+$/.test(id ?? '')) {
        const { rows } = await sql<Delivery>`
          select outbox_id::text, consumer from kernel_outbox_delivery
          where outbox_id = ${id} and consumer = ${rest.join('-')} and state = 'FAILED' for update`.execute(ctx.tx);
        if ((await redeliver(ctx.tx, rows, ctx.now)) === 0) throw refuse(platformErrors.NOT_FOUND);
        return {};
      }
      if (kind !== 'job' || !/^\d+$/.test(id ?? '')) throw refuse(platformErrors.NOT_FOUND);
      const { rows } = await sql<{ jobName: string; data: never; state: string }>`
        select job_name, data, state from kernel_failed_job where id = ${id} for update`.execute(ctx.tx);
      const row = rows[0];
      if (!row) throw refuse(platformErrors.NOT_FOUND);
      if (row.state !== 'FAILED') throw refuse(platformErrors.WRONG_STATE, { state: '已重新提交' });
      const declaration = kernel.registry.jobs.get(row.jobName);
      if (!declaration) throw refuse(platformErrors.NOT_FOUND);
      if (declaration.everySeconds) throw refuse(identityErrors.JOB_REPEATS, { n: declaration.everySeconds });
      // The same payload once more, under the retry rules of the job.
      await ctx.enqueue(declaration, row.data);
      await sql`
        update kernel_failed_job set state = 'RETRIED', retried_at = ${ctx.now}, retried_by = ${ctx.staff.userId}
        where id = ${id}`.execute(ctx.tx);
      return {};
    }),
  ];
}
