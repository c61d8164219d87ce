import { sql } from 'kysely';
import { containsOneOf } from '#kernel/server/list/conditions.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { queryDiseaseList, type DiseaseRow } from '../../contract/diseaseCalls.ts';
import { own, type CorpusDb } from '../database.ts';

const diseases = (db: CorpusDb) => db.selectFrom('corpusDisease as d');
const counted = (query: ReturnType<typeof diseases>) =>
  query.select((eb) => [
    'd.id',
    'd.id as diseaseId',
    'd.diseaseCode',
    'd.diseaseName',
    'd.icd10Prefixes',
    'd.available',
    'd.sortNo',
    'd.version',
    eb
      .selectFrom('corpusScene as s')
      .whereRef('s.diseaseId', '=', 'd.id')
      .where('s.deletedAt', 'is', null)
      .where('s.mainSceneId', 'is', null)
      .select(sql<number>`count(*)::int`.as('n'))
      .as('sceneCount'),
    eb
      .selectFrom('corpusScene as s')
      .innerJoin('corpusScenePackage as p', 'p.sceneId', 's.id')
      .whereRef('s.diseaseId', '=', 'd.id')
      .where('s.deletedAt', 'is', null)
      .where('p.state', '=', 'RUNNING')
      .select(sql<number>`count(*)::int`.as('n'))
      .as('runningCount'),
  ]);

const present = (row: Awaited<ReturnType<ReturnType<typeof counted>['executeTakeFirstOrThrow']>>): DiseaseRow => ({
  ...row,
  available: row.available as 0 | 1,
  sceneCount: row.sceneCount ?? 0,
  runningCount: row.runningCount ?? 0,
});

/** Corpus diseases in the order of the left menu, then the rest of the dictionary by code. */
export const diseaseList = listOf(queryDiseaseList)
  .from(({ db }) => diseases(own(db)))
  .with({
    where: { available: 'd.available', diseaseName: containsOneOf('d.diseaseName', 'd.diseaseCode') },
    id: 'd.id',
    unsorted: 'the order that operators gave',
    order: [
      ['d.available', 'desc'],
      ['d.sortNo', 'asc'],
      ['d.diseaseCode', 'asc'],
    ],
    select: (query) => counted(query),
    present: (rows) => rows.map(present),
  });

/** One row of the dictionary, in the corpus or not; null when there is none. */
export async function diseaseById(db: CorpusDb, id: string): Promise<DiseaseRow | null> {
  const row = await counted(diseases(db)).where('d.id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}
