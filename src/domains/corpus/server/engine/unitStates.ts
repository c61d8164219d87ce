import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import type { UnitState } from '../../contract/engine/evaluateUnit.ts';
import { unitKey } from '../facts/unitFacts.ts';
import type { Unit } from '../facts/units.ts';

/** The answer that was kept of a unit. */
export interface KeptAnswer {
  result: 'ENTER' | 'NOT' | 'BLOCKED';
  armed: boolean;
}

type Stood = Omit<UnitState, 'consent'> & { kept: KeptAnswer | null };
type Place = Pick<Unit, 'patientId' | 'conversationId'>;

/** How units stand to packages. */
export interface UnitStates {
  of(scenePackageId: string, unit: Place): Stood;
  /** A unit has just been let in, so that the packages that are asked after this one know. */
  entered(scenePackageId: string, unit: Place): void;
}

/** Other children of the same main scene, where that lets a unit live in one of them at a time: by package. */
async function siblings(db: Db, scenePackageIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ own: string; other: string }>`
    select own.id as own, other.id as other from corpus_scene_package own join corpus_scene s on s.id = own.scene_id
      join corpus_scene_package main on main.scene_id = s.main_scene_id and main.child_exclusive
      join corpus_scene o on o.main_scene_id = s.main_scene_id and o.id <> s.id join corpus_scene_package other on other.scene_id = o.id
     where own.id = any(${[...scenePackageIds]}::bigint[])`.execute(db);
  return new Map([...Map.groupBy(rows, ({ own }) => own)].map(([own, of]) => [own, of.map(({ other }) => other)]));
}

const keyOf = (scenePackageId: string, unit: Place): string => `${scenePackageId}|${unitKey(unit)}`;

/** Reads how units stand to all packages that will be asked of, in three statements whatever the number of both. */
export async function readUnitStates(db: Db, scenePackageIds: readonly string[], units: readonly Place[]): Promise<UnitStates> {
  const exclusive = await siblings(db, scenePackageIds);
  const asked = [...new Set([...scenePackageIds, ...[...exclusive.values()].flat()])];
  const places = sql`
    unnest(
      ${units.map(({ patientId }) => patientId)}::bigint[], ${units.map(({ conversationId }) => conversationId)}::bigint[]
    ) as u (patient_id, conversation_id)`;
  const evaluations = await sql<Place & KeptAnswer & { scenePackageId: string }>`
    select e.scene_package_id, e.patient_id, e.conversation_id, e.result, e.armed from ${places}
      join corpus_scene_eval e on e.patient_id = u.patient_id and e.conversation_id = u.conversation_id
     where e.scene_package_id = any(${[...scenePackageIds]}::bigint[])`.execute(db);
  const runs = await sql<Place & { scenePackageId: string; live: boolean; lastEndedAt: Instant | null }>`
    select r.scene_package_id, r.patient_id, r.conversation_id, bool_or(r.state in ('RUNNING', 'PAUSED')) as live,
        max(r.ended_at) as last_ended_at
      from ${places}
      join corpus_follow_run r on r.patient_id = u.patient_id and r.conversation_id = u.conversation_id
      where r.scene_package_id = any(${asked}::bigint[])
      group by 1, 2, 3`.execute(db);
  const kept = new Map(evaluations.rows.map(({ result, armed, ...row }) => [keyOf(row.scenePackageId, row), { result, armed }]));
  const run = new Map(runs.rows.map((row) => [keyOf(row.scenePackageId, row), row]));
  const live = new Set([...run].flatMap(([key, one]) => (one.live ? [key] : [])));
  return {
    of(scenePackageId, unit) {
      const key = keyOf(scenePackageId, unit);
      const answer = kept.get(key) ?? null;
      return {
        kept: answer,
        armed: answer?.armed ?? true,
        live: live.has(key),
        lastEndedAt: run.get(key)?.lastEndedAt ?? null,
        sibling: (exclusive.get(scenePackageId) ?? []).some((other) => live.has(keyOf(other, unit))),
      };
    },
    entered: (scenePackageId, unit) => void live.add(keyOf(scenePackageId, unit)),
  };
}
