import { sql, type Selectable } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import { addScenePreview, queryScenePreview, queryScenePreviewRows, type Preview } from '../../contract/engine/previewCalls.ts';
import type { ExplainedCondition } from '../../contract/engine/explained.ts';
import { seesCareOf } from '#domains/patient/server/index.ts';
import { accessPackage, lockPackage } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { runningPackages, snapshotsOf } from '../engine/published.ts';
import { doctorNames, patientNames } from '../runs/people.ts';
import type { CorpusScenePreview } from '../tables.ts';
import { draftSnapshot, hashOf } from '../versions/draft.ts';
import { candidatesOf, dryRunJob, type Summary } from './dryRun.ts';

const present = (row: Selectable<CorpusScenePreview>): Preview => {
  // Written by the job alone.
  const summary = row.summary as Partial<Summary>;
  return {
    previewId: row.id,
    source: row.source,
    contentHash: row.contentHash,
    asOf: row.asOf,
    state: row.state,
    done: row.doneCount,
    total: row.totalCount,
    counts: summary.counts ?? { ENTER: 0, LIVE: 0, BLOCKED: 0, NOT: 0 },
    effects: summary.effects ?? [],
    fault: row.fault,
    createdAt: row.createdAt,
  };
};

/** What runs of a package. @throws Refusal where nothing does */
export const publishedSnapshot = async (db: Db, scenePackageId: string) => {
  const [running] = await runningPackages(db, scenePackageId);
  if (!running) throw refuseField('source', '该场景没有运行中的版本，请选择草稿');
  return (await snapshotsOf(db, [running.versionId])).get(running.versionId)!;
};

export const startPreview = command(addScenePreview, async ({ scenePackageId, source }, ctx) => {
  const scene = await lockPackage(ctx.tx, { scenePackageId });
  const snapshot =
    source === 'DRAFT' ? await draftSnapshot(ownTx(ctx.tx), scenePackageId) : await publishedSnapshot(ctx.tx, scenePackageId);
  const persons = await candidatesOf(ctx.tx, scenePackageId);
  const row = await ownTx(ctx.tx)
    .insertInto('corpusScenePreview')
    .values({
      scenePackageId,
      kind: 'DRY_RUN',
      source,
      contentHash: hashOf(snapshot),
      snapshot: JSON.stringify(snapshot),
      asOf: ctx.now,
      days: 1,
      state: 'RUNNING',
      totalCount: persons.length,
      ...authorColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.enqueue(dryRunJob, { previewId: row.id });
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name, looked: true });
  return present(row);
});

export const readPreview = query(queryScenePreview, async ({ scenePackageId, previewId }, ctx) => {
  await accessPackage(own(ctx.db), { scenePackageId });
  let asked = own(ctx.db)
    .selectFrom('corpusScenePreview')
    .selectAll()
    .where('scenePackageId', '=', scenePackageId)
    .where('kind', '=', 'DRY_RUN');
  if (previewId !== undefined) asked = asked.where('id', '=', previewId);
  const row = await asked.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (!row && previewId !== undefined) throw refuse(platformErrors.NOT_FOUND);
  return row ? present(row) : null;
});

export const previewRows = listOf(queryScenePreviewRows)
  .from(({ db, staff, now }) =>
    own(db)
      .selectFrom('corpusScenePreviewRow as r')
      .where(seesCareOf('r.patientId', sql.ref<string>('r.conversationId'), staff, now)),
  )
  .with({
    where: { previewId: 'r.previewId', result: 'r.result' },
    id: 'r.patientId',
    unsorted: 'patients by their result',
    order: [
      ['r.result', 'asc'],
      ['r.patientId', 'asc'],
    ],
    select: (rows) => rows.select(['r.patientId', 'r.conversationId', 'r.doctorId', 'r.result', 'r.reason', 'r.explain']),
    async present(rows, { db }) {
      const patients = await patientNames(
        db,
        rows.map(({ patientId }) => patientId),
      );
      const doctors = await doctorNames(
        db,
        rows.map(({ doctorId }) => doctorId),
      );
      return rows.map(({ doctorId, explain, ...row }) => ({
        ...row,
        patientName: mask('name', patients(row.patientId)),
        doctorName: doctors(doctorId),
        explain: explain as ExplainedCondition[],
      }));
    },
  });
