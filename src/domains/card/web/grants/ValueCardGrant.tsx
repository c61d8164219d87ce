import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { Grants } from './Grants.tsx';

const GrantLines = lazy(async () => ({ default: (await import('./GrantLines.tsx')).GrantLines }));

const parts: readonly PagePart[] = [
  { key: 'grants', label: '发放单', permission: may['card.view'], content: Grants },
  { key: 'lines', label: '发放明细', permission: may['card.view'], content: GrantLines },
];

/** /valueCardGrant 储值发放记录. */
export default function ValueCardGrant() {
  return <PageParts parts={parts} />;
}
