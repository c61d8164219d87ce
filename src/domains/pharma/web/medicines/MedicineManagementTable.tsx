import { lazy } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { queryMedicineCounts } from '../../contract/calls/medicines.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { medicineMachine } from '../../contract/states.ts';
import { Medicines } from './Medicines.tsx';

const Applies = lazy(async () => ({ default: (await import('./Applies.tsx')).Applies }));
const Reimburse = lazy(async () => ({ default: (await import('./Reimburse.tsx')).Reimburse }));

const Prices = lazy(async () => ({ default: (await import('./Prices.tsx')).Prices }));

const All = () => <Medicines />;
const PriceApplies = () => <Applies only="PRICE" />;
const byState = (['DRAFT', 'PENDING', 'ON', 'OFF'] as const).map((state) => ({ state, content: () => <Medicines state={state} /> }));

/** /medicineManagementTable 药品管理. */
export default function MedicineManagementTable() {
  const { data } = useData(queryMedicineCounts, {});
  const count = (state: string) => data?.stateCounts.find((row) => row.state === state)?.count ?? 0;
  return (
    <PageParts
      parts={[
        { key: 'all', label: '全部', content: All },
        ...byState.map(({ state, content }) => ({ key: state, label: `${medicineMachine.states[state].label} ${count(state)}`, content })),
        { key: 'applies', label: `审核 ${data?.pendingApplies ?? 0}`, content: Applies },
        { key: 'prices', label: `价格变更 ${data?.pendingPrices ?? 0}`, permission: may['price.view'], content: PriceApplies },
        { key: 'priceList', label: '价格记录', permission: may['price.view'], content: Prices },
        { key: 'reimburse', label: '医保目录', content: Reimburse },
      ]}
    />
  );
}
