import { sql } from 'kysely';
import type { Instant } from '../../contract/time.ts';
import type { Tx } from '../context.ts';

export interface Delivery {
  outboxId: string;
  /** `{domain}:{event}`. */
  consumer: string;
}

/**
 * Events reach a consumer once more, from the first try on. Whoever asks for one that was taken up knows that the consumer
 * bears it twice. Answers how many were there.
 */
export async function redeliver(tx: Tx, deliveries: readonly Delivery[], now: Instant): Promise<number> {
  const { rows } = await sql`
    update kernel_outbox_delivery d set state = 'PENDING', attempts = 0, next_try_at = ${now}::timestamptz, done_at = null
    from unnest(
      ${deliveries.map(({ outboxId }) => outboxId)}::bigint[], ${deliveries.map(({ consumer }) => consumer)}::text[]
    ) as x (outbox_id, consumer)
    where d.outbox_id = x.outbox_id and d.consumer = x.consumer returning d.outbox_id`.execute(tx);
  return rows.length;
}
