import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportReimburseList, queryReimburseList } from '../../contract/calls/skus.ts';
import { own } from '../database.ts';
import { presentReimburse, reimburseColumns, reimburses } from './reimburse.ts';

export const reimburseList = listOf(queryReimburseList)
  .from(({ db }) => reimburses(own(db)))
  .with({
    where: {
      medicineId: 'r.medicineId',
      keyword: (_eb, keyword) => containsText(sql`m.generic_name || ' ' || m.generic_pinyin || ' ' || m.approval_no`, keyword),
      provinceAdcode: 'r.provinceAdcode',
      reimburseClass: 'r.reimburseClass',
    },
    id: 'r.id',
    unsorted: 'medicine by medicine and province by province',
    order: [
      ['r.medicineId', 'asc'],
      ['r.provinceAdcode', 'asc'],
      ['r.effectiveFrom', 'desc'],
    ],
    select: reimburseColumns,
    present: (rows) => rows.map(presentReimburse),
  });

export const reimburseExport = listExport(reimburseList, {
  call: exportReimburseList,
  title: '医保目录',
  routeKey: 'medicineManagementTable',
});
