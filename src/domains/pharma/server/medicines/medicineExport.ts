import { dayOf } from '../../../../kernel/contract/time.ts';
import type { Staff } from '../../../../kernel/server/context.ts';
import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportMedicineList } from '../../contract/calls/medicines.ts';
import { dosageForms, medicineKinds, reimburseClasses, rxClasses } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { medicineMachine } from '../../contract/states.ts';
import { medicineLabels } from '../../contract/rules/medicineFields.ts';
import { pharmaDb } from '../database.ts';
import { matchingMedicines, medicineRows, presentMedicine } from './medicineRows.ts';

const seesPrices = (staff: Staff) => staff.permissions.has(pharmaPermissions['price.view'].code);

export const medicineExport = exportSource({
  call: exportMedicineList,
  title: '药品',
  routeKey: 'medicineManagementTable',
  permission: pharmaPermissions['medicine.export'].code,
  count: ({ db, filter, now, staff }) => totalUpTo(db, matchingMedicines(pharmaDb(db), filter, dayOf(now), seesPrices(staff))),
  chunks: ({ db, filter, now, staff }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const today = dayOf(now);
      const rows = await medicineRows(own, today, filter.provinceAdcode)
        .where('m.id', 'in', matchingMedicines(own, filter, today, seesPrices(staff)))
        .where('m.id', '>', after)
        .orderBy('m.id')
        .limit(limit)
        .execute();
      return rows.map((row) => presentMedicine(row, seesPrices(staff)));
    }),
  columns: [
    { key: 'medicineNo', label: '药品编号', value: (row) => row.medicineNo, width: 20 },
    { key: 'genericName', label: medicineLabels.genericName, value: (row) => row.genericName, width: 24 },
    { key: 'brandName', label: medicineLabels.brandName, value: (row) => row.brandName },
    { key: 'medicineKind', label: medicineLabels.medicineKind, dictionary: medicineKinds, value: (row) => row.medicineKind },
    { key: 'strength', label: medicineLabels.strength, value: (row) => row.strength },
    { key: 'dosageForm', label: medicineLabels.dosageForm, dictionary: dosageForms, value: (row) => row.dosageForm },
    { key: 'approvalNo', label: medicineLabels.approvalNo, value: (row) => row.approvalNo, width: 22 },
    { key: 'approvalValidTo', label: medicineLabels.approvalValidTo, kind: 'day', value: (row) => row.approvalValidTo },
    { key: 'holderName', label: '持有人', value: (row) => row.holderName, width: 24 },
    { key: 'categoryName', label: '分类', value: (row) => row.categoryName },
    { key: 'rxClass', label: medicineLabels.rxClass, dictionary: rxClasses, value: (row) => row.rxClass },
    { key: 'reimburseClass', label: '医保类别', dictionary: reimburseClasses, value: (row) => row.reimburseClass },
    { key: 'coldChain', label: '冷链', kind: 'flag', value: (row) => row.coldChain },
    { key: 'skuCount', label: '商品数', kind: 'int', value: (row) => row.skuCount },
    { key: 'priceMinFen', label: '最低零售价（元）', kind: 'money', value: (row) => row.priceMinFen },
    { key: 'priceMaxFen', label: '最高零售价（元）', kind: 'money', value: (row) => row.priceMaxFen },
    { key: 'lineName', label: '产品线', value: (row) => row.lineName },
    { key: 'state', label: '状态', dictionary: medicineMachine.dictionary, value: (row) => row.state },
    { key: 'updatedAt', label: '更新时间', kind: 'instant', value: (row) => row.updatedAt, width: 20 },
  ],
});
