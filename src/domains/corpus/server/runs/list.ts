import { sql } from 'kysely';
import { mask } from '#kernel/contract/masking.ts';
import type { Instant } from '#kernel/contract/time.ts';
import type { Db } from '#kernel/server/context.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { from, upTo } from '#kernel/server/list/conditions.ts';
import { seesCareOf, type Seer } from '#domains/patient/server/index.ts';
import { exportFollowRunList, queryFollowRunList, type RunRow } from '../../contract/engine/runCalls.ts';
import { own } from '../database.ts';
import { doctorNames, patientNames } from './people.ts';

/** Runs that somebody sees, an assistant those of his own conversations, with what a list shows of them. */
export const runsSeen = (db: Db, seer: Seer, now: Instant) =>
  own(db)
    .selectFrom('corpusFollowRun as r')
    .innerJoin('corpusScene as s', 's.id', 'r.sceneId')
    .innerJoin('corpusDisease as d', 'd.id', 'r.diseaseId')
    .innerJoin('corpusPackageVersion as v', 'v.id', 'r.packageVersionId')
    .where(seesCareOf('r.patientId', sql.ref<string>('r.conversationId'), seer, now));

export const selectRuns = (query: ReturnType<typeof runsSeen>) =>
  query
    .select([
      'r.id',
      'r.runNo',
      'r.patientId',
      'r.sceneId',
      's.name as sceneName',
      'd.diseaseName',
      'v.seq as versionSeq',
      'r.doctorId',
      'r.groupId',
      'r.entrySource',
      'r.enteredAt',
      'r.state',
      'r.pauseReason',
      'r.pausedUntil',
      'r.stopReason',
      'r.endedAt',
      'r.sentCount',
      'r.readCount',
      'r.repliedCount',
      'r.convertedAt',
      'r.version',
    ])
    .select((eb) =>
      eb
        .selectFrom('corpusFollowSend as n')
        .select(({ fn }) => fn.min('n.dueAt').as('at'))
        .whereRef('n.runId', '=', 'r.id')
        .where('n.state', 'in', ['PLANNED', 'HELD'])
        .as('nextDueAt'),
    );

type Raw = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number];

export async function presentRuns(db: Db, rows: readonly Raw[]): Promise<RunRow[]> {
  const patients = await patientNames(
    db,
    rows.map(({ patientId }) => patientId),
  );
  const doctors = await doctorNames(
    db,
    rows.map(({ doctorId }) => doctorId),
  );
  return rows.map(({ doctorId, groupId, ...row }) => ({
    ...row,
    isGroup: groupId !== null,
    patientName: mask('name', patients(row.patientId)),
    doctorName: doctors(doctorId),
  }));
}

export const runList = listOf(queryFollowRunList)
  .from(({ db, staff, now }) => runsSeen(db, staff, now))
  .with({
    where: {
      runNo: 'r.runNo',
      diseaseId: 'r.diseaseId',
      sceneId: 'r.sceneId',
      patientId: 'r.patientId',
      doctorId: 'r.doctorId',
      state: 'r.state',
      enteredFrom: from('r.enteredAt'),
      enteredTo: upTo('r.enteredAt'),
    },
    id: 'r.id',
    sorts: { runNo: 'r.runNo', enteredAt: 'r.enteredAt' },
    order: [['r.enteredAt', 'desc']],
    select: selectRuns,
    present: (rows, { db }) => presentRuns(db, rows),
  });

export const runExport = listExport(runList, {
  call: exportFollowRunList,
  title: '随访实例',
  routeKey: 'corpus',
  columns: [
    'runNo',
    'patientName',
    'diseaseName',
    'sceneName',
    'versionSeq',
    'doctorName',
    'entrySource',
    'enteredAt',
    'state',
    'pauseReason',
    'pausedUntil',
    'stopReason',
    'endedAt',
    'sentCount',
    'readCount',
    'repliedCount',
    'convertedAt',
  ],
});
