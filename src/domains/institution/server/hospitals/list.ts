import { containsPattern, startsPattern } from '#kernel/server/database/search.ts';
import { sql } from 'kysely';
import type { CheckedInputOf, OutputOf } from '#kernel/contract/call.ts';
import type { QueryContext } from '#kernel/server/context.ts';
import { from, hasAny, hasOneOf, inRegion, isNumber, isSet, upTo } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { regionsOf, regionText } from '#domains/identity/server/index.ts';
import { qualityIssues } from '../../contract/dictionaries.ts';
import type { queryHospitalCounts } from '../../contract/hospitalCalls.ts';
import { exportHospitalList, hospitalFactKeys, queryHospitalList } from '../../contract/hospitalCalls.ts';
import { hospitalsSeen } from '../access.ts';
import { own } from '../database.ts';

/** Main hospitals in front of their campuses. */
export const hospitalList = listOf(queryHospitalList)
  .from(({ db, staff }) => hospitalsSeen(own(db), staff))
  .with({
    where: {
      keyword(eb, keyword) {
        const pattern = containsPattern(keyword);
        const initials = /^[a-zA-Z]{2,}$/.test(keyword) ? startsPattern(keyword.toLowerCase()) : null;
        return eb.or([
          eb('h.name', 'ilike', pattern),
          sql<boolean>`h.id in (select a.hospital_id from institution_hospital_alias a where a.name ilike ${pattern})`,
          ...(initials ? [eb('h.namePinyin', 'like', initials), eb('h.namePinyin', 'like', `% ${initials}`)] : []),
        ]);
      },
      hospitalNo: isNumber('h.hospitalNo'),
      uscc: isNumber('h.uscc'),
      level: 'h.level',
      kind: 'h.kind',
      ownership: 'h.ownership',
      adcode: inRegion('h.adcode'),
      parentId: 'h.parentId',
      state: 'h.state',
      issue: hasOneOf('h.qualityIssues'),
      source: 'h.source',
      updatedFrom: from('h.updatedAt'),
      updatedTo: upTo('h.updatedAt'),
      hasCoordinates: isSet('h.lngE6'),
      hasDoctors: hasAny('h.doctorCount'),
    },
    absent: { state: (eb) => eb('h.state', '<>', 'MERGED') },
    id: 'h.id',
    order: [
      [sql`coalesce(h.parent_id, h.id)`, 'desc'],
      [sql`(h.parent_id is not null)`, 'asc'],
    ],
    sorts: {
      hospitalNo: 'h.hospitalNo',
      name: 'h.namePinyin',
      doctorCount: 'h.doctorCount',
      qualityScoreBp: 'h.qualityScoreBp',
      updatedAt: 'h.updatedAt',
    },
    select: (query) =>
      query
        .select(hospitalFactKeys.map((key) => `h.${key}` as const))
        .select([
          'h.id',
          'h.hospitalNo',
          'h.cityAdcode',
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
        ]),
    async present(rows, { db }) {
      const regions = await regionsOf(
        db,
        rows.map(({ adcode }) => adcode),
      );
      return rows.map((row) => ({ ...row, region: regionText(regions, row.adcode), city: regionText(regions, row.cityAdcode) }));
    },
  });

export const hospitalExport = listExport(hospitalList, {
  call: exportHospitalList,
  title: '医院',
  routeKey: 'hospitalManagementMaintenance',
  columns: [
    'hospitalNo',
    'name',
    'level',
    'kind',
    'ownership',
    'region',
    'address',
    'phone',
    'uscc',
    'licenceNo',
    'nhsaCode',
    'parentName',
    'departmentCount',
    'doctorCount',
    'qualityScoreBp',
    'qualityIssues',
    'source',
    'state',
    'updatedAt',
  ],
});

/** Hospitals per issue, and per city with the middle of the located ones. */
export async function hospitalCounts(
  filter: CheckedInputOf<typeof queryHospitalCounts>,
  ctx: QueryContext,
): Promise<OutputOf<typeof queryHospitalCounts>> {
  const issues = await (
    await hospitalList.matching({ ...ctx, filter: { ...filter, issue: undefined } })
  )
    .select([sql<string>`unnest(h.quality_issues)`.as('issue'), sql<number>`count(*)::int`.as('count')])
    .groupBy('issue')
    .execute();
  const cities = await (
    await hospitalList.matching({ ...ctx, filter })
  )
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
    ctx.db,
    cities.map(({ cityAdcode }) => cityAdcode),
  );
  return {
    issueCounts: qualityIssues.codes.map((issue) => ({ issue, count: issues.find((row) => row.issue === issue)?.count ?? 0 })),
    cities: cities.map((row) => ({ ...row, city: regionText(regions, row.cityAdcode) })),
  };
}
