import { sql, type Selectable } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import { command, query } from '#kernel/server/handler.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { authorColumns } from '#kernel/server/command/stampedColumns.ts';
import {
  addSceneSimulation,
  exportSceneSimulationList,
  querySceneSimulation,
  querySceneSimulationList,
  simulatedOutcome,
  type Simulation,
} from '../../contract/engine/simulationCalls.ts';
import { seesCareOf } from '#domains/patient/server/index.ts';
import { accessPackage, lockPackage } from '../access.ts';
import { own, ownTx } from '../database.ts';
import { candidatesOf } from '../previews/dryRun.ts';
import { publishedSnapshot } from '../previews/handlers.ts';
import { doctorNames, patientNames } from '../runs/people.ts';
import type { CorpusScenePreview } from '../tables.ts';
import { draftSnapshot, hashOf } from '../versions/draft.ts';
import { simulateJob, type SimulationSummary } from './simulate.ts';

const present = (row: Selectable<CorpusScenePreview>): Simulation => {
  // Written by the job alone.
  const summary = row.summary as Partial<SimulationSummary>;
  return {
    previewId: row.id,
    source: row.source,
    asOf: row.asOf,
    days: row.days,
    state: row.state,
    done: row.doneCount,
    total: row.totalCount,
    counts: summary.counts ?? { SENT: 0, HELD: 0, SKIPPED: 0, CANCELLED: 0, UNKNOWN: 0 },
    runs: summary.runs ?? 0,
    entered: summary.entered ?? 0,
    slots: summary.slots ?? [],
    atCap: summary.atCap ?? 0,
    perMinute: summary.perMinute ?? 0,
    fault: row.fault,
    createdAt: row.createdAt,
  };
};

export const startSimulation = command(addSceneSimulation, async ({ scenePackageId, source, days }, ctx) => {
  const scene = await lockPackage(ctx.tx, { scenePackageId });
  const snapshot =
    source === 'DRAFT' ? await draftSnapshot(ownTx(ctx.tx), scenePackageId) : await publishedSnapshot(ctx.tx, scenePackageId);
  const persons = await candidatesOf(ctx.tx, scenePackageId);
  const row = await ownTx(ctx.tx)
    .insertInto('corpusScenePreview')
    .values({
      scenePackageId,
      kind: 'SIMULATE',
      source,
      contentHash: hashOf(snapshot),
      snapshot: JSON.stringify(snapshot),
      asOf: ctx.now,
      days,
      state: 'RUNNING',
      totalCount: persons.length,
      ...authorColumns(ctx),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.enqueue(simulateJob, { previewId: row.id });
  ctx.target({ type: 'corpus.scene', id: scene.id, no: scene.name, looked: true });
  return present(row);
});

export const readSimulation = query(querySceneSimulation, async ({ scenePackageId }, ctx) => {
  await accessPackage(own(ctx.db), { scenePackageId });
  const row = await own(ctx.db)
    .selectFrom('corpusScenePreview')
    .selectAll()
    .where('scenePackageId', '=', scenePackageId)
    .where('kind', '=', 'SIMULATE')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? present(row) : null;
});

const outcomeOf = (code: string) => simulatedOutcome.codes.find((one) => one === code) ?? 'UNKNOWN';

export const simulationList = listOf(querySceneSimulationList)
  .from(({ db, staff, now }) =>
    own(db)
      .selectFrom('corpusPreviewTouch as r')
      .where('r.change', 'in', [...simulatedOutcome.codes])
      .where(seesCareOf('r.patientId', sql.ref<string>('r.conversationId'), staff, now)),
  )
  .with({
    where: { previewId: 'r.previewId', outcome: 'r.change' },
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
      return rows.map(({ doctorId, change, beforeAt, afterAt, ...row }) => ({
        ...row,
        outcome: outcomeOf(change),
        dueAt: beforeAt,
        at: afterAt,
        patientName: mask('name', patients(row.patientId)),
        doctorName: doctors(doctorId),
      }));
    },
  });

export const simulationExport = listExport(simulationList, {
  call: exportSceneSimulationList,
  title: '模拟明细',
  routeKey: 'corpus',
  columns: ['patientName', 'doctorName', 'outcome', 'label', 'dueAt', 'at', 'why'],
});
