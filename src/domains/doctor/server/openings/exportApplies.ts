import { yuan } from '../../../../kernel/contract/money.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { applicantTypes, careKinds, openingApplyKinds, titles } from '../../contract/dictionaries.ts';
import { exportOpeningApplyList, type OpeningApplyRow } from '../../contract/openingCalls.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { openingApplyMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { applyQuery } from './find.ts';
import { readApplies } from './rows.ts';

const columns: readonly ExportColumn<OpeningApplyRow>[] = [
  { key: 'applyNo', label: '申请单号', width: 20, value: (row) => row.applyNo },
  { key: 'doctorNo', label: '医生编号', width: 20, value: (row) => row.doctorNo },
  { key: 'doctorName', label: '医生', value: (row) => row.doctorName },
  { key: 'titleCode', label: '职称', dictionary: titles, value: (row) => row.titleCode },
  { key: 'hospitalName', label: '医院', width: 30, value: (row) => row.hospitalName },
  { key: 'itemName', label: '服务项目', width: 20, value: (row) => row.itemName },
  { key: 'careKind', label: '性质', dictionary: careKinds, value: (row) => row.careKind },
  { key: 'kind', label: '申请类型', dictionary: openingApplyKinds, value: (row) => row.kind },
  { key: 'fromPriceFen', label: '原价（元）', kind: 'money', value: (row) => row.fromPriceFen },
  { key: 'toPriceFen', label: '新价（元）', kind: 'money', value: (row) => row.toPriceFen },
  { key: 'band', label: '区间（元）', width: 20, value: (row) => row.band && `${yuan(row.band.minFen)}–${yuan(row.band.maxFen)}` },
  { key: 'deviationBp', label: '偏离', kind: 'bp', value: (row) => row.deviationBp },
  { key: 'averageFen', label: '同职称均价（元）', kind: 'money', value: (row) => row.averageFen },
  { key: 'reason', label: '说明', width: 30, value: (row) => row.reason },
  { key: 'applicantType', label: '申请方', dictionary: applicantTypes, value: (row) => row.applicantType },
  { key: 'applicantName', label: '申请人', value: (row) => row.applicantName },
  { key: 'createdAt', label: '申请时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
  { key: 'state', label: '状态', dictionary: openingApplyMachine.dictionary, value: (row) => row.state },
  { key: 'auditorName', label: '审核人', value: (row) => row.auditorName },
  { key: 'decidedAt', label: '审核时间', kind: 'instant', width: 20, value: (row) => row.decidedAt },
  { key: 'opinion', label: '审核意见', width: 30, value: (row) => row.opinion },
];

export const openingApplyExport = exportSource({
  call: exportOpeningApplyList,
  title: '服务开通申请',
  routeKey: 'doctorManagementService',
  permission: may['opening.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), applyQuery(db, staff, filter)),
  chunks: ({ db, staff, filter }) =>
    chunksDown((before, limit) =>
      readApplies(db, applyQuery(db, staff, filter).where('a.id', '<', before), staff.userId, { limit, offset: 0 }),
    ),
});
