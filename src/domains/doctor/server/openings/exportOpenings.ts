import { yuan } from '../../../../kernel/contract/money.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { careKinds, itemTypes, suspendReasons, titles } from '../../contract/dictionaries.ts';
import { exportServiceOpeningList, type OpeningRow } from '../../contract/openingCalls.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { openingMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { openingQuery } from './find.ts';
import { readOpenings } from './rows.ts';

const columns: readonly ExportColumn<OpeningRow>[] = [
  { key: 'doctorNo', label: '医生编号', value: (row) => row.doctorNo },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'itemName', label: '服务项目', width: 20, value: (row) => row.itemName },
  { key: 'itemType', label: '类型', dictionary: itemTypes, value: (row) => row.itemType },
  { key: 'careKind', label: '性质', dictionary: careKinds, value: (row) => row.careKind },
  { key: 'priceFen', label: '现价（元）', kind: 'money', value: (row) => row.priceFen },
  { key: 'band', label: '区间（元）', width: 20, value: (row) => row.band && `${yuan(row.band.minFen)}–${yuan(row.band.maxFen)}` },
  { key: 'averageFen', label: '同职称均价（元）', kind: 'money', value: (row) => row.averageFen },
  { key: 'deviationBp', label: '偏离', kind: 'bp', value: (row) => row.deviationBp },
  { key: 'dailyLimit', label: '每日接诊上限', kind: 'int', value: (row) => row.dailyLimit },
  { key: 'state', label: '状态', dictionary: openingMachine.dictionary, value: (row) => row.state },
  { key: 'suspendReason', label: '停用原因', dictionary: suspendReasons, value: (row) => row.suspendReason },
  { key: 'effectiveAt', label: '生效时间', kind: 'instant', value: (row) => row.effectiveAt },
  { key: 'updatedAt', label: '更新时间', kind: 'instant', value: (row) => row.updatedAt },
];

export const openingExport = exportSource({
  call: exportServiceOpeningList,
  title: '服务开通',
  routeKey: 'doctorManagementService',
  permission: may['opening.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), openingQuery(db, staff, filter)),
  chunks: ({ db, staff, filter }) =>
    chunksDown((before, limit) => readOpenings(db, openingQuery(db, staff, filter).where('o.id', '<', before), { limit, offset: 0 })),
});
