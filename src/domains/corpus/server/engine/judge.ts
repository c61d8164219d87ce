import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { agreeing } from '#domains/patient/server/index.ts';
import { decideEntry, evaluateUnit, type ExplainedCondition, type Verdict } from '../../contract/engine/evaluateUnit.ts';
import { launchCodes, type PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import type { Observation } from '../facts/observe.ts';
import { openUnits, unitsOfScene, type Unit } from '../facts/units.ts';
import { readUnitStates, type KeptAnswer, type UnitStates } from './unitStates.ts';

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

/** What was read of persons before they are judged. */
export interface Seen extends Observation {
  unitStates: UnitStates;
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
  seen?: Seen,
): Promise<JudgedUnit[]> {
  const open = seen?.open ?? (await openUnits(db, patientIds));
  const units = patientIds.flatMap((patientId) => unitsOfScene(snapshot.chatFlag, open.get(patientId) ?? []));
  if (units.length === 0) return [];
  const facts = seen?.facts ?? (await unitFacts(db, units, launchCodes(snapshot), now, open));
  const unitStates = seen?.unitStates ?? (await readUnitStates(db, [scenePackageId], units));
  const consents = seen?.followUp ?? (await agreeing(db, [...new Set(units.map(({ patientId }) => patientId))], 'FOLLOW_UP', now));
  return units.map((unit) => {
    const { holds, explain } = evaluateUnit(snapshot, facts.get(unitKey(unit))!);
    const { kept, ...stood } = unitStates.of(scenePackageId, unit);
    const own = { ...stood, consent: consents.has(unit.patientId), ...(regardless && { armed: true }) };
    const policy = regardless ? { ...snapshot.policy, entryMode: 'AUTO' as const } : snapshot.policy;
    return {
      unit,
      holds,
      explain,
      verdict: decideEntry(policy, holds || regardless, own, now),
      kept,
    };
  });
}
