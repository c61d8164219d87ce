import type { Page } from '#kernel/contract/call.ts';
import { offsetOf, totalUpTo } from '#kernel/server/http/paging.ts';
import type { ChildSceneRow, SceneRow } from '../../contract/sceneCalls.ts';
import { boxesOf } from '../../contract/wire.ts';
import type { CorpusDb } from '../database.ts';

const withContent = (db: CorpusDb) =>
  db
    .selectFrom('corpusScene as s')
    .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
    .where('s.deletedAt', 'is', null)
    .select((eb) => [
      's.id',
      's.name',
      's.diseaseId',
      's.mainSceneId',
      's.chatFlag',
      's.version',
      's.updatedAt',
      'p.id as scenePackageId',
      'p.state',
      eb
        .or([
          eb.exists(eb.selectFrom('corpusScheduleItem as i').select('i.id').whereRef('i.scenePackageId', '=', 'p.id')),
          eb.exists(eb.selectFrom('corpusPackageCycle as c').select('c.id').whereRef('c.scenePackageId', '=', 'p.id')),
        ])
        .as('hasContent'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof withContent>['executeTakeFirstOrThrow']>>;

const common = (row: Stored) => ({
  id: row.id,
  chatFlag: row.chatFlag,
  ...boxesOf(row.chatFlag),
  corpusInfoLogo: row.hasContent ? (1 as const) : ('' as const),
  scenePackageId: row.scenePackageId,
  state: row.state,
  version: row.version,
  updatedAt: row.updatedAt,
});

const childOf = (row: Stored & { mainSceneId: string }): ChildSceneRow => ({
  ...common(row),
  childSceneId: row.id,
  childSceneName: row.name,
  mainSceneId: row.mainSceneId,
});

const isChild = (row: Stored): row is Stored & { mainSceneId: string } => row.mainSceneId !== null;

const treeOf = (rows: readonly Stored[]): SceneRow[] => {
  const children = Map.groupBy(rows.filter(isChild), (row) => row.mainSceneId);
  return rows
    .filter((row) => !isChild(row))
    .map((row) => ({
      ...common(row),
      sceneId: row.id,
      sceneName: row.name,
      diseaseId: row.diseaseId,
      dataDetail: (children.get(row.id) ?? []).map(childOf),
    }));
};

/** A page of main scenes, each with all its children, in one statement. */
export async function listScenes(db: CorpusDb, diseaseId: string, paging: { pageNo: number; pageSize: number }): Promise<Page<SceneRow>> {
  const mains = db
    .selectFrom('corpusScene')
    .select('id')
    .where('diseaseId', '=', diseaseId)
    .where('mainSceneId', 'is', null)
    .where('deletedAt', 'is', null);
  const rows = await withContent(db)
    .where((eb) =>
      eb(
        eb.fn.coalesce('s.mainSceneId', 's.id'),
        'in',
        mains.orderBy('sortNo').orderBy('id').limit(paging.pageSize).offset(offsetOf(paging)),
      ),
    )
    .where('s.diseaseId', '=', diseaseId)
    .orderBy('s.sortNo')
    .orderBy('s.id')
    .execute();
  return { rows: treeOf(rows), total: await totalUpTo(db, mains) };
}

/** Main scenes with their children, in the order of `ids`. */
export async function scenesByIds(db: CorpusDb, ids: readonly string[]): Promise<SceneRow[]> {
  const rows = await withContent(db)
    .where((eb) => eb(eb.fn.coalesce('s.mainSceneId', 's.id'), 'in', ids))
    .orderBy('s.sortNo')
    .orderBy('s.id')
    .execute();
  return treeOf(rows);
}

/** Child scenes by their ids. */
export async function childrenByIds(db: CorpusDb, ids: readonly string[]): Promise<ChildSceneRow[]> {
  const rows = await withContent(db).where('s.id', 'in', ids).orderBy('s.sortNo').orderBy('s.id').execute();
  return rows.filter(isChild).map(childOf);
}
