import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { Cards } from './Cards.tsx';

const Changes = lazy(async () => ({ default: (await import('./Changes.tsx')).Changes }));
const parts: readonly PagePart[] = [
  { key: 'cards', label: '卡信息', permission: may['card.view'], content: Cards },
  { key: 'changes', label: '变更审批', permission: may['card.view'], content: Changes },
];

/** /cardInformation 卡信息 `?cardTypeId=&batchId=`. */
export default function CardInformation() {
  return <PageParts parts={parts} />;
}
