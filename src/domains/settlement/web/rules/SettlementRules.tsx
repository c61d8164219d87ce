import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { ShareRules } from './ShareRules.tsx';

const CycleRules = lazy(async () => ({ default: (await import('./CycleRules.tsx')).CycleRules }));
const Payers = lazy(async () => ({ default: (await import('./Payers.tsx')).Payers }));

const parts: readonly PagePart[] = [
  { key: 'share', label: '分成规则', permission: may['rule.view'], content: ShareRules },
  { key: 'cycle', label: '周期规则', permission: may['rule.view'], content: CycleRules },
  { key: 'payers', label: '付款主体与个税', permission: may['rule.view'], content: Payers },
];

/** /settlementRules 结算规则. */
export default function SettlementRules() {
  return <PageParts parts={parts} />;
}
