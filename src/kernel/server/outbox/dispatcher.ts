import { sql } from 'kysely';
import type { DeliveredEvent } from '../../contract/event.ts';
import { plusMs, type Instant } from '../../contract/time.ts';
import { notifyOutage } from '../jobs/failures.ts';
import type { Kernel } from '../kernel.ts';
import type { Consumer } from './consumer.ts';

const MAX_ATTEMPTS = 8;
const BACKOFF_MS = 5_000;

interface DueDelivery extends DeliveredEvent<unknown> {
  outboxId: string;
  consumer: string;
  attempts: number;
  traceId: string;
}

/** `{domain}:{event}`, unique per reaction. */
export const consumerKey = (consumer: Consumer): string => `${consumer.domain}:${consumer.event.name}`;

/** So many deliveries share a transaction when many are due, as after an import: each alone would wait for its own commit. */
const TOGETHER = 50;
/** And no more than fit into this time, so that nobody waits long for what they lock. */
const TOGETHER_MS = 100;
/** Several events lock things in no common order: such a transaction gives way at once, long before anybody's command would be chosen. */
const YIELD_MS = 20;

/** What a transaction took up, and what stopped it. */
interface Attempt {
  taken: number;
  failure: { delivery: DueDelivery; error: unknown } | null;
}

/** Delivers the first due events in one transaction, which also marks them done. @throws what a consumer threw, noted in `attempt`. */
async function deliver(
  kernel: Kernel,
  consumers: ReadonlyMap<string, Consumer>,
  now: Instant,
  most: number,
  attempt: Attempt,
): Promise<boolean> {
  return kernel.transactions.run('outbox', async (writing) => {
    const { rows } = await sql<DueDelivery>`
      select d.outbox_id, d.consumer, d.attempts, o.event_id, o.name, o.at, o.aggregate_id, o.seq::int as seq, o.payload, o.trace_id
      from kernel_outbox_delivery d join kernel_outbox o on o.id = d.outbox_id
      where d.state = 'PENDING' and d.next_try_at <= ${now}::timestamptz
      order by d.outbox_id limit ${most} for update of d skip locked`.execute(writing.tx);
    attempt.taken = rows.length;
    if (rows.length > 1) await sql`select set_config('lock_timeout', ${`${YIELD_MS}ms`}, true)`.execute(writing.tx);
    const until = performance.now() + TOGETHER_MS;
    const done: DueDelivery[] = [];
    for (const delivery of rows) {
      try {
        await consumers.get(delivery.consumer)?.run(delivery, { ...writing, kernel, now, traceId: delivery.traceId });
      } catch (error) {
        attempt.failure = { delivery, error };
        throw error;
      }
      done.push(delivery);
      if (performance.now() > until) break;
    }
    if (done.length > 0) {
      await sql`
        update kernel_outbox_delivery d
          set state = 'DONE', done_at = ${now}, attempts = attempts + 1
          from unnest(
            ${done.map(({ outboxId }) => outboxId)}::bigint[], ${done.map(({ consumer }) => consumer)}::text[]
          ) as x (outbox_id, consumer)
          where d.outbox_id = x.outbox_id and d.consumer = x.consumer`.execute(writing.tx);
    }
    return done.length > 0;
  });
}

/** Whether something is due: asked without a transaction, where probably nothing is. */
export async function isAnyDue({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (
      select from kernel_outbox_delivery where state = 'PENDING' and next_try_at <= ${clock.now()}::timestamptz
    ) as due`.execute(db);
  return rows[0]!.due;
}

/**
 * Delivers what is due next, each event to each consumer once: many together while they pass, else one by one, so that a failure
 * undoes and delays nothing but its own delivery. Parallel processes skip each other's rows.
 * @returns false when nothing was due.
 */
export async function deliverNext(
  kernel: Kernel,
  consumers: ReadonlyMap<string, Consumer>,
  now: Instant,
  most = TOGETHER,
): Promise<boolean> {
  const attempt: Attempt = { taken: 0, failure: null };
  try {
    return await deliver(kernel, consumers, now, most, attempt);
  } catch (error) {
    // Whose fault it was shows when each has a transaction of its own.
    for (let alone = 0; attempt.taken > 1 && alone < attempt.taken; alone += 1) await deliverNext(kernel, consumers, now, 1);
    if (attempt.taken > 1) return true;
    if (!attempt.failure) throw error;
    await noteFailure(kernel, attempt.failure, now);
    return true;
  }
}

async function noteFailure(kernel: Kernel, failure: NonNullable<Attempt['failure']>, now: Instant): Promise<void> {
  const { delivery, error } = failure;
  const attempts = delivery.attempts + 1;
  kernel.log.error({ error, event: delivery.name, consumer: delivery.consumer, traceId: delivery.traceId }, 'an event was not consumed');
  const reason = String(error).slice(0, 500);
  const failed = attempts >= MAX_ATTEMPTS;
  await kernel.transactions.run(delivery.traceId, async ({ tx }) => {
    await sql`
      update kernel_outbox_delivery
      set attempts = ${attempts}, last_error = ${reason}, state = ${failed ? 'FAILED' : 'PENDING'},
          next_try_at = ${failed ? now : plusMs(now, BACKOFF_MS * 2 ** (attempts - 1))}
      where outbox_id = ${delivery.outboxId} and consumer = ${delivery.consumer}`.execute(tx);
    if (failed) await notifyOutage(kernel, tx, { name: delivery.consumer, label: `处理事件 ${delivery.name}`, reason });
  });
}
