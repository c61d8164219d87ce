import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { restDaysBetween } from '#domains/identity/server/index.ts';
import { dedupeKeyOf, planRun, type Touch } from '../../contract/engine/planRun.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { avoiding } from '../../contract/plan.ts';

/** Touches are written so many days ahead; every night adds a day. */
export const PLANNED_AHEAD = days(14);
/** Longest plan (a year), moved by holidays. */
const REST_DAYS_AHEAD = 400;

export const everyDay = (day: Day): Day => day;

/** Makes the days without sending of a package: none where every day may be used. */
export async function usableDays(db: Db, calendarMode: PackageSnapshot['policy']['calendarMode'], from: Day): Promise<(day: Day) => Day> {
  if (calendarMode === 'EVERY') return everyDay;
  return avoiding(new Set(await restDaysBetween(db, from, plusDays(from, REST_DAYS_AHEAD))));
}

/** The same for the packages of several runs, read once for each kind of calendar. */
export async function usableDaysOf(
  db: Db,
  snapshots: readonly PackageSnapshot[],
  runs: readonly { enteredAt: Instant }[],
): Promise<(snapshot: PackageSnapshot) => (day: Day) => Day> {
  const from = dayOf(
    runs
      .map(({ enteredAt }) => enteredAt)
      .reduce((first, at) => (at < first ? at : first), runs[0]?.enteredAt ?? new Date(0).toISOString()),
  );
  const workdays = snapshots.some(({ policy }) => policy.calendarMode === 'WORKDAY') ? await usableDays(db, 'WORKDAY', from) : null;
  return ({ policy }) => (policy.calendarMode === 'WORKDAY' && workdays ? workdays : everyDay);
}

export interface PlannedRun {
  id: string;
  scenePackageId: string;
  patientId: string;
  enteredAt: Instant;
  shiftDays: number;
}

/** The plan of a run, whole; what the engine writes of it depends on the time. */
export const touchesOf = (run: PlannedRun, snapshot: PackageSnapshot, usableDay: (day: Day) => Day): Touch[] =>
  planRun(snapshot, { enteredAt: run.enteredAt, shiftDays: run.shiftDays, usableDay });

/** Rows of touches that are not written yet. */
export const touchRows = (run: PlannedRun, snapshot: PackageSnapshot, touches: readonly Touch[]) =>
  touches.map((touch) => ({
    dedupeKey: dedupeKeyOf(run.id, touch),
    runId: run.id,
    scenePackageId: run.scenePackageId,
    itemKey: touch.itemKey,
    occurrence: touch.occurrence,
    materialIds: touch.materialIds,
    patientId: run.patientId,
    target: touch.target,
    touchKind: touch.touchKind,
    priority: snapshot.policy.priority,
    itemConditions: touch.itemConditions,
    dueAt: touch.dueAt,
    expiresAt: touch.expiresAt,
  }));

/** Writes planned touches, each once however often it is planned; a large number in one statement. */
export async function insertTouches(tx: Tx, rows: readonly ReturnType<typeof touchRows>[number][], now: Instant): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    insert into corpus_follow_send (
      dedupe_key, run_id, scene_package_id, item_key, occurrence, material_ids, patient_id, target, touch_kind, priority, item_conditions,
      due_at, next_try_at, expires_at, state, created_at, updated_at
    )
      select r.dedupe_key, r.run_id, r.scene_package_id, r.item_key, r.occurrence, r.material_ids, r.patient_id, r.target, r.touch_kind,
          r.priority, r.item_conditions, r.due_at, r.due_at, r.expires_at, 'PLANNED', ${now}, ${now}
        from jsonb_to_recordset(
          ${JSON.stringify(
            rows.map((row) => ({
              dedupe_key: row.dedupeKey,
              run_id: row.runId,
              scene_package_id: row.scenePackageId,
              item_key: row.itemKey,
              occurrence: row.occurrence,
              material_ids: row.materialIds,
              patient_id: row.patientId,
              target: row.target,
              touch_kind: row.touchKind,
              priority: row.priority,
              item_conditions: row.itemConditions,
              due_at: row.dueAt,
              expires_at: row.expiresAt,
            })),
          )}::jsonb
        ) as r (
          dedupe_key text, run_id bigint, scene_package_id bigint, item_key text, occurrence int, material_ids bigint[], patient_id bigint,
          target text, touch_kind text, priority int, item_conditions jsonb, due_at timestamptz, expires_at timestamptz
        )
        on conflict (dedupe_key) do nothing`.execute(tx);
}

/** What of a plan is written now: due within the coming days and not over. */
export const withinHorizon = (touches: readonly Touch[], now: Instant): Touch[] =>
  touches.filter(({ dueAt, expiresAt }) => dueAt <= plusMs(now, PLANNED_AHEAD) && expiresAt > now);
