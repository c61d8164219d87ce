import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import type { Staff } from '../../../../kernel/server/context.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportMedicineApplyList } from '../../contract/calls/applies.ts';
import { applyTypes } from '../../contract/dictionaries.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { differencesText } from '../../contract/rules/differencesText.ts';
import { applyMachine } from '../../contract/states.ts';
import { pharmaDb } from '../database.ts';
import { applyRows, matchingApplies, presentApply } from './applyRows.ts';

const sightOf = (staff: Staff) => ({
  market: staff.permissions.has(may['price.view'].code),
  supply: staff.permissions.has(may['price.supply'].code),
});

export const applyExport = exportSource({
  call: exportMedicineApplyList,
  title: '药品审核',
  routeKey: 'medicineManagementTable',
  permission: may['medicine.export'].code,
  count: ({ db, filter, staff }) => totalUpTo(db, matchingApplies(pharmaDb(db), filter, sightOf(staff))),
  chunks: ({ db, filter, staff }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const rows = await applyRows(own)
        .where('a.id', 'in', matchingApplies(own, filter, sightOf(staff)))
        .where('a.id', '>', after)
        .orderBy('a.id')
        .limit(limit)
        .execute();
      return rows.map((row) => presentApply(row, staff.userId));
    }),
  columns: [
    { key: 'applyNo', label: '申请编号', value: (row) => row.applyNo, width: 20 },
    { key: 'applyType', label: '类型', dictionary: applyTypes, value: (row) => row.applyType },
    { key: 'medicineNo', label: '药品编号', value: (row) => row.medicineNo, width: 20 },
    { key: 'genericName', label: '药品', value: (row) => row.genericName, width: 24 },
    { key: 'strength', label: '规格', value: (row) => row.strength },
    { key: 'differences', label: '变更内容', value: (row) => differencesText(row.differences), width: 60 },
    { key: 'makerName', label: '提交人', value: (row) => row.makerName },
    { key: 'createdAt', label: '提交时间', kind: 'instant', value: (row) => row.createdAt },
    { key: 'checkerName', label: '审核人', value: (row) => row.checkerName },
    { key: 'decidedAt', label: '审核时间', kind: 'instant', value: (row) => row.decidedAt },
    { key: 'opinion', label: '意见', value: (row) => row.opinion, width: 30 },
    { key: 'state', label: '状态', dictionary: applyMachine.dictionary, value: (row) => row.state },
  ],
});
