import { sql } from 'kysely';
import type { CheckedInputOf, Page } from '../../../../kernel/contract/call.ts';
import { offsetOf, totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { regionPrefix } from '../../../../kernel/server/auth/scope.ts';
import type { Db } from '../../../../kernel/server/context.ts';
import { regionsOf } from '../../../identity/server/index.ts';
import { qualityIssues } from '../../contract/dictionaries.ts';
import type { HospitalRow, queryHospitalCounts } from '../../contract/hospitalCalls.ts';
import { hospitalsSeen, type Seer } from '../access.ts';
import { likeText, ownDb, startsWith, type InstitutionDb } from '../database.ts';
import { regionText } from '../regions.ts';

export type HospitalFilter = CheckedInputOf<typeof queryHospitalCounts>;

/** Rows of the list's filters, within what the user may see. */
export function matching(db: InstitutionDb, filter: HospitalFilter, seer: Seer) {
  let query = hospitalsSeen(db, seer);
  if (filter.keyword) {
    const pattern = likeText(filter.keyword);
    const plain = /^[a-zA-Z]{2,}$/.test(filter.keyword) ? startsWith(filter.keyword.toLowerCase()) : null;
    query = query.where((eb) =>
      eb.or([
        eb('h.name', 'ilike', pattern),
        sql<boolean>`h.id in (select a.hospital_id from institution_hospital_alias a where a.name ilike ${pattern})`,
        ...(plain ? [eb('h.namePinyin', 'like', plain), eb('h.namePinyin', 'like', `% ${plain}`)] : []),
      ]),
    );
  }
  if (filter.hospitalNo) query = query.where('h.hospitalNo', '=', filter.hospitalNo.toUpperCase());
  if (filter.uscc) query = query.where('h.uscc', '=', filter.uscc.toUpperCase());
  if (filter.level?.length) query = query.where('h.level', 'in', filter.level);
  if (filter.kind?.length) query = query.where('h.kind', 'in', filter.kind);
  if (filter.ownership) query = query.where('h.ownership', '=', filter.ownership);
  if (filter.adcode) query = query.where('h.adcode', 'like', `${regionPrefix(filter.adcode)}%`);
  if (filter.parentId) query = query.where('h.parentId', '=', filter.parentId);
  query = filter.state?.length ? query.where('h.state', 'in', filter.state) : query.where('h.state', '<>', 'MERGED');
  if (filter.issue?.length) query = query.where(sql<boolean>`h.quality_issues && ${[...filter.issue]}::text[]`);
  if (filter.source) query = query.where('h.source', '=', filter.source);
  if (filter.updatedFrom) query = query.where('h.updatedAt', '>=', filter.updatedFrom);
  if (filter.updatedTo) query = query.where('h.updatedAt', '<=', filter.updatedTo);
  if (filter.hasCoordinates !== undefined) query = query.where('h.lngE6', filter.hasCoordinates ? 'is not' : 'is', null);
  if (filter.hasDoctors !== undefined)
    query = filter.hasDoctors ? query.where('h.doctorCount', '>', 0) : query.where('h.doctorCount', '=', 0);
  return query;
}

const counted = (query: ReturnType<typeof matching>) =>
  query.select([
    'h.id',
    'h.hospitalNo',
    'h.name',
    'h.shortName',
    'h.level',
    'h.kind',
    'h.ownership',
    'h.adcode',
    'h.cityAdcode',
    'h.address',
    'h.lngE6',
    'h.latE6',
    'h.phone',
    'h.uscc',
    'h.licenceNo',
    'h.nhsaCode',
    'h.parentId',
    'h.campusName',
    'h.source',
    'h.state',
    'h.doctorCount',
    'h.qualityScoreBp',
    'h.qualityIssues',
    'h.version',
    'h.updatedAt',
    'h.updatedByName as updatedBy',
    sql<string | null>`(select p.name from institution_hospital p where p.id = h.parent_id)`.as('parentName'),
    sql<number>`(select count(*)::int from institution_department d where d.hospital_id = h.id and d.state = 'ENABLED')`.as(
      'departmentCount',
    ),
    sql<number>`(select count(*)::int from institution_hospital_alias a where a.hospital_id = h.id)`.as('aliasCount'),
  ]);

type Raw = Awaited<ReturnType<ReturnType<typeof counted>['executeTakeFirstOrThrow']>>;

async function present(db: Db, rows: readonly Raw[]): Promise<HospitalRow[]> {
  const regions = await regionsOf(
    db,
    rows.map(({ adcode }) => adcode),
  );
  return rows.map((row) => ({
    ...row,
    region: regionText(regions, row.adcode),
    city: regionText(regions, row.cityAdcode),
    // CHECK constraints of the table hold the codes to the dictionaries.
  }));
}

/** Main hospitals in front of their campuses, by number. */
export async function listHospitals(
  db: Db,
  filter: HospitalFilter,
  seer: Seer,
  paging: { pageNo: number; pageSize: number },
): Promise<Page<HospitalRow>> {
  const query = matching(ownDb(db), filter, seer);
  const rows = await counted(query)
    .orderBy(sql`coalesce(h.parent_id, h.id)`, 'desc')
    .orderBy(sql`(h.parent_id is not null)`)
    .orderBy('h.id')
    .limit(paging.pageSize)
    .offset(offsetOf(paging))
    .execute();
  return { rows: await present(db, rows), total: await totalUpTo(ownDb(db), query) };
}

export const countHospitals = async (db: Db, filter: HospitalFilter, seer: Seer): Promise<number> => {
  const row = await matching(ownDb(db), filter, seer)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(row.n);
};

/** All matching rows by id, a thousand at a time. */
export async function* hospitalChunks(db: Db, filter: HospitalFilter, seer: Seer): AsyncGenerator<HospitalRow[]> {
  let after = '0';
  for (;;) {
    const rows = await counted(matching(ownDb(db), filter, seer))
      .where('h.id', '>', after)
      .orderBy('h.id')
      .limit(1000)
      .execute();
    if (rows.length === 0) return;
    yield await present(db, rows);
    after = rows.at(-1)!.id;
  }
}

/** Hospitals per issue, and per city with the middle of the located ones. */
export async function hospitalCounts(db: Db, filter: HospitalFilter, seer: Seer) {
  const own = ownDb(db);
  const issues = await matching(own, { ...filter, issue: undefined }, seer)
    .select([sql<string>`unnest(h.quality_issues)`.as('issue'), sql<number>`count(*)::int`.as('count')])
    .groupBy('issue')
    .execute();
  const cities = await matching(own, filter, seer)
    .select([
      'h.cityAdcode',
      sql<number>`count(*)::int`.as('count'),
      sql<number>`count(h.lng_e6)::int`.as('located'),
      sql<number | null>`round(avg(h.lng_e6))::int`.as('lngE6'),
      sql<number | null>`round(avg(h.lat_e6))::int`.as('latE6'),
    ])
    .groupBy('h.cityAdcode')
    .orderBy('count', 'desc')
    .execute();
  const regions = await regionsOf(
    db,
    cities.map(({ cityAdcode }) => cityAdcode),
  );
  return {
    issueCounts: qualityIssues.codes.map((issue) => ({ issue, count: issues.find((row) => row.issue === issue)?.count ?? 0 })),
    cities: cities.map((row) => ({ ...row, city: regionText(regions, row.cityAdcode) })),
  };
}
