import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { Reversals } from './Reversals.tsx';
import { WriteOffs } from './WriteOffs.tsx';

const parts: readonly PagePart[] = [
  { key: 'writeOffs', label: '核销记录', permission: may['card.view'], content: WriteOffs },
  { key: 'reversals', label: '冲正复核', permission: may['card.view'], content: Reversals },
];

/** /cardCancel 卡核销记录. */
export default function CardCancel() {
  return <PageParts parts={parts} />;
}
