import { sql } from 'kysely';
import { dayOf, type Instant } from '#kernel/contract/time.ts';
import { runEntered } from '#events/corpus.ts';
import type { Writing } from '#kernel/server/context.ts';
import type { ExplainedCondition } from '../../contract/engine/evaluateUnit.ts';
import { unitKey } from '../facts/unitFacts.ts';
import type { Unit } from '../facts/units.ts';
import type { PublishedPackage } from './published.ts';
import { insertTouches, touchesOf, touchRows, usableDays, withinHorizon } from './touches.ts';

export interface Entering {
  unit: Unit;
  explain: readonly ExplainedCondition[];
  source: 'AUTO' | 'MANUAL';
  note: string;
  /** Who let them in; null for the engine. */
  by: string | null;
}

/**
 * Lets units into a package: their runs, pinned to the version, and the touches of the coming days. Whoever entered meanwhile is left out.
 * @returns the units that entered, with the numbers of their runs
 */
export async function enterUnits(
  writing: Writing,
  published: PublishedPackage,
  entering: readonly Entering[],
  now: Instant,
): Promise<{ unit: Unit; runId: string; runNo: string }[]> {
  if (entering.length === 0) return [];
  const column = <T>(of: (one: Entering) => T): T[] => entering.map(of);
  const { scenePackageId, versionId, sceneId, diseaseId, snapshot } = published;
  const { rows } = await sql<{ id: string; runNo: string; patientId: string; conversationId: string }>`
    insert into corpus_follow_run (
      scene_package_id, package_version_id, disease_id, scene_id, patient_id, conversation_id, group_id, doctor_id, assistant_operator_id,
      entry_source, entry_explain, entry_note, entered_at, base_date, state, created_at, created_by, updated_at, updated_by
    )
      select ${scenePackageId}::bigint, ${versionId}::bigint, ${diseaseId}::bigint, ${sceneId}::bigint, r.patient_id, r.conversation_id,
          r.group_id, r.doctor_id, r.assistant_id, r.source, r.explain::jsonb, r.note, ${now}::timestamptz, ${dayOf(now)}::date, 'RUNNING',
          ${now}::timestamptz, r.by_id, ${now}::timestamptz, r.by_id
        from unnest(
          ${column(({ unit }) => unit.patientId)}::bigint[], ${column(({ unit }) => unit.conversationId)}::bigint[],
          ${column(({ unit }) => unit.groupId)}::text[], ${column(({ unit }) => unit.doctorId)}::bigint[],
          ${column(({ unit }) => unit.assistantOperatorId)}::bigint[], ${column(({ source }) => source)}::text[],
          ${column(({ explain }) => JSON.stringify(explain))}::text[], ${column(({ note }) => note)}::text[],
          ${column(({ by }) => by)}::bigint[]
        ) as r (patient_id, conversation_id, group_id, doctor_id, assistant_id, source, explain, note, by_id)
        on conflict do nothing
        returning id, run_no, patient_id, conversation_id`.execute(writing.tx);
  const usableDay = await usableDays(writing.tx, snapshot.policy.calendarMode, dayOf(now));
  const touches = rows.flatMap(({ id, patientId }) => {
    const run = { id, scenePackageId, patientId, enteredAt: now, shiftDays: 0 };
    return touchRows(run, snapshot, withinHorizon(touchesOf(run, snapshot, usableDay), now));
  });
  await insertTouches(writing.tx, touches, now);
  await writing.publishMany(
    runEntered,
    rows.map(({ id, runNo, patientId, conversationId }) => ({
      aggregateId: id,
      payload: { runId: id, runNo, patientId, conversationId, sceneId },
    })),
  );
  const units = new Map(entering.map(({ unit }) => [unitKey(unit), unit]));
  return rows.flatMap(({ id, runNo, ...row }) => {
    const unit = units.get(unitKey(row));
    return unit ? [{ unit, runId: id, runNo }] : [];
  });
}
