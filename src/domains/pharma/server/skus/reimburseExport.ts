import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportReimburseList } from '../../contract/calls/skus.ts';
import { reimburseClasses } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { pharmaDb } from '../database.ts';
import { matchingReimburse, presentReimburse, reimburseRows } from './reimburse.ts';

export const reimburseExport = exportSource({
  call: exportReimburseList,
  title: '医保目录',
  routeKey: 'medicineManagementTable',
  permission: pharmaPermissions['medicine.export'].code,
  count: ({ db, filter }) => totalUpTo(db, matchingReimburse(pharmaDb(db), filter)),
  chunks: ({ db, filter }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const rows = await reimburseRows(own)
        .where('r.id', 'in', matchingReimburse(own, filter))
        .where('r.id', '>', after)
        .orderBy('r.id')
        .limit(limit)
        .execute();
      return rows.map(presentReimburse);
    }),
  columns: [
    { key: 'medicineNo', label: '药品编号', value: (row) => row.medicineNo, width: 20 },
    { key: 'genericName', label: '通用名', value: (row) => row.genericName, width: 24 },
    { key: 'provinceName', label: '省份', value: (row) => row.provinceName },
    { key: 'reimburseClass', label: '医保类别', dictionary: reimburseClasses, value: (row) => row.reimburseClass },
    { key: 'selfPayBp', label: '先行自付比例', kind: 'bp', value: (row) => row.selfPayBp },
    { key: 'restriction', label: '限定支付范围', value: (row) => row.restriction, width: 30 },
    { key: 'effectiveFrom', label: '生效日期', kind: 'day', value: (row) => row.effectiveFrom },
    { key: 'effectiveTo', label: '失效日期', kind: 'day', value: (row) => row.effectiveTo },
  ],
});
