import { chunksById } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportAgentHandoverList, type HandoverProgress } from '../../contract/calls/handovers.ts';
import { handoverReasons } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { handoverMachine } from '../../contract/states.ts';
import { pharmaDb } from '../database.ts';
import { handoverRows, matchingHandovers, presentHandover } from './handoverRows.ts';

const share = ({ done, total }: HandoverProgress['team']) => `${done}/${total}`;

export const handoverExport = exportSource({
  call: exportAgentHandoverList,
  title: '离岗交接',
  routeKey: 'agentList',
  permission: pharmaPermissions['agent.export'].code,
  count: ({ db, filter, staff }) => totalUpTo(db, matchingHandovers(pharmaDb(db), filter, staff)),
  chunks: ({ db, filter, staff }) =>
    chunksById(async (after, limit) => {
      const own = pharmaDb(db);
      const rows = await handoverRows(own)
        .where('h.id', 'in', matchingHandovers(own, filter, staff))
        .where('h.id', '>', after)
        .orderBy('h.id')
        .limit(limit)
        .execute();
      return rows.map((row) => presentHandover(row, staff.userId));
    }),
  columns: [
    { key: 'handoverNo', label: '交接单号', value: (row) => row.handoverNo, width: 20 },
    { key: 'fromAgentName', label: '代表', value: (row) => row.fromAgentName },
    { key: 'fromAgentNo', label: '代表编号', value: (row) => row.fromAgentNo, width: 20 },
    { key: 'companyName', label: '药企', value: (row) => row.companyName, width: 20 },
    { key: 'reason', label: '原因', dictionary: handoverReasons, value: (row) => row.reason },
    { key: 'effectiveOn', label: '生效日期', kind: 'day', value: (row) => row.effectiveOn },
    { key: 'team', label: '下属（完成/全部）', value: (row) => share(row.progress.team) },
    { key: 'doctors', label: '医生（完成/全部）', value: (row) => share(row.progress.doctors) },
    { key: 'channels', label: '渠道（完成/全部）', value: (row) => share(row.progress.channels) },
    { key: 'remark', label: '交接说明', value: (row) => row.remark, width: 30 },
    { key: 'makerName', label: '提交人', value: (row) => row.makerName },
    { key: 'checkerName', label: '审批人', value: (row) => row.checkerName },
    { key: 'opinion', label: '审批意见', value: (row) => row.opinion, width: 30 },
    { key: 'createdAt', label: '创建时间', kind: 'instant', value: (row) => row.createdAt },
    { key: 'state', label: '状态', dictionary: handoverMachine.dictionary, value: (row) => row.state },
  ],
});
