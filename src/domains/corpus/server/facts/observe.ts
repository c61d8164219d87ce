import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Fact, Facts } from '#kernel/contract/rules/rule.ts';
import type { Tx } from '#kernel/server/context.ts';
import { agreeing, labels } from '#domains/patient/server/index.ts';
import { variableSeeds } from '../conditions/variableReference.ts';
import { unitFacts, unitKey } from './unitFacts.ts';
import { openUnits, type Unit } from './units.ts';

/** All that the engine knows of some persons at one moment. */
export interface Observation {
  open: ReadonlyMap<string, Unit[]>;
  facts: ReadonlyMap<string, Facts>;
  followUp: ReadonlySet<string>;
}

const ALL_CODES = variableSeeds.map(({ code }) => code);
const sourceOf = new Map(variableSeeds.map(({ code, source }) => [code, source]));

/** Facts as they are kept: the value and when it came about; where it comes from is the variable's own. */
type Kept = Readonly<Record<string, readonly [value: string | null, at: string | null]>>;
export const keptFacts = (facts: Facts): Kept => Object.fromEntries([...facts].map(([code, { value, at }]) => [code, [value, at]]));

/** Facts as they were kept. */
export const factsKept = (kept: unknown): Map<string, Fact> =>
  new Map(Object.entries(kept as Kept).map(([code, [value, at]]) => [code, { value, at, source: sourceOf.get(code) ?? '' }]));

/** How many variables there were when facts were kept; new ones go to the end of the catalogue. */
export const CATALOGUE = variableSeeds.length;
/** Codes that were known when so many variables were. */
export const codesOf = (catalogue: number): readonly string[] => ALL_CODES.slice(0, catalogue);

/**
 * Reads everything about persons at this moment and keeps it: what a condition may ever ask, so that a scene that is changed later can
 * be run against today with the facts of today.
 */
export async function observe(tx: Tx, patientIds: readonly string[], now: Instant): Promise<Observation> {
  const open = await openUnits(tx, patientIds);
  const units = patientIds.flatMap((patientId) => open.get(patientId) ?? []);
  const persons = [...new Set(units.map(({ patientId }) => patientId))];
  const facts = await unitFacts(tx, units, ALL_CODES, now, open);
  const followUp = await agreeing(tx, persons, 'FOLLOW_UP', now);
  const marketing = await agreeing(tx, persons, 'MARKETING', now);
  const known = new Map((await labels(tx, persons)).map((label) => [label.patientId, label]));
  const column = <T>(of: (unit: Unit) => T): T[] => units.map(of);
  if (units.length > 0)
    await sql`
      insert into corpus_fact_log (
        patient_id, conversation_id, at, facts, catalogue, group_id, doctor_id, assistant_operator_id, follow_up, marketing, alive,
        cancelled
      )
        select r.patient_id, r.conversation_id, ${now}::timestamptz, r.facts::jsonb, ${CATALOGUE}, r.group_id, r.doctor_id, r.assistant_id,
            r.follow_up, r.marketing, r.alive, r.cancelled
          from unnest(
            ${column(({ patientId }) => patientId)}::bigint[], ${column(({ conversationId }) => conversationId)}::bigint[],
            ${column((unit) => JSON.stringify(keptFacts(facts.get(unitKey(unit))!)))}::text[], ${column(({ groupId }) => groupId)}::text[],
            ${column(({ doctorId }) => doctorId)}::bigint[], ${column(({ assistantOperatorId }) => assistantOperatorId)}::bigint[],
            ${column(({ patientId }) => followUp.has(patientId))}::boolean[],
            ${column(({ patientId }) => marketing.has(patientId))}::boolean[],
            ${column(({ patientId }) => known.get(patientId)?.lifeState === 'ALIVE')}::boolean[],
            ${column(({ patientId }) => known.get(patientId)?.state === 'CANCELLED')}::boolean[]
          ) as r (patient_id, conversation_id, facts, group_id, doctor_id, assistant_id, follow_up, marketing, alive, cancelled)
          on conflict do nothing`.execute(tx);
  return { open, facts, followUp };
}

/** Days for which facts are kept; a replay looks back two weeks. */
export const FACTS_KEPT_DAYS = 62;

export const dropOldFacts = (tx: Tx, now: Instant) =>
  sql`delete from corpus_fact_log where at < ${now}::timestamptz - make_interval(days => ${FACTS_KEPT_DAYS})`.execute(tx);
