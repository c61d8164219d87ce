import { sql } from 'kysely';
import { dayOf, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Facts } from '#kernel/contract/rules/rule.ts';
import type { Tx } from '#kernel/server/context.ts';
import { WITH_COMMIT } from '#kernel/server/database/roundTrips.ts';
import type { GateInput, GateVerdict } from '../../contract/engine/gate.ts';
import { keptFacts } from '../facts/observe.ts';

/** What a decision was made from. */
export interface Grounds {
  input: GateInput;
  facts: Facts;
}

interface Decided {
  send: { id: string; state: string; reasonCode: string | null; scenePackageId: string | null };
  verdict: GateVerdict;
  grounds: Grounds;
}

/** Keeps decisions with their grounds. One that only repeats the one before it on that day counts it up. */
export async function keepTries(tx: Tx, decided: readonly Decided[], now: Instant): Promise<void> {
  const repeated = decided.filter(
    ({ send, verdict }) => verdict.do === 'HOLD' && send.state === 'HELD' && send.reasonCode === verdict.reason,
  );
  const counted =
    repeated.length === 0
      ? []
      : (
          await sql<{ sendId: string }>`
            update corpus_gate_try t set last_at = ${now}, tries = t.tries + 1
              from (
                select send_id, max(at) as at
                  from corpus_gate_try
                  where send_id = any(${repeated.map(({ send }) => send.id)}::bigint[])
                  group by 1
              ) l
             where t.send_id = l.send_id and t.at = l.at and t.at >= ${startOfDay(dayOf(now))}::timestamptz returning t.send_id`.execute(tx)
        ).rows.map(({ sendId }) => sendId);
  const done = new Set(counted);
  const fresh = decided.filter(({ send }) => !done.has(send.id));
  if (fresh.length === 0) return;
  await sql`
    insert into corpus_gate_try (send_id, at, last_at, scene_package_id, input, facts, verdict)
      select r.send_id, ${now}::timestamptz, ${now}::timestamptz, r.scene_package_id, r.input, r.facts, r.verdict
        from jsonb_to_recordset(${JSON.stringify(
          fresh.map(({ send, verdict, grounds }) => ({
            send_id: send.id,
            scene_package_id: send.scenePackageId,
            input: grounds.input,
            facts: keptFacts(grounds.facts),
            verdict,
          })),
        )}::jsonb) as r (send_id bigint, scene_package_id bigint, input jsonb, facts jsonb, verdict jsonb)
        on conflict do nothing${sql.raw(WITH_COMMIT)}`.execute(tx);
}
