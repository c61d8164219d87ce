import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportAttributionChangeList, type AttributionChangeRow } from '../../contract/attributionCalls.ts';
import { subjectTypes } from '../../contract/dictionaries.ts';
import { attributionChangeMachine } from '../../contract/orderStates.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { own } from '../database.ts';
import { changeQuery, readChanges } from './changeList.ts';
import { exportedName } from './list.ts';

const ORGANIC = '自然流量';
const columns: readonly ExportColumn<AttributionChangeRow>[] = [
  { key: 'changeNo', label: '变更单号', width: 20, value: (row) => row.changeNo },
  { key: 'subjectType', label: '对象', dictionary: subjectTypes, value: (row) => row.subjectType },
  { key: 'subjectName', label: '姓名', sensitive: 'name', value: (row) => exportedName(row.subjectType, row.subjectName) },
  { key: 'fromChannelName', label: '原渠道', width: 24, value: (row) => row.fromChannelName ?? ORGANIC },
  { key: 'fromAgentName', label: '原代表', value: (row) => row.fromAgentName },
  { key: 'toChannelName', label: '新渠道', width: 24, value: (row) => row.toChannelName ?? ORGANIC },
  { key: 'toAgentName', label: '新代表', value: (row) => row.toAgentName },
  { key: 'effectiveOn', label: '生效日期', kind: 'day', value: (row) => row.effectiveOn },
  { key: 'reason', label: '变更原因', width: 30, value: (row) => row.reason },
  { key: 'makerName', label: '申请人', value: (row) => row.makerName },
  { key: 'createdAt', label: '申请时间', kind: 'instant', width: 20, value: (row) => row.createdAt },
  { key: 'state', label: '状态', dictionary: attributionChangeMachine.dictionary, value: (row) => row.state },
  { key: 'checkerName', label: '审批人', value: (row) => row.checkerName },
  { key: 'opinion', label: '审批意见', width: 30, value: (row) => row.opinion },
  { key: 'decidedAt', label: '审批时间', kind: 'instant', width: 20, value: (row) => row.decidedAt },
  { key: 'performedAt', label: '执行时间', kind: 'instant', width: 20, value: (row) => row.performedAt },
];

export const attributionChangeExport = exportSource({
  call: exportAttributionChangeList,
  title: '归属变更',
  routeKey: 'doctorPatientChannelManagement',
  permission: may['attribution.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), changeQuery({ db, staff }, filter)),
  chunks({ db, staff, filter }) {
    const ctx = { db, staff, has: () => false };
    return chunksDown((before, limit) => readChanges(ctx, changeQuery(ctx, filter).where('g.id', '<', before), { limit, offset: 0 }));
  },
});
