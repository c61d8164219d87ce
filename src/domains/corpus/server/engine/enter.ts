import { dayOf, type Instant } from '../../../../kernel/contract/time.ts';
import { runEntered } from '../../../../events/corpus.ts';
import type { Writing } from '../../../../kernel/server/context.ts';
import type { ExplainedCondition } from '../../contract/engine/evaluateUnit.ts';
import { corpusTx } from '../database.ts';
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
  const { scenePackageId, versionId, sceneId, diseaseId, snapshot } = published;
  const tx = corpusTx(writing.tx);
  const rows = await tx
    .insertInto('corpusFollowRun')
    .values(
      entering.map(({ unit, explain, source, note, by }) => ({
        scenePackageId,
        packageVersionId: versionId,
        diseaseId,
        sceneId,
        patientId: unit.patientId,
        conversationId: unit.conversationId,
        groupId: unit.groupId,
        doctorId: unit.doctorId,
        assistantOperatorId: unit.assistantOperatorId,
        entrySource: source,
        entryExplain: JSON.stringify(explain),
        entryNote: note,
        enteredAt: now,
        baseDate: dayOf(now),
        state: 'RUNNING' as const,
        createdAt: now,
        createdBy: by,
        updatedAt: now,
        updatedBy: by,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'runNo', 'patientId', 'conversationId'])
    .execute();
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
  return rows.flatMap(({ id, runNo, patientId, conversationId }) => {
    const entered = entering.find(({ unit }) => unit.patientId === patientId && unit.conversationId === conversationId);
    return entered ? [{ unit: entered.unit, runId: id, runNo }] : [];
  });
}
