import { sql } from 'kysely';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { containsPattern } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportInspectionCheckList, queryInspectionCheckList } from '../../contract/calls/ehr.ts';
import { seesPatient } from '../access.ts';
import { own } from '../database.ts';
import { briefJson, briefOf, personColumns } from '../persons/brief.ts';
import { indicatorsJson, presentInspection } from '../records/modules.ts';

/** Reports that wait for reading, the oldest first. */
export const reportList = listOf(queryInspectionCheckList)
  .from(({ db, staff, now }) =>
    own(db)
      .selectFrom('patientInspection as i')
      .innerJoin('patientPatient as a', 'a.id', 'i.patientId')
      .innerJoin('patientPatient as p', (join) => join.on(sql<boolean>`p.id = coalesce(a.merged_into_id, a.id)`))
      .where('i.status', '=', '1')
      .where('i.voidedAt', 'is', null)
      .where(seesPatient(staff, now)),
  )
  .with({
    where: {
      kind: 'i.kind',
      keyword: (eb, keyword) =>
        eb.or([
          eb('p.patientNo', '=', keyword.toUpperCase()),
          eb('p.name', '=', keyword),
          eb('i.inspectionNo', '=', keyword.toUpperCase()),
          eb('i.itemName', 'ilike', containsPattern(keyword)),
        ]),
      from: (eb, day) => eb('i.createdAt', '>=', startOfDay(day)),
      to: (eb, day) => eb('i.createdAt', '<', startOfDay(plusDays(day, 1))),
    },
    order: [['i.createdAt', 'asc']],
    id: 'i.id',
    unsorted: 'a queue: what waits longest first',
    select: (query) => query.selectAll('i').select([indicatorsJson('i').as('indicators'), briefJson('p').as('person')]),
    present: (rows, { staff, today, has }) =>
      rows.map(({ person, ...row }) => ({
        inspection: presentInspection(row, { may: has, userId: staff.userId }),
        patient: briefOf(person, today),
        mine: row.createdBy === staff.userId,
      })),
  });

/** What a report says of the body stays in the record. */
export const reportExport = listExport(reportList, {
  call: exportInspectionCheckList,
  title: '待解读报告',
  // Queues have no page of their own; they stand in the finder of every page.
  routeKey: 'patientFinder',
  columns: [
    'inspection.inspectionNo',
    ...personColumns('patient'),
    'inspection.kind',
    'inspection.itemName',
    'inspection.hospitalName',
    'inspection.inspectionTime',
    { key: 'files', label: '文件数', kind: 'int', value: (row) => row.inspection.fileIds.length },
  ],
});
