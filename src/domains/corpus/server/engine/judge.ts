import { sql } from 'kysely';
import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { agreeing } from '../../../patient/server/index.ts';
import { decideEntry, evaluateUnit, type ExplainedCondition, type Standing, type Verdict } from '../../contract/engine/evaluateUnit.ts';
import { launchCodes, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import type { Observation } from '../facts/observe.ts';
import { openUnits, unitsOfScene, type Unit } from '../facts/units.ts';

/** What is judged: a package by one snapshot of it. */
export interface JudgedPackage {
  scenePackageId: string;
  snapshot: PackageSnapshot;
  /** Somebody is let in by hand: his conditions and their rising edge do not count. */
  regardless?: boolean;
}

export interface JudgedUnit {
  unit: Unit;
  /** Whether the launch conditions hold, whatever stands against an entry. */
  holds: boolean;
  verdict: Verdict;
  explain: ExplainedCondition[];
  /** The answer that was kept of the unit; null where there is none. */
  kept: KeptAnswer | null;
}

export interface KeptAnswer {
  result: 'ENTER' | 'NOT' | 'BLOCKED';
  armed: boolean;
}

type Stood = Omit<Standing, 'consent'> & { keptResult: KeptAnswer['result'] | null };
type StandingRow = { patientId: string; conversationId: string } & Stood;

/** How units stand to a package, in one statement. */
async function standings(db: Db, scenePackageId: string, units: readonly Unit[]): Promise<ReadonlyMap<string, Stood>> {
  const { rows } = await sql<StandingRow>`
    select u.patient_id, u.conversation_id, e.result as kept_result,
           coalesce(e.armed, true) as armed,
           exists (select from corpus_follow_run r where r.scene_package_id = ${scenePackageId} and r.conversation_id = u.conversation_id
                     and r.patient_id = u.patient_id and r.state in ('RUNNING', 'PAUSED')) as live,
           (select max(r.ended_at) from corpus_follow_run r where r.scene_package_id = ${scenePackageId} and r.conversation_id = u.conversation_id
                     and r.patient_id = u.patient_id) as last_ended_at,
           exists (select from corpus_scene_package own join corpus_scene s on s.id = own.scene_id join corpus_scene_package main on main.scene_id = s.main_scene_id and main.child_exclusive
                     join corpus_scene other on other.main_scene_id = s.main_scene_id and other.id <> s.id join corpus_follow_run r on r.scene_id = other.id
                    where own.id = ${scenePackageId} and r.conversation_id = u.conversation_id and r.patient_id = u.patient_id and r.state in ('RUNNING', 'PAUSED')) as sibling
      from unnest(${units.map(({ patientId }) => patientId)}::bigint[], ${units.map(({ conversationId }) => conversationId)}::bigint[]) as u (patient_id, conversation_id)
      left join corpus_scene_eval e on e.scene_package_id = ${scenePackageId} and e.conversation_id = u.conversation_id and e.patient_id = u.patient_id`.execute(
    db,
  );
  return new Map(rows.map(({ patientId, conversationId, ...standing }) => [unitKey({ patientId, conversationId }), standing]));
}

/**
 * Judges persons for a package as things stand: the units in which its scene lives, whether its conditions hold and whether they
 * would enter. Reads only; engine, dry run and manual entry ask it alike.
 * @param seen what was read of these persons already
 */
export async function judgeUnits(
  db: Db,
  { scenePackageId, snapshot, regardless = false }: JudgedPackage,
  patientIds: readonly string[],
  now: Instant,
  seen?: Observation,
): Promise<JudgedUnit[]> {
  const open = seen?.open ?? (await openUnits(db, patientIds));
  const units = patientIds.flatMap((patientId) => unitsOfScene(snapshot.chatFlag, open.get(patientId) ?? []));
  if (units.length === 0) return [];
  const facts = seen?.facts ?? (await unitFacts(db, units, launchCodes(snapshot), now, open));
  const standing = await standings(db, scenePackageId, units);
  const consents = seen?.followUp ?? (await agreeing(db, [...new Set(units.map(({ patientId }) => patientId))], 'FOLLOW_UP', now));
  return units.map((unit) => {
    const { holds, explain } = evaluateUnit(snapshot, facts.get(unitKey(unit))!);
    const { keptResult, ...stood } = standing.get(unitKey(unit))!;
    const own = { ...stood, consent: consents.has(unit.patientId), ...(regardless && { armed: true }) };
    const policy = regardless ? { ...snapshot.policy, entryMode: 'AUTO' as const } : snapshot.policy;
    return {
      unit,
      holds,
      explain,
      verdict: decideEntry(policy, holds || regardless, own, now),
      kept: keptResult && { result: keptResult, armed: stood.armed },
    };
  });
}
