import { sql } from 'kysely';
import { containsText } from '#kernel/server/database/search.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { exportMedicineApplyList, queryMedicineApplyList } from '../../contract/calls/applies.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { applies, applyColumns, presentApply } from './applyRows.ts';

export const applyList = listOf(queryMedicineApplyList)
  .from(({ db, has }) => applies(own(db), { market: has(may['price.view']), supply: has(may['price.supply']) }))
  .with({
    where: {
      applyId: 'a.id',
      medicineId: 'a.medicineId',
      keyword: (_eb, keyword) =>
        containsText(sql`m.generic_name || ' ' || m.generic_pinyin || ' ' || m.medicine_no || ' ' || a.apply_no`, keyword),
      applyType: 'a.applyType',
      state: 'a.state',
    },
    id: 'a.id',
    sorts: { applyNo: 'a.applyNo', createdAt: 'a.createdAt' },
    select: applyColumns,
    present: (rows, { staff }) => rows.map((row) => presentApply(row, staff.userId)),
  });

export const applyExport = listExport(applyList, {
  call: exportMedicineApplyList,
  title: '药品审核',
  routeKey: 'medicineManagementTable',
  columns: [
    'applyNo',
    'applyType',
    'medicineNo',
    'genericName',
    'strength',
    'differences',
    'makerName',
    'createdAt',
    'checkerName',
    'decidedAt',
    'opinion',
    'state',
  ],
});
