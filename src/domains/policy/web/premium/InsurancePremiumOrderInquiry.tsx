import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { premiumPermissions as may } from '../../contract/permissions.ts';
import { ListTabs, type ListTab } from '../shared/ListTabs.tsx';
import { PremiumOrders } from './PremiumOrders.tsx';

const Receipts = lazy(async () => ({ default: (await import('./Receipts.tsx')).Receipts }));

const tabs: readonly ListTab[] = [
  { key: 'all', label: '全部' },
  { key: 'draft', label: '待提交', state: ['DRAFT', 'REJECTED'] },
  { key: 'audit', label: '待审核', state: ['PENDING_AUDIT'] },
  { key: 'second', label: '待复核', state: ['PENDING_SECOND'] },
  { key: 'open', label: '待收付', state: ['APPROVED', 'PART_SETTLED'] },
  { key: 'overdue', label: '逾期', overdue: 'true' },
  { key: 'settled', label: '已收付', state: ['SETTLED'] },
  { key: 'reversed', label: '已冲正', state: ['REVERSED'] },
];
const Orders = () => (
  <PartLine tabs={<ListTabs tabs={tabs} />}>
    <PremiumOrders />
  </PartLine>
);
const parts: readonly PagePart[] = [
  { key: 'orders', label: '保费订单', permission: may['premium.view'], content: Orders },
  { key: 'receipts', label: '到账记录', permission: may['premium.receipt'], content: Receipts },
];

/** /insurancePremiumOrderInquiry 保费订单查询. */
export default function InsurancePremiumOrderInquiry() {
  return <PageParts parts={parts} />;
}
