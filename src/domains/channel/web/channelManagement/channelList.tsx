import { plusDays } from '#kernel/contract/time.ts';
import { Money, NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryChannelList, type ChannelRow } from '../../contract/calls/channels.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import { refFilter } from '../shared/refFilter.tsx';

const perRegistration = (row: ChannelRow) => {
  const won = row.newDoctors + row.newPatients;
  return won === 0 || row.costFen === '0' ? null : String(BigInt(row.costFen) / BigInt(won));
};

/** Channels with the sums of a period. */
export const channelList = resource(queryChannelList, {
  routeKey: 'channelManagement',
  empty: '没有符合条件的渠道，请调整筛选条件或点击“新增”',
  filters: [
    'channelNo',
    'name',
    'channelType',
    'state',
    refFilter('agentId', 'AGENT'),
    refFilter('companyId', 'COMPANY'),
    { kind: 'region', name: 'adcode' },
    { kind: 'days', names: ['from', 'to'], label: '统计区间', fallback: () => [plusDays(todayHere(), -29), todayHere()] },
  ],
  columns: [
    { key: 'channelNo', width: 170, required: true },
    { key: 'pathNames', width: 220, required: true },
    { key: 'channelType', plain: true, width: 90 },
    { key: 'owner', title: '归属方/代表', width: 160, value: (row) => [row.ownerName, row.agentName].filter(Boolean).join(' / ') },
    { key: 'validity', title: '有效期', width: 190, vital: true, value: (row) => `${row.startDate} 至 ${row.endDate ?? '长期'}` },
    { key: 'codeCount', width: 80 },
    { key: 'scans', title: '扫码 PV/UV', width: 120, align: 'right', value: (row) => `${row.pv} / ${row.uv}` },
    { key: 'newDoctors', width: 90 },
    { key: 'newPatients', width: 90 },
    { key: 'firstOrders', width: 80 },
    { key: 'payFen', width: 130 },
    { key: 'costFen', width: 130 },
    {
      key: 'unitCost',
      title: '单个注册成本（元）',
      kind: 'custom',
      width: 150,
      align: 'right',
      render: (row) => (perRegistration(row) === null ? NOTHING : <Money fen={perRegistration(row)} />),
    },
    { key: 'state', width: 90 },
  ],
});
