import { sql, type Selectable } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { plusDays } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addSceneReplay,
  querySceneReplay,
  querySceneReplayRows,
  REPLAY_DAYS,
  touchChange,
  type Replay,
} from '../../contract/engine/replayCalls.ts';
import { seesCareOf } from '#domains/patient/server/index.ts';
import { accessPackage, lockPackage } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { readSnapshot } from '../engine/published.ts';
import { candidatesOf } from '../previews/dryRun.ts';
import { doctorNames, patientNames } from '../runs/people.ts';
import type { CorpusScenePreview } from '../tables.ts';
import { draftSnapshot, hashOf } from '../versions/draft.ts';
import { baseOf } from './baseVersion.ts';
import { replayJob, replaySpan, type ReplaySummary } from './replay.ts';

/** What is looked at: the present draft, or a version. */
async function contentOf(db: Db, scenePackageId: string, versionId: string | undefined) {
  if (versionId === undefined) {
    const snapshot = await draftSnapshot(own(db), scenePackageId);
    return { snapshot, contentHash: hashOf(snapshot) };
  }
  const row = await own(db)
    .selectFrom('corpusPackageVersion')
    .select(['snapshot', 'contentHash'])
    .where('id', '=', versionId)
    .where('scenePackageId', '=', scenePackageId)
    .executeTakeFirst();
  if (!row) throw refuse(platformErrors.NOT_FOUND);
  return { snapshot: readSnapshot(row.snapshot), contentHash: row.contentHash };
}

async function present(db: Db, row: Selectable<CorpusScenePreview>): Promise<Replay> {
  // Written by the job alone.
  const summary = row.summary as Partial<ReplaySummary>;
  const base = await baseOf(db, row.scenePackageId);
  const against =
    row.baseVersionId === null
      ? null
      : await own(db).selectFrom('corpusPackageVersion').select('seq').where('id', '=', row.baseVersionId).executeTakeFirstOrThrow();
  return {
    replayId: row.id,
    contentHash: row.contentHash,
    baseSeq: against?.seq ?? null,
    fromDay: row.fromDay!,
    toDay: plusDays(row.fromDay!, REPLAY_DAYS - 1),
    state: row.state,
    done: row.doneCount,
    total: row.totalCount,
    counts: summary.counts ?? { ADDED: 0, DROPPED: 0, MOVED: 0, CHANGED: 0, UNKNOWN: 0, SAME: 0 },
    persons: summary.persons ?? 0,
    entered: summary.entered ?? { before: 0, after: 0 },
    days: summary.days ?? [],
    real: summary.real ?? { sent: 0, matched: 0 },
    isCut: summary.isCut ?? false,
    isCurrent: (base?.id ?? null) === row.baseVersionId,
    fault: row.fault,
    createdAt: row.createdAt,
  };
}

export const startReplay = command(addSceneReplay, async ({ scenePackageId, versionId }, ctx) => {
  const scene = await lockPackage(ctx.tx, { scenePackageId });
  const { snapshot, contentHash } = await contentOf(ctx.tx, scenePackageId, versionId);
  const persons = await candidatesOf(ctx.tx, scenePackageId);
  const base = await baseOf(ctx.tx, scenePackageId);
  const row = await ownTx(ctx.tx)
    .insertInto('corpusScenePreview')
    .values({
      scenePackageId,
      kind: 'REPLAY',
      source: versionId === undefined ? 'DRAFT' : 'PUBLISHED',
      contentHash,
      snapshot: JSON.stringify(snapshot),
      baseVersionId: base?.id ?? null,
      asOf: ctx.now,
      fromDay: replaySpan(ctx.now).fromDay,
      days: REPLAY_DAYS,
      state: 'RUNNING',
      totalCount: persons.length,
      ...authorColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.enqueue(replayJob, { previewId: row.id });
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name, looked: true });
  return present(ctx.tx, row);
});

export const readReplay = query(querySceneReplay, async ({ scenePackageId, versionId }, ctx) => {
  await accessPackage(own(ctx.db), { scenePackageId });
  const { contentHash } = await contentOf(ctx.db, scenePackageId, versionId);
  const version =
    versionId === undefined
      ? undefined
      : await own(ctx.db).selectFrom('corpusPackageVersion').select('replayId').where('id', '=', versionId).executeTakeFirst();
  // What stood before who decided stays with the version.
  let asked = own(ctx.db)
    .selectFrom('corpusScenePreview')
    .selectAll()
    .where('scenePackageId', '=', scenePackageId)
    .where('kind', '=', 'REPLAY');
  asked = version?.replayId ? asked.where('id', '=', version.replayId) : asked.where('contentHash', '=', contentHash);
  const row = await asked.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row ? present(ctx.db, row) : null;
});

const changeOf = (code: string) => touchChange.codes.find((one) => one === code) ?? 'UNKNOWN';

export const replayRows = listOf(querySceneReplayRows)
  .from(({ db, staff, now }) =>
    own(db)
      .selectFrom('corpusPreviewTouch as r')
      .where('r.change', 'in', [...touchChange.codes])
      .where(seesCareOf('r.patientId', sql.ref<string>('r.conversationId'), staff, now)),
  )
  .with({
    where: { previewId: 'r.previewId', change: 'r.change', patientId: 'r.patientId' },
    id: 'r.seq',
    unsorted: 'touches in the order in which they would be sent',
    order: [['r.seq', 'asc']],
    select: (rows) =>
      rows.select(['r.seq', 'r.patientId', 'r.conversationId', 'r.doctorId', 'r.change', 'r.label', 'r.beforeAt', 'r.afterAt', 'r.why']),
    async present(rows, { db }) {
      const patients = await patientNames(
        db,
        rows.map(({ patientId }) => patientId),
      );
      const doctors = await doctorNames(
        db,
        rows.map(({ doctorId }) => doctorId),
      );
      return rows.map(({ doctorId, change, ...row }) => ({
        ...row,
        change: changeOf(change),
        patientName: mask('name', patients(row.patientId)),
        doctorName: doctors(doctorId),
      }));
    },
  });
