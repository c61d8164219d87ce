import { sql } from 'kysely';
import { scopeFilter } from '../../../../kernel/server/auth/scope.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { hospitalScope, type Seer } from '../access.ts';
import { ownDb, type InstitutionDb } from '../database.ts';
import { sideOf } from './preview.ts';

export interface PairFilter {
  cityAdcode?: string | undefined;
  minScore?: number | undefined;
}

/** Scored pairs that nobody has judged, both of which the user may see. */
export function pairs(db: InstitutionDb, filter: PairFilter, seer: Seer) {
  let query = db
    .selectFrom('institutionDuplicatePair as q')
    .innerJoin('institutionHospital as h', 'h.id', 'q.leftId')
    .innerJoin('institutionHospital as o', 'o.id', 'q.rightId')
    .where(scopeFilter(hospitalScope, seer))
    .where(scopeFilter({ ...hospitalScope, region: { column: 'o.adcode' }, own: { columns: ['o.createdBy'] } }, seer))
    .where('h.state', '<>', 'MERGED')
    .where('o.state', '<>', 'MERGED')
    .where(sql<boolean>`not exists (select from institution_duplicate_ignore i where i.left_id = q.left_id and i.right_id = q.right_id)`)
    .where(
      sql<boolean>`not exists (select from institution_hospital_merge m where m.state = 'PENDING' and m.loser_id in (q.left_id, q.right_id))`,
    );
  if (filter.cityAdcode) query = query.where('h.cityAdcode', '=', filter.cityAdcode);
  if (filter.minScore !== undefined) query = query.where('q.score', '>=', filter.minScore);
  return query;
}

const departments = (column: 'h.id' | 'o.id') =>
  sql<number>`(select count(*)::int from institution_department d where d.hospital_id = ${sql.ref(column)} and d.state = 'ENABLED')`;
const filled = (query: ReturnType<typeof pairs>) =>
  query.select([
    'q.leftId',
    'q.rightId',
    'q.score',
    'q.why',
    'q.distanceM',
    'h.hospitalNo as aNo',
    'h.name as aName',
    'h.level as aLevel',
    'h.address as aAddress',
    'h.phone as aPhone',
    'h.uscc as aUscc',
    'h.doctorCount as aDoctors',
    'h.state as aState',
    departments('h.id').as('aDepartments'),
    'o.hospitalNo as bNo',
    'o.name as bName',
    'o.level as bLevel',
    'o.address as bAddress',
    'o.phone as bPhone',
    'o.uscc as bUscc',
    'o.doctorCount as bDoctors',
    'o.state as bState',
    departments('o.id').as('bDepartments'),
  ]);

const present = (row: Awaited<ReturnType<ReturnType<typeof filled>['executeTakeFirstOrThrow']>>) => ({
  key: `${row.leftId}-${row.rightId}`,
  score: row.score,
  why: row.why,
  distanceM: row.distanceM,
  a: sideOf(
    {
      id: row.leftId,
      hospitalNo: row.aNo,
      name: row.aName,
      level: row.aLevel,
      address: row.aAddress,
      phone: row.aPhone,
      uscc: row.aUscc,
      doctorCount: row.aDoctors,
      state: row.aState,
    },
    row.aDepartments,
  ),
  b: sideOf(
    {
      id: row.rightId,
      hospitalNo: row.bNo,
      name: row.bName,
      level: row.bLevel,
      address: row.bAddress,
      phone: row.bPhone,
      uscc: row.bUscc,
      doctorCount: row.bDoctors,
      state: row.bState,
    },
    row.bDepartments,
  ),
});
export type PairRow = ReturnType<typeof present>;

export async function listPairs(db: Db, filter: PairFilter, seer: Seer, paging: { pageNo: number; pageSize: number }) {
  const query = pairs(ownDb(db), filter, seer);
  const rows = await filled(query)
    .orderBy('q.score', 'desc')
    .orderBy('q.leftId')
    .orderBy('q.rightId')
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: rows.map(present), total: await totalUpTo(ownDb(db), query) };
}

export async function* pairChunks(db: Db, filter: PairFilter, seer: Seer): AsyncGenerator<PairRow[]> {
  for (let offset = 0; ; offset += 1000) {
    const rows = await filled(pairs(ownDb(db), filter, seer))
      .orderBy('q.leftId')
      .orderBy('q.rightId')
      .limit(1000)
      .offset(offset)
      .execute();
    if (rows.length === 0) return;
    yield rows.map(present);
  }
}
