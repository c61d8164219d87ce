import { sql } from 'kysely';
import { dayOf, days, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { agreeing, labels, withDiagnosis } from '#domains/patient/server/index.ts';
import type { Glimpse } from '../../contract/engine/known.ts';
import type { PlayedPackage, PlayedPatient, PlayedStart } from '../../contract/engine/play.ts';
import type { Sent } from '../../contract/engine/playGate.ts';
import type { PackageSnapshot } from '../../contract/engine/snapshot.ts';
import { own } from '../database.ts';
import { unitFacts, unitKey } from '../facts/unitFacts.ts';
import { openUnits } from '../facts/units.ts';

const JUDGED_AT = '05:00';
const TOUCHES_BEFORE = days(90);

/** A package as it is simulated: its own version, and those that runs under way are pinned to. */
export interface SimulatedPackage {
  scenePackageId: string;
  sceneId: string;
  snapshot: PackageSnapshot;
  /** Of which its runs are; null: all of the package's. */
  versionId: string | null;
  /** Lets nobody in: it only goes on with what is under way. */
  closed: boolean;
  icd10Prefixes: readonly string[];
}

/** A package that lets nobody in. */
export const closedTo = (snapshot: PackageSnapshot): PackageSnapshot => ({
  ...snapshot,
  policy: { ...snapshot.policy, entryMode: 'MANUAL' },
});

/** Moments at which somebody is judged: now, and every morning. Facts move with the date; everything else stays as it is. */
const momentsOf = (from: Instant, to: Instant): Instant[] => {
  const moments = [from];
  for (let day = plusDays(dayOf(from), 1); startOfDay(day, JUDGED_AT) < to; day = plusDays(day, 1))
    moments.push(startOfDay(day, JUDGED_AT));
  return moments;
};

const codesOf = ({ launch, mainLaunch, stop, schedule }: PackageSnapshot): string[] =>
  [...launch, ...(mainLaunch ?? []), ...stop, ...schedule.flatMap(({ itemConditions }) => itemConditions)].map(
    ({ variableCode }) => variableCode,
  );

async function sentBefore(
  db: Db,
  patientIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, (Sent & { patientId: string })[]>> {
  const { rows } = await sql<Sent & { patientId: string }>`
    select patient_id, coalesce(claimed_at, sent_at) as at, material_ids, source_kind in ('FOLLOW', 'CAMPAIGN') as counts,
        'R' || run_id as run_key, item_key
      from corpus_follow_send
      where patient_id = any(${[...patientIds]}::bigint[])
        and state = 'SENT'
        and sent_at >= ${plusMs(now, -TOUCHES_BEFORE)}::timestamptz`.execute(db);
  return Map.groupBy(rows, ({ patientId }) => patientId);
}

/** Persons as they are now, with the facts of the days to come. */
export async function presentOf(
  db: Db,
  patientIds: readonly string[],
  packages: readonly SimulatedPackage[],
  { from, to }: { from: Instant; to: Instant },
): Promise<PlayedPatient[]> {
  const open = await openUnits(db, patientIds);
  const units = patientIds.flatMap((patientId) => open.get(patientId) ?? []);
  const codes = [...new Set(packages.flatMap(({ snapshot }) => codesOf(snapshot)))];
  const codeSet = new Set(codes);
  const [followUp, marketing] = [await agreeing(db, patientIds, 'FOLLOW_UP', from), await agreeing(db, patientIds, 'MARKETING', from)];
  const known = new Map((await labels(db, patientIds)).map((label) => [label.patientId, label]));
  const glimpses = new Map<string, Glimpse[]>(units.map((unit) => [unitKey(unit), []]));
  for (const at of momentsOf(from, to)) {
    const facts = await unitFacts(db, units, codes, at, open);
    for (const unit of units)
      glimpses.get(unitKey(unit))!.push({
        at,
        facts: facts.get(unitKey(unit))!,
        codes: codeSet,
        followUp: followUp.has(unit.patientId),
        marketing: marketing.has(unit.patientId),
        alive: known.get(unit.patientId)?.lifeState === 'ALIVE',
        cancelled: known.get(unit.patientId)?.state === 'CANCELLED',
        judged: true,
      });
  }
  const sent = await sentBefore(db, patientIds, from);
  return patientIds.flatMap((patientId) => {
    const opened = open.get(patientId) ?? [];
    if (opened.length === 0) return [];
    return {
      patientId,
      units: opened.map((unit) => ({ ...unit, glimpses: glimpses.get(unitKey(unit))! })),
      otherTouches: sent.get(patientId) ?? [],
      // Nobody is assumed to write; whoever has just written is not cut short.
      humans: opened.flatMap(({ conversationId, lastHumanAt }) =>
        lastHumanAt === null ? [] : [{ conversationId, at: lastHumanAt, role: 'ASSISTANT' as const }],
      ),
    };
  });
}

/** How persons stand to packages now: their runs with what is left of them, and whether they may enter. */
export async function startsNow(
  db: Db,
  packages: readonly SimulatedPackage[],
  patientIds: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, PlayedPackage[]>> {
  const packageIds = [...new Set(packages.map(({ scenePackageId }) => scenePackageId))];
  const runs = await own(db)
    .selectFrom('corpusFollowRun')
    .select([
      'id',
      'scenePackageId',
      'packageVersionId',
      'patientId',
      'conversationId',
      'enteredAt',
      'shiftDays',
      'state',
      'pausedAt',
      'pausedUntil',
      'endedAt',
    ])
    .where('patientId', 'in', [...patientIds])
    .where('scenePackageId', 'in', packageIds)
    .orderBy('id')
    .execute();
  const live = runs.filter(({ endedAt }) => endedAt === null);
  const { rows } = await sql<{ runId: string; key: string; open: boolean; waits: boolean }>`
    select run_id, item_key || ':' || occurrence as key, state in ('PLANNED', 'HELD') as open, due_at < ${now}::timestamptz as waits
      from corpus_follow_send
      where run_id = any(${live.map(({ id }) => id)}::bigint[])`.execute(db);
  const touches = Map.groupBy(rows, ({ runId }) => runId);
  const armed = await own(db)
    .selectFrom('corpusSceneEval')
    .select(['scenePackageId', 'patientId', 'conversationId', 'armed'])
    .where('patientId', 'in', [...patientIds])
    .where('scenePackageId', 'in', packageIds)
    .execute();
  const placeOf = (one: { scenePackageId: string; patientId: string; conversationId: string }) => `${one.scenePackageId}|${unitKey(one)}`;
  const ofPlace = Map.groupBy(runs, placeOf);
  const armedAt = new Map(armed.map((one) => [placeOf(one), one.armed]));
  const conversations = Map.groupBy([...runs, ...armed], ({ patientId }) => patientId);
  const members = new Map<string, ReadonlySet<string>>();
  for (const { icd10Prefixes } of packages)
    if (!members.has(icd10Prefixes.join())) members.set(icd10Prefixes.join(), await withDiagnosis(db, patientIds, icd10Prefixes));
  const startOf = (pack: SimulatedPackage, patientId: string, conversationId: string): PlayedStart => {
    const place = placeOf({ scenePackageId: pack.scenePackageId, patientId, conversationId });
    const there = ofPlace.get(place) ?? [];
    return {
      runs: there
        .filter((run) => run.endedAt === null && (pack.versionId === null || run.packageVersionId === pack.versionId))
        .map((run) => {
          const ofRun = touches.get(run.id) ?? [];
          return {
            key: `R${run.id}`,
            enteredAt: run.enteredAt,
            shiftDays: run.shiftDays,
            done: new Set(ofRun.flatMap(({ key, open }) => (open ? [] : [key]))),
            waiting: new Set(ofRun.flatMap(({ key, open, waits }) => (open && waits ? [key] : []))),
            pausedAt: run.pausedAt,
            pausedUntil: run.pausedUntil,
          };
        }),
      armed: armedAt.get(place) ?? true,
      lastEndedAt: there.reduce<Instant | null>(
        (last, { endedAt }) => (endedAt !== null && (last === null || endedAt > last) ? endedAt : last),
        null,
      ),
      manual: [],
      pauses: [],
      resumes: [],
      ends: [],
      siblings: [],
    };
  };
  return new Map(
    patientIds.map((patientId) => {
      const known = [...new Set((conversations.get(patientId) ?? []).map(({ conversationId }) => conversationId))];
      return [
        patientId,
        packages.map((pack): PlayedPackage => ({
          scenePackageId: pack.scenePackageId,
          sceneId: pack.sceneId,
          snapshot: pack.closed || !members.get(pack.icd10Prefixes.join())!.has(patientId) ? closedTo(pack.snapshot) : pack.snapshot,
          starts: new Map(known.map((conversationId) => [conversationId, startOf(pack, patientId, conversationId)])),
        })),
      ];
    }),
  );
}
