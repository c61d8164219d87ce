import { dayOf } from '../../../../kernel/contract/time.ts';
import { chunksDown } from '../../../../kernel/server/exporting/chunksById.ts';
import { exportSource, type ExportColumn } from '../../../../kernel/server/exporting/source.ts';
import { totalUpTo } from '../../../../kernel/server/http/paging.ts';
import { exportChannelList, type ChannelRow } from '../../contract/calls/channels.ts';
import { channelTypes } from '../../contract/dictionaries.ts';
import { channelPermissions } from '../../contract/permissions.ts';
import { channelStates } from '../../contract/states.ts';
import { own } from '../database.ts';
import { channelQuery, periodOf, readChannels } from './list.ts';

const columns: readonly ExportColumn<ChannelRow>[] = [
  { key: 'channelNo', label: '渠道编号', value: (row) => row.channelNo },
  { key: 'name', label: '名称', width: 30, value: (row) => row.pathNames.join(' / ') },
  { key: 'channelType', label: '类型', dictionary: channelTypes, value: (row) => row.channelType },
  { key: 'ownerName', label: '归属方', value: (row) => row.ownerName },
  { key: 'agentName', label: '代表', value: (row) => row.agentName },
  { key: 'startDate', label: '开始日期', kind: 'day', value: (row) => row.startDate },
  { key: 'endDate', label: '结束日期', kind: 'day', value: (row) => row.endDate },
  { key: 'codeCount', label: '码数', kind: 'int', value: (row) => row.codeCount },
  { key: 'pv', label: '扫码次数', kind: 'int', value: (row) => row.pv },
  { key: 'uv', label: '扫码人数', kind: 'int', value: (row) => row.uv },
  { key: 'newDoctors', label: '新增医生', kind: 'int', value: (row) => row.newDoctors },
  { key: 'newPatients', label: '新增患者', kind: 'int', value: (row) => row.newPatients },
  { key: 'firstOrders', label: '首单', kind: 'int', value: (row) => row.firstOrders },
  { key: 'payFen', label: '支付金额（元）', kind: 'money', value: (row) => row.payFen },
  { key: 'costFen', label: '投放费用（元）', kind: 'money', value: (row) => row.costFen },
  { key: 'state', label: '状态', dictionary: channelStates.dictionary, value: (row) => row.state },
];

export const channelExport = exportSource({
  call: exportChannelList,
  title: '渠道管理',
  routeKey: 'channelManagement',
  permission: channelPermissions['channel.export'].code,
  columns,
  count: ({ db, staff, filter }) => totalUpTo(own(db), channelQuery(db, staff, filter)),
  chunks: ({ db, staff, filter, now }) =>
    chunksDown((before, limit) =>
      readChannels(channelQuery(db, staff, filter).where('c.id', '<', before), periodOf(filter, dayOf(now)), { limit, offset: 0 }),
    ),
});
