import type { Db } from '#kernel/server/context.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryPackageVersionList, type Check } from '../../contract/engine/versionCalls.ts';
import { versionMachine, type VersionState } from '../../contract/engine/states.ts';
import { own } from '../database.ts';
import { userNames } from './names.ts';

/** Actions on a version that somebody may take; only who handed it in takes it back, only somebody else decides. */
export const versionActions = (
  row: { state: VersionState; submittedBy: string },
  may: (code: string) => boolean,
  userId: string,
): string[] =>
  versionMachine.allowed(row.state, may).filter((action) => {
    if (action === 'withdraw') return row.submittedBy === userId;
    return action === 'rollback' || row.submittedBy !== userId;
  });

const versions = (db: Db) => own(db).selectFrom('corpusPackageVersion as v');

export const versionList = listOf(queryPackageVersionList)
  .from(({ db }) => versions(db))
  .with({
    where: { scenePackageId: 'v.scenePackageId' },
    id: 'v.id',
    unsorted: 'the versions of one package, the newest first',
    order: [['v.seq', 'desc']],
    select: (query) =>
      query
        .select([
          'v.id',
          'v.scenePackageId',
          'v.seq',
          'v.state',
          'v.contentHash',
          'v.submitNote',
          'v.checks',
          'v.migrateMode',
          'v.submittedBy',
          'v.submittedAt',
          'v.auditedBy',
          'v.auditedAt',
          'v.opinion',
          'v.version',
        ])
        .select((eb) =>
          eb
            .selectFrom('corpusFollowRun as r')
            .select(({ fn }) => fn.countAll<number>().as('n'))
            .whereRef('r.packageVersionId', '=', 'v.id')
            .where('r.state', 'in', ['RUNNING', 'PAUSED'])
            .as('liveRuns'),
        ),
    async present(rows, { db, staff, has }) {
      const names = await userNames(
        db,
        rows.flatMap(({ submittedBy, auditedBy }) => [submittedBy, auditedBy]),
      );
      return rows.map((row) => ({
        ...row,
        // Written by the engine's own checks.
        checks: row.checks as Check[],
        liveRuns: Number(row.liveRuns),
        submittedBy: names(row.submittedBy),
        auditedBy: row.auditedBy === null ? null : names(row.auditedBy),
        allowedActions: versionActions(row, has, staff.userId),
      }));
    },
  });
