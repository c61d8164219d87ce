import { sql } from 'kysely';
import type { Instant } from '../../contract/time.ts';
import { nextDue } from '../jobs/due.ts';
import type { JobDeclaration, Registry } from '../kernel.ts';
import { secondsSince, type FigureValue, type StatusSource } from './figure.ts';

const seconds = (at: Instant) => Date.parse(at) / 1000;
const failedJobs = { label: '查看失败的后台任务', path: '/operationLog?tab=jobs' };

/** Events that were published and not consumed yet, and what nobody will try again by itself. */
export const outboxSource: StatusSource = {
  title: '事件与失败',
  link: failedJobs,
  needsDatabase: true,
  figures: [
    {
      metric: 'kangqiao_outbox_pending_deliveries',
      help: 'Deliveries of events that wait for their consumer',
      label: '待处理事件',
      unit: 'COUNT',
    },
    {
      metric: 'kangqiao_outbox_oldest_seconds',
      help: 'Age of the oldest event that waits for a consumer',
      label: '最早待处理事件已等待',
      unit: 'SECONDS',
      limit: { side: 'above', amber: 120, red: 900, minutes: 2 },
    },
    {
      metric: 'kangqiao_outbox_failed_deliveries',
      help: 'Deliveries that were given up; they stand on the page of failed jobs',
      label: '处理失败的事件',
      unit: 'COUNT',
      limit: { side: 'above', amber: 0, minutes: 1 },
    },
    {
      metric: 'kangqiao_failed_jobs',
      help: 'Jobs that were given up and not retried by anybody yet',
      label: '失败的后台任务',
      unit: 'COUNT',
      limit: { side: 'above', amber: 0, minutes: 1 },
    },
  ],
  async read({ db, now }) {
    const { rows } = await sql<{ pending: number; oldest: Instant | null; given: number; failed: number }>`
      select
        (select count(*)::int from kernel_outbox_delivery where state = 'PENDING') as pending,
        (select o.at from kernel_outbox o where o.id =
          (select d.outbox_id from kernel_outbox_delivery d where d.state = 'PENDING' order by d.outbox_id limit 1)) as oldest,
        (select count(*)::int from kernel_outbox_delivery where state = 'FAILED') as given,
        (select count(*)::int from kernel_failed_job where state = 'FAILED') as failed`.execute(db);
    const { pending, oldest, given, failed } = rows[0]!;
    return [
      { metric: 'kangqiao_outbox_pending_deliveries', value: pending },
      { metric: 'kangqiao_outbox_oldest_seconds', value: secondsSince(oldest, now) },
      { metric: 'kangqiao_outbox_failed_deliveries', value: given },
      { metric: 'kangqiao_failed_jobs', value: failed },
    ];
  },
};

const nameOf = ({ name, label }: JobDeclaration<never>) => ({ key: name, label });

/** Depth and age of every queue. */
export const queueSource = (registry: () => Registry): StatusSource => ({
  title: '任务队列',
  link: failedJobs,
  needsDatabase: true,
  figures: [
    { metric: 'kangqiao_queue_due_jobs', help: 'Jobs that may run now and wait', label: '等待执行', unit: 'COUNT', by: 'queue' },
    {
      metric: 'kangqiao_queue_oldest_seconds',
      help: 'How long the first of the jobs that may run has waited',
      label: '最长等待',
      unit: 'SECONDS',
      by: 'queue',
      limit: { side: 'above', amber: 300, red: 1800, minutes: 2 },
    },
    { metric: 'kangqiao_queue_active_jobs', help: 'Jobs that run', label: '执行中', unit: 'COUNT', by: 'queue' },
    { metric: 'kangqiao_queue_later_jobs', help: 'Jobs whose time has not come', label: '未到时间', unit: 'COUNT', by: 'queue' },
  ],
  async read({ db, now }) {
    const { rows } = await sql<{ name: string; due: number; oldest: Instant | null; active: number; later: number }>`
      select name,
        count(*) filter (where state < 'active' and start_after <= ${now}::timestamptz)::int as due,
        min(start_after) filter (where state < 'active' and start_after <= ${now}::timestamptz) as oldest,
        count(*) filter (where state = 'active')::int as active,
        count(*) filter (where state < 'active' and start_after > ${now}::timestamptz)::int as later
      from pgboss.job where state <= 'active' group by name`.execute(db);
    const found = new Map(rows.map((row) => [row.name, row]));
    return [...registry().jobs.values()].flatMap((job): FigureValue[] => {
      if (job.everySeconds) return [];
      const { due = 0, oldest = null, active = 0, later = 0 } = found.get(job.name) ?? {};
      const of = nameOf(job);
      return [
        { metric: 'kangqiao_queue_due_jobs', of, value: due },
        { metric: 'kangqiao_queue_oldest_seconds', of, value: secondsSince(oldest, now) },
        { metric: 'kangqiao_queue_active_jobs', of, value: active },
        { metric: 'kangqiao_queue_later_jobs', of, value: later },
      ];
    });
  },
});

/** When every job that repeats itself ended well last, and by how much the next time is missed. */
export const scheduleSource = (registry: () => Registry): StatusSource => ({
  title: '定时任务',
  link: failedJobs,
  needsDatabase: true,
  figures: [
    {
      metric: 'kangqiao_job_last_success_timestamp_seconds',
      help: 'When the job ended well last; absent when it never did',
      label: '上次成功',
      unit: 'MOMENT',
      by: 'job',
      absent: '尚未执行',
    },
    {
      metric: 'kangqiao_job_next_due_timestamp_seconds',
      help: 'When it is to run after that',
      label: '下次应执行',
      unit: 'MOMENT',
      by: 'job',
    },
    {
      metric: 'kangqiao_job_overdue_seconds',
      help: 'Since how long it should have run',
      label: '已逾期',
      unit: 'SECONDS',
      by: 'job',
      limit: { side: 'above', amber: 900, red: 7200, minutes: 5 },
    },
  ],
  async read({ db, now }) {
    const { rows } = await sql<{ name: string; knownSince: Instant; succeededAt: Instant | null }>`
      select name, known_since, succeeded_at from kernel_job_state`.execute(db);
    const states = new Map(rows.map((row) => [row.name, row]));
    return [...registry().jobs.values()].flatMap((job): FigureValue[] => {
      const state = states.get(job.name);
      const due = state && nextDue(job, state.succeededAt ?? state.knownSince);
      if (!due) return [];
      const of = nameOf(job);
      const values = [
        { metric: 'kangqiao_job_next_due_timestamp_seconds', of, value: seconds(due) },
        { metric: 'kangqiao_job_overdue_seconds', of, value: secondsSince(due, now) },
      ];
      if (!state.succeededAt) return values;
      return [...values, { metric: 'kangqiao_job_last_success_timestamp_seconds', of, value: seconds(state.succeededAt) }];
    });
  },
});
