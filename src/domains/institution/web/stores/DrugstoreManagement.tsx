import { PageParts } from '../../../../kernel/web/kit/PageParts.tsx';
import { ChangeAudit } from './ChangeAudit.tsx';
import { Chains } from './Chains.tsx';
import { GoodsPrices } from './GoodsPrices.tsx';
import { Licences } from './Licences.tsx';
import { Stores } from './Stores.tsx';
import '../shared/institution.css';

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
