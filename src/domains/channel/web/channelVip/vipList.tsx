import { Bar } from '../shared/Bar.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryChannelVipList } from '../../contract/calls/vips.ts';
import { refFilter } from '../shared/refFilter.tsx';

/** What is used of a budget; from 80 % on it warns. */
export function BudgetBar({ used, total }: { used: string; total: string | null }) {
  if (total === null) return <span className="kq-muted">不限（已用{yuan(used, true)}）</span>;
  const percent = Number((BigInt(used) * 1000n) / BigInt(total)) / 10;
  return (
    <span className="ch-bar" title={`已用 ${yuan(used, true)} 元，共 ${yuan(total, true)} 元`}>
      <Bar percent={percent} tone={percent >= 100 ? 'error' : percent >= 80 ? 'warning' : 'normal'} text={`${percent}%`} />
    </span>
  );
}

export const vipList = resource(queryChannelVipList, {
  routeKey: 'channelVip',
  empty: '没有符合条件的VIP渠道',
  filters: ['vipNo', 'channelName', 'level', refFilter('channelId', 'CHANNEL'), 'endBefore'],
  columns: [
    { key: 'vipNo', width: 170, required: true },
    { key: 'channelName', width: 180, required: true },
    { key: 'level', plain: true, width: 80 },
    { key: 'state', width: 90 },
    { key: 'sponsorName', width: 160 },
    { key: 'defaultDiscountBp', width: 100 },
    { key: 'validity', title: '有效期', width: 200, value: (row) => `${row.startDate} 至 ${row.endDate}` },
    {
      key: 'quota',
      title: '名额',
      width: 110,
      value: (row) => (row.patientQuota === null ? NOTHING : `${row.memberCount} / ${row.patientQuota}`),
    },
    {
      key: 'monthBar',
      title: '本月预算',
      kind: 'custom',
      width: 190,
      render: (row) => <BudgetBar used={row.monthUsedFen} total={row.monthlyBudgetFen} />,
    },
    {
      key: 'totalBar',
      title: '总预算',
      kind: 'custom',
      width: 190,
      render: (row) => <BudgetBar used={row.usedFen} total={row.totalBudgetFen} />,
    },
    { key: 'priorityAcceptMin', title: '接诊承诺', width: 100, value: (row) => `${row.priorityAcceptMin}分钟` },
  ],
});
