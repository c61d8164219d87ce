import { sql } from 'kysely';
import { offsetOf, totalUpTo } from '../../../kernel/server/http/paging.ts';
import type { Page } from '../../../kernel/contract/call.ts';
import type { DiseaseRow } from '../contract/diseaseCalls.ts';
import type { CorpusDb } from './database.ts';

const likeText = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

const withCounts = (db: CorpusDb) =>
  db.selectFrom('corpusDisease as d').select((eb) => [
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

const present = (row: Awaited<ReturnType<ReturnType<typeof withCounts>['executeTakeFirstOrThrow']>>): DiseaseRow => ({
  ...row,
  available: row.available as 0 | 1,
  sceneCount: row.sceneCount ?? 0,
  runningCount: row.runningCount ?? 0,
});

export interface DiseaseFilter {
  available: 0 | 1 | null;
  diseaseName: string | null;
}

/** Corpus diseases in the order of the left menu, then the rest of the dictionary by code. */
export async function listDiseases(
  db: CorpusDb,
  filter: DiseaseFilter,
  paging: { pageNo: number; pageSize: number },
): Promise<Page<DiseaseRow>> {
  let matching = db.selectFrom('corpusDisease as d').select('d.id');
  if (filter.available !== null) matching = matching.where('d.available', '=', filter.available);
  const pattern = filter.diseaseName === null ? null : likeText(filter.diseaseName);
  if (pattern !== null) {
    matching = matching.where((eb) => eb.or([eb('d.diseaseName', 'ilike', pattern), eb('d.diseaseCode', 'ilike', pattern)]));
  }
  const rows = await withCounts(db)
    .where('d.id', 'in', matching)
    .orderBy('d.available', 'desc')
    .orderBy('d.sortNo')
    .orderBy('d.diseaseCode')
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: rows.map(present), total: await totalUpTo(db, matching) };
}

/** One row of the dictionary, in the corpus or not; null when there is none. */
export async function diseaseById(db: CorpusDb, id: string): Promise<DiseaseRow | null> {
  const row = await withCounts(db).where('d.id', '=', id).executeTakeFirst();
  return row ? present(row) : null;
}
