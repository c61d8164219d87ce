import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Payouts } from './Payouts.tsx';

const Items = lazy(async () => ({ default: (await import('./Items.tsx')).AllItems }));
const Taxes = lazy(async () => ({ default: (await import('./Taxes.tsx')).Taxes }));
const Declarations = lazy(async () => ({ default: (await import('./Declarations.tsx')).Declarations }));
const Periods = lazy(async () => ({ default: (await import('./Periods.tsx')).Periods }));

const parts: readonly PagePart[] = [
  { key: 'batches', label: '付款批次', permission: may['payout.view'], content: Payouts },
  { key: 'items', label: '付款明细', permission: may['payout.view'], content: Items },
  { key: 'taxes', label: '扣税记录', permission: may['tax.view'], content: Taxes },
  { key: 'declare', label: '个税申报', permission: may['tax.view'], content: Declarations },
  { key: 'periods', label: '账期', permission: may['tax.view'], content: Periods },
];

/** /incomeSettle 收入结算. */
export default function IncomeSettle() {
  return <PageParts parts={parts} />;
}
