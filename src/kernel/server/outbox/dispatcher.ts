import { sql } from 'kysely';
import type { DeliveredEvent } from '../../contract/event.ts';
import { plusMs, type Instant } from '../../contract/time.ts';
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

/**
 * Delivers one due event to one consumer, in the transaction that also marks it done; parallel processes skip
 * each other's rows.
 * @returns false when nothing was due.
 */
export async function deliverNext(kernel: Kernel, consumers: ReadonlyMap<string, Consumer>, now: Instant): Promise<boolean> {
  let failed: { delivery: DueDelivery; error: unknown } | null = null;
  const delivered = await kernel.transactions
    .run('outbox', async (writing) => {
      const { rows } = await sql<DueDelivery>`
        select d.outbox_id, d.consumer, d.attempts, o.event_id, o.name, o.at, o.aggregate_id, o.seq::int as seq, o.payload, o.trace_id
        from kernel_outbox_delivery d join kernel_outbox o on o.id = d.outbox_id
        where d.state = 'PENDING' and d.next_try_at <= ${now}::timestamptz
        order by d.outbox_id limit 1 for update of d skip locked`.execute(writing.tx);
      const delivery = rows[0];
      if (!delivery) return false;
      const consumer = consumers.get(delivery.consumer);
      if (consumer) {
        try {
          await consumer.run(delivery, { ...writing, kernel, now, traceId: delivery.traceId });
        } catch (error) {
          failed = { delivery, error };
          throw error;
        }
      }
      await sql`
        update kernel_outbox_delivery set state = 'DONE', done_at = ${now}, attempts = attempts + 1
        where outbox_id = ${delivery.outboxId} and consumer = ${delivery.consumer}`.execute(writing.tx);
      return true;
    })
    .catch((error: unknown) => {
      if (failed) return true;
      throw error;
    });
  if (failed) await noteFailure(kernel, failed, now);
  return delivered;
}

async function noteFailure(kernel: Kernel, failure: { delivery: DueDelivery; error: unknown }, now: Instant): Promise<void> {
  const { delivery, error } = failure;
  const attempts = delivery.attempts + 1;
  kernel.log.error({ error, event: delivery.name, consumer: delivery.consumer, traceId: delivery.traceId }, 'an event was not consumed');
  await sql`
    update kernel_outbox_delivery
    set attempts = ${attempts}, last_error = ${String(error).slice(0, 500)},
        state = ${attempts >= MAX_ATTEMPTS ? 'FAILED' : 'PENDING'}, next_try_at = ${plusMs(now, BACKOFF_MS * 2 ** (attempts - 1))}
    where outbox_id = ${delivery.outboxId} and consumer = ${delivery.consumer}`.execute(kernel.db);
}
