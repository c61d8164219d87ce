import { lazy } from 'react';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { Stores } from './Stores.tsx';
import '../shared/institution.css';

// Each further part is fetched when its tab is opened.
const ChangeAudit = lazy(async () => ({ default: (await import('./ChangeAudit.tsx')).ChangeAudit }));
const Chains = lazy(async () => ({ default: (await import('./Chains.tsx')).Chains }));
const GoodsPrices = lazy(async () => ({ default: (await import('./GoodsPrices.tsx')).GoodsPrices }));
const Licences = lazy(async () => ({ default: (await import('./Licences.tsx')).Licences }));

const parts = [
  { key: 'stores', label: '门店', content: Stores },
  { key: 'audit', label: '待审核', content: ChangeAudit },
  { key: 'licences', label: '证照到期', content: Licences },
  { key: 'chains', label: '连锁总部', content: Chains },
  { key: 'goods', label: '商品价格', content: GoodsPrices },
];

/** /drugstoreManagement. */
export default function DrugstoreManagement() {
  return <PageParts parts={parts} />;
}
