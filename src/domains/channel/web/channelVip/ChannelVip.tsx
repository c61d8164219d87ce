import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { may } from '#kernel/web/session/store.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportVipUsageList, queryVipUsageList } from '../../contract/calls/vips.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { Vips, type VipsOf } from './Vips.tsx';

/** Who may open the orders, which are another domain's. */
const ORDERS = 'doctor.consult.view';

const usageList = resource(queryVipUsageList, {
  routeKey: 'channelVip.usage',
  empty: '还没有使用记录',
  filters: ['vipNo', 'kind'],
  columns: [
    'at',
    { key: 'vipNo', width: 170 },
    { key: 'channelName', width: 200 },
    {
      key: 'orderId',
      width: 100,
      value: () => '查看订单',
      to: (row) => (may(ORDERS) ? { path: '/payConsultation', search: { id: row.orderId } } : null),
    },
    { key: 'doctorName', width: 120 },
    { key: 'kind', width: 80 },
    'amountFen',
    { key: 'month', width: 100 },
    { key: 'released', width: 80 },
  ],
});

const Usage = () => (
  <ResourceList
    of={usageList}
    toolbar={(view) => <ExportButton call={exportVipUsageList} view={view} permission={rights['vip.export']} />}
  />
);

const forMe: VipsOf = { forMe: true };
const byState: readonly { key: string; label: string; only: VipsOf }[] = [
  { key: 'draft', label: '草稿', only: { state: ['DRAFT'] } },
  { key: 'pending', label: '待审核', only: { state: ['PENDING'] } },
  { key: 'live', label: '生效中', only: { state: ['WAITING', 'ACTIVE'] } },
  { key: 'suspended', label: '已暂停', only: { state: ['SUSPENDED'] } },
  { key: 'over', label: '已结束', only: { state: ['EXPIRED', 'TERMINATED', 'REJECTED'] } },
];

const tabs: readonly PagePart[] = [
  { key: 'vips', label: '全部', permission: rights['vip.view'], content: () => <Vips /> },
  { key: 'forMe', label: '待我审核', permission: rights['vip.audit'], content: () => <Vips only={forMe} /> },
  ...byState.map(({ key, label, only }): PagePart => ({ key, label, permission: rights['vip.view'], content: () => <Vips only={only} /> })),
  { key: 'usage', label: '使用明细', permission: rights['vip.view'], content: Usage },
];

/** /channelVip VIP渠道. */
export default function ChannelVip() {
  return <PageParts parts={tabs} />;
}
