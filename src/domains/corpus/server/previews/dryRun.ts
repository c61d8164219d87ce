import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { operatorLabel } from '#kernel/contract/rules/sentence.ts';
import type { Db } from '#kernel/server/context.ts';
import { job, type JobContext } from '#kernel/server/jobs/declaration.ts';
import { listByDiagnosis } from '#domains/patient/server/index.ts';
import { blockReasons } from '../../contract/engine/evaluateUnit.ts';
import type { PreviewResult, RowEffect } from '../../contract/engine/previewCalls.ts';
import { roleLabels } from '../../contract/dictionaries.ts';
import { corpusErrors } from '../../contract/errors.ts';
import { own } from '../database.ts';
import { CHUNK } from '../engine/evaluation.ts';
import { inLanes } from '../engine/lanes.ts';
import { judgeUnits, type JudgedUnit } from '../engine/judge.ts';
import { readSnapshot } from '../engine/published.ts';

/** More candidates than a person can look through are refused. */
export const MOST_CANDIDATES = 100_000;

export interface Summary {
  counts: Record<PreviewResult, number>;
  effects: RowEffect[];
}

/** Counts results, and how many each condition lets through. */
export function addToSummary(summary: Summary, judged: readonly JudgedUnit[]): Summary {
  for (const { verdict, explain } of judged) {
    summary.counts[verdict.result] += 1;
    for (const [index, row] of explain.entries()) {
      if (row.checked === 0) continue;
      const label = `${row.set === 'main' ? '主场景 ' : ''}${roleLabels[row.role]}.${row.variableName} ${operatorLabel[row.operatorValue]} ${row.conditionValue}`;
      const effect = (summary.effects[index] ??= { label, held: 0, notHeld: 0, noData: 0 });
      if (row.verdict === 'HELD') effect.held += 1;
      else if (row.verdict === 'NOT_HELD') effect.notHeld += 1;
      else effect.noData += 1;
    }
  }
  return summary;
}

const reasonOf = ({ verdict }: JudgedUnit): string => (verdict.reason === null ? '' : blockReasons[verdict.reason]);

/** Keeps what a dry run found of some units. */
export async function keepRows(db: Db, previewId: string, judged: readonly JudgedUnit[]): Promise<void> {
  const column = <T>(of: (one: JudgedUnit) => T): T[] => judged.map(of);
  await sql`
    insert into corpus_scene_preview_row (preview_id, patient_id, conversation_id, doctor_id, result, reason, explain)
      select ${previewId}::bigint, r.patient_id, r.conversation_id, r.doctor_id, r.result, r.reason, r.explain::jsonb
        from unnest(
          ${column(({ unit }) => unit.patientId)}::bigint[], ${column(({ unit }) => unit.conversationId)}::bigint[],
          ${column(({ unit }) => unit.doctorId)}::bigint[], ${column(({ verdict }) => verdict.result)}::text[], ${column(reasonOf)}::text[],
          ${column(({ explain }) => JSON.stringify(explain))}::text[]
        ) as r (patient_id, conversation_id, doctor_id, result, reason, explain)
        on conflict do nothing`.execute(db);
}

/** Everybody with the disease, at most one more than may be looked through. @throws Refusal SCM11090 */
export async function candidatesOf(db: Db, scenePackageId: string): Promise<string[]> {
  const { icd10Prefixes } = await own(db)
    .selectFrom('corpusScenePackage as p')
    .innerJoin('corpusDisease as d', 'd.id', 'p.diseaseId')
    .select('d.icd10Prefixes')
    .where('p.id', '=', scenePackageId)
    .executeTakeFirstOrThrow();
  const persons = await listByDiagnosis(db, icd10Prefixes, '0', MOST_CANDIDATES + 1);
  if (persons.length > MOST_CANDIDATES) throw refuse(corpusErrors.TOO_MANY);
  return persons;
}

export const setPreview = (
  ctx: JobContext,
  previewId: string,
  set: { doneCount?: number; totalCount?: number; state?: 'DONE' | 'FAILED'; summary?: string; fault?: string; finishedAt?: Instant },
) => ctx.transaction(({ tx }) => own(tx).updateTable('corpusScenePreview').set(set).where('id', '=', previewId).execute());

/** Chunks that are judged beside one another: while the database keeps one, the next is read. */
const LANES = 2;

/** Judges everybody as the engine would at that moment, and writes nothing but its own rows. */
export const dryRunJob = job<{ previewId: string }>({
  name: 'corpus.dryRun',
  label: '场景试运行',
  subject: ({ previewId }) => previewId,
  expireSeconds: 3600,
  async run({ previewId }, ctx) {
    const row = await own(ctx.db).selectFrom('corpusScenePreview').selectAll().where('id', '=', previewId).executeTakeFirst();
    if (!row || row.state !== 'RUNNING') return;
    const judgedPackage = { scenePackageId: row.scenePackageId, snapshot: readSnapshot(row.snapshot) };
    const persons = await candidatesOf(ctx.db, row.scenePackageId);
    await setPreview(ctx, previewId, { totalCount: persons.length, doneCount: 0 });
    const summary: Summary = { counts: { ENTER: 0, LIVE: 0, BLOCKED: 0, NOT: 0 }, effects: [] };
    const chunks = Array.from({ length: Math.ceil(persons.length / CHUNK) }, (_, at) => persons.slice(at * CHUNK, (at + 1) * CHUNK));
    let done = 0;
    await inLanes(LANES, async () => {
      for (let chunk = chunks.shift(); chunk !== undefined; chunk = chunks.shift()) {
        if (ctx.signal.aborted) throw new Error('the process stops');
        const judged = await judgeUnits(ctx.db, judgedPackage, chunk, row.asOf);
        addToSummary(summary, judged);
        done += chunk.length;
        await ctx.transaction(async ({ tx }) => {
          await keepRows(tx, previewId, judged);
          await own(tx)
            .updateTable('corpusScenePreview')
            .set((eb) => ({ doneCount: eb.fn<number>('greatest', ['doneCount', eb.val(done)]) }))
            .where('id', '=', previewId)
            .execute();
        });
      }
    });
    await setPreview(ctx, previewId, { state: 'DONE', summary: JSON.stringify(summary), finishedAt: ctx.now });
  },
});

/** Days for which the rows of a dry run are kept. */
const KEPT = 7;

export const previewJobs = [
  dryRunJob,
  job({
    name: 'corpus.dropPreviews',
    label: '清理过期试运行',
    cron: '20 4 * * *',
    async run(_data, ctx) {
      await ctx.transaction(({ tx }) =>
        // What stood before who decided about a version is part of its audit.
        sql`delete from corpus_scene_preview p where created_at < ${ctx.now}::timestamptz - make_interval(days => ${KEPT})
             and not exists (select from corpus_package_version v where v.replay_id = p.id)`.execute(tx),
      );
    },
  }),
];
