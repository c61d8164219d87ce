import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Incomes } from './Incomes.tsx';

const Adjusts = lazy(async () => ({ default: (await import('./Adjusts.tsx')).Adjusts }));

const parts: readonly PagePart[] = [
  { key: 'incomes', label: '收入明细', permission: may['income.view'], content: Incomes },
  { key: 'adjusts', label: '人工调整', permission: may['income.view'], content: Adjusts },
];

/** /incomeDetail 收入明细. */
export default function IncomeDetail() {
  return <PageParts parts={parts} />;
}
