import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { EventDeclaration } from '../../contract/event.ts';
import type { Instant } from '../../contract/time.ts';
import type { Tx } from '../context.ts';
import { WITH_COMMIT } from '../database/roundTrips.ts';

/** `identity.user.changed` → `identity.user`: events of one thing share one gap-free sequence per aggregate. */
const aggregateTypeOf = (name: string) => name.split('.').slice(0, 2).join('.');

/** Events of one statement. */
const AT_ONCE = 500;

/** Writes the same event of many aggregates, each of which is named once. @throws as `writeEvent`. */
export async function writeEvents(
  tx: Tx,
  consumers: readonly string[],
  declaration: EventDeclaration,
  events: readonly { aggregateId: string; payload: unknown }[],
  { at, traceId }: { at: Instant; traceId: string },
): Promise<void> {
  for (let from = 0; from < events.length; from += AT_ONCE) {
    const part = events.slice(from, from + AT_ONCE);
    await sql`
      with asked as (
        select * from unnest(${part.map(() => randomUUID())}::uuid[], ${part.map(({ aggregateId }) => aggregateId)}::text[],
          ${part.map(({ payload }) => JSON.stringify(declaration.payload.parse(payload)))}::text[]) as a (event_id, aggregate_id, payload)
      ), numbered as (
        insert into kernel_aggregate_seq (aggregate_type, aggregate_id, seq)
        select ${aggregateTypeOf(declaration.name)}, aggregate_id, 1 from asked order by aggregate_id
        on conflict (aggregate_type, aggregate_id) do update set seq = kernel_aggregate_seq.seq + 1
        returning aggregate_id, seq
      ), written as (
        insert into kernel_outbox (event_id, name, aggregate_id, seq, payload, at, trace_id)
        select event_id, ${declaration.name}, aggregate_id, seq, payload::jsonb, ${at}::timestamptz, ${traceId}
        from asked join numbered using (aggregate_id) returning id
      )
      insert into kernel_outbox_delivery (outbox_id, consumer, state, next_try_at)
      select written.id, consumer, 'PENDING', ${at}::timestamptz
      from written, unnest(${[...consumers]}::text[]) as consumer${sql.raw(WITH_COMMIT)}`.execute(tx);
  }
}

/**
 * Writes an event in the publisher's transaction, with one delivery row per registered consumer.
 * @throws when the payload does not fit the declared schema (a programming error).
 */
export async function writeEvent(
  tx: Tx,
  consumers: readonly string[],
  declaration: EventDeclaration,
  event: { aggregateId: string; payload: unknown; at: Instant; traceId: string },
): Promise<void> {
  const payload = declaration.payload.parse(event.payload);
  await sql`
    with numbered as (
      insert into kernel_aggregate_seq (aggregate_type, aggregate_id, seq)
      values (${aggregateTypeOf(declaration.name)}, ${event.aggregateId}, 1)
      on conflict (aggregate_type, aggregate_id) do update set seq = kernel_aggregate_seq.seq + 1
      returning seq
    ), written as (
      insert into kernel_outbox (event_id, name, aggregate_id, seq, payload, at, trace_id)
      select ${randomUUID()}, ${declaration.name}, ${event.aggregateId}, seq, ${JSON.stringify(payload)}::jsonb,
             ${event.at}::timestamptz, ${event.traceId}
      from numbered returning id
    )
    insert into kernel_outbox_delivery (outbox_id, consumer, state, next_try_at)
    select written.id, consumer, 'PENDING', ${event.at}::timestamptz
    from written, unnest(${[...consumers]}::text[]) as consumer${sql.raw(WITH_COMMIT)}`.execute(tx);
}
