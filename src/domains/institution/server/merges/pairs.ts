import { sql } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { from } from '#kernel/server/list/conditions.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportDuplicateHospital, queryDuplicatePairList } from '../../contract/duplicateCalls.ts';
import { hospitalScope } from '../access.ts';
import { own } from '../database.ts';
import { sideOf } from './preview.ts';

const departments = (column: 'h.id' | 'o.id') =>
  sql<number>`(select count(*)::int from institution_department d where d.hospital_id = ${sql.ref(column)} and d.state = 'ENABLED')`;

/** Scored pairs that nobody has judged, both of which the user may see. */
export const pairList = listOf(queryDuplicatePairList)
  .from(({ db, staff }) =>
    own(db)
      .selectFrom('institutionDuplicatePair as q')
      .innerJoin('institutionHospital as h', 'h.id', 'q.leftId')
      .innerJoin('institutionHospital as o', 'o.id', 'q.rightId')
      .where(scopeFilter(hospitalScope, staff))
      .where(scopeFilter({ ...hospitalScope, region: { column: 'o.adcode' }, own: { columns: ['o.createdBy'] } }, staff))
      .where('h.state', '<>', 'MERGED')
      .where('o.state', '<>', 'MERGED')
      .where(sql<boolean>`not exists (select from institution_duplicate_ignore i where i.left_id = q.left_id and i.right_id = q.right_id)`)
      .where(
        sql<boolean>`
          not exists (select from institution_hospital_merge m where m.state = 'PENDING' and m.loser_id in (q.left_id, q.right_id))`,
      ),
  )
  .with({
    where: { cityAdcode: 'h.cityAdcode', minScore: from('q.score') },
    order: [
      ['q.score', 'desc'],
      ['q.leftId', 'asc'],
    ],
    id: 'q.rightId',
    unsorted: 'a queue: what is most alike first',
    select: (query) =>
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
      ]),
    present: (rows) =>
      rows.map((row) => ({
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
      })),
  });

export const duplicateExport = listExport(pairList, {
  call: exportDuplicateHospital,
  title: '疑似重复医院',
  routeKey: 'hospitalManagementMaintenance',
  columns: [
    { key: 'aNo', label: '医院A编号', width: 20, value: (row) => row.a.hospitalNo },
    { key: 'aName', label: '医院A', width: 32, value: (row) => row.a.name },
    { key: 'aAddress', label: '医院A地址', width: 36, value: (row) => row.a.address },
    { key: 'bNo', label: '医院B编号', width: 20, value: (row) => row.b.hospitalNo },
    { key: 'bName', label: '医院B', width: 32, value: (row) => row.b.name },
    { key: 'bAddress', label: '医院B地址', width: 36, value: (row) => row.b.address },
    'score',
    'why',
  ],
});
