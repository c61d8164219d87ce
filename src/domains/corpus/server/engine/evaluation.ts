import { sql } from 'kysely';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx, Writing } from '#kernel/server/context.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { confirmedCodes, labels, listByDiagnosis } from '#domains/patient/server/index.ts';
import { own } from '../database.ts';
import { inLanes } from './lanes.ts';
import { observe } from '../facts/observe.ts';
import { enterUnits } from './enter.ts';
import { judgeUnits, type JudgedUnit, type Seen } from './judge.ts';
import { runningPackages, type PublishedPackage } from './published.ts';
import { readUnitStates } from './unitStates.ts';

/** Persons that are judged together: one question for each variable and chunk. */
export const CHUNK = 1000;

/**
 * Keeps the answers of one judgement: an entry takes the arm away, a false condition gives it back, all else leaves it. An answer that
 * stays what it was is not written again; what it was found by stands with the facts that are kept.
 */
async function keepAnswers(tx: Tx, scenePackageId: string, judged: readonly JudgedUnit[], now: Instant): Promise<void> {
  const changed = judged.flatMap(({ unit, holds, verdict, explain, kept }) => {
    const result = verdict.result !== 'LIVE' ? verdict.result : holds ? 'ENTER' : 'NOT';
    const armed = verdict.result === 'ENTER' ? false : holds ? (kept?.armed ?? verdict.result !== 'LIVE') : true;
    return kept?.result === result && kept.armed === armed ? [] : [{ unit, result, armed, explain }];
  });
  if (changed.length === 0) return;
  await sql`
    insert into corpus_scene_eval as e (scene_package_id, patient_id, conversation_id, result, explain, since, evaluated_at, armed)
      select ${scenePackageId}::bigint, r.patient_id, r.conversation_id, r.result, r.explain::jsonb, ${now}, ${now}, r.armed
        from unnest(
          ${changed.map(({ unit }) => unit.patientId)}::bigint[], ${changed.map(({ unit }) => unit.conversationId)}::bigint[],
          ${changed.map(({ result }) => result)}::text[], ${changed.map(({ explain }) => JSON.stringify(explain))}::text[],
          ${changed.map(({ armed }) => armed)}::boolean[]
        ) as r (patient_id, conversation_id, result, explain, armed)
        on conflict (scene_package_id, conversation_id, patient_id) do update
        set result = excluded.result, explain = excluded.explain, evaluated_at = excluded.evaluated_at,
          armed = excluded.result = 'NOT' or (e.armed and excluded.armed),
          since = case when e.result = excluded.result then e.since else excluded.since end`.execute(tx);
}

/** Judges persons, of whom everything was read, for one package and lets in who may enter. @returns how many entered */
export async function evaluatePersons(
  writing: Writing,
  published: PublishedPackage,
  patientIds: readonly string[],
  now: Instant,
  seen: Seen,
): Promise<number> {
  const judged = await judgeUnits(writing.tx, published, patientIds, now, seen);
  if (judged.length === 0) return 0;
  const entered = await enterUnits(
    writing,
    published,
    judged
      .filter(({ verdict }) => verdict.result === 'ENTER')
      .map(({ unit, explain }) => ({ unit, explain, source: 'AUTO' as const, note: '', by: null })),
    now,
  );
  for (const { unit } of entered) seen.unitStates.entered(published.scenePackageId, unit);
  await keepAnswers(writing.tx, published.scenePackageId, judged, now);
  return entered.length;
}

/** Reads everything about persons, once for all packages that will judge them. */
async function look(tx: Tx, packages: readonly PublishedPackage[], patientIds: readonly string[], now: Instant): Promise<Seen> {
  const seen = await observe(tx, patientIds, now);
  const ids = packages.map(({ scenePackageId }) => scenePackageId);
  return { ...seen, unitStates: await readUnitStates(tx, ids, [...seen.open.values()].flat()) };
}

const letsIn = ({ snapshot }: PublishedPackage): boolean => snapshot.policy.entryMode === 'AUTO';

interface Sweep {
  kernel: Kernel;
  now: Instant;
  signal: AbortSignal;
  traceId: string;
  transaction<T>(work: (writing: Writing) => Promise<T>): Promise<T>;
}

/** A disease whose patients are looked at, with the packages that let them in. */
export interface SweptDisease {
  icd10Prefixes: readonly string[];
  packages: readonly PublishedPackage[];
}

/** Every disease of the corpus, one without a running package too: its first one will be run against the days before. */
export async function sweptDiseases(db: Db): Promise<SweptDisease[]> {
  const packages = Map.groupBy(await runningPackages(db), ({ diseaseId }) => diseaseId);
  const diseases = await own(db)
    .selectFrom('corpusDisease')
    .select(['id', 'icd10Prefixes'])
    .where('available', '=', 1)
    .orderBy('id')
    .execute();
  return diseases.map(({ id, icd10Prefixes }) => ({ icd10Prefixes, packages: packages.get(id) ?? [] }));
}

/** Chunks that are looked at beside one another: while the database writes one, the next is judged. */
const LANES = 2;

/**
 * Looks at everybody with each disease, in chunks of their own transactions: what is known of them is read once, kept, and judged by
 * all packages of the disease.
 */
export async function sweep(ctx: Sweep, diseases: readonly SweptDisease[]): Promise<void> {
  const { kernel, now, signal, transaction } = ctx;
  const failures = isolateFailures(ctx);
  for (const { icd10Prefixes, packages } of diseases) {
    let after = '0';
    let page: Promise<string[]> = Promise.resolve([]);
    const next = () =>
      (page = page.then(async () => {
        const persons = await listByDiagnosis(kernel.db, [...icd10Prefixes], after, CHUNK);
        after = persons.at(-1) ?? after;
        return persons;
      }));
    await inLanes(LANES, async () => {
      for (let persons = await next(); persons.length > 0 && !signal.aborted; persons = await next()) {
        await failures.runTogether(
          persons,
          (id) => `患者${id}`,
          (some) =>
            transaction(async (writing) => {
              const open = packages.filter(letsIn);
              const seen = await look(writing.tx, open, some, now);
              for (const published of open) await evaluatePersons(writing, published, some, now, seen);
            }),
        );
      }
    });
    if (signal.aborted) break;
  }
  failures.throwIfAny();
}

/** Judges one person, whose facts changed, for every running package of his diseases. */
export async function evaluatePatient(writing: Writing, patientId: string, now: Instant): Promise<void> {
  const { tx } = writing;
  const [person] = await labels(tx, [patientId]);
  if (person?.canonicalId !== patientId || person.state !== 'ACTIVE' || person.lifeState !== 'ALIVE') return;
  const codes = await confirmedCodes(tx, patientId);
  const fitting = (await sweptDiseases(tx)).filter(({ icd10Prefixes }) =>
    icd10Prefixes.some((prefix) => codes.some((code) => code.startsWith(prefix.toUpperCase()))),
  );
  if (fitting.length === 0) return;
  const packages = fitting.flatMap((disease) => disease.packages.filter(letsIn));
  const seen = await look(tx, packages, [patientId], now);
  for (const published of packages) await evaluatePersons(writing, published, [patientId], now, seen);
}
