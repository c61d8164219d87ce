import { lazy } from 'react';
import { useData } from '../../../../kernel/web/http/queries.ts';
import { queryMedicineCounts } from '../../contract/calls/medicines.ts';
import { pharmaPermissions as may } from '../../contract/permissions.ts';
import { medicineMachine } from '../../contract/states.ts';
import { Tabbed, type Part } from '../shared/Tabbed.tsx';
import { Medicines } from './Medicines.tsx';

const Applies = lazy(async () => ({ default: (await import('./Applies.tsx')).Applies }));
const Reimburse = lazy(async () => ({ default: (await import('./Reimburse.tsx')).Reimburse }));

/** /medicineManagementTable 药品管理. */
export default function MedicineManagementTable() {
  const { data } = useData(queryMedicineCounts, {});
  const count = (state: string) => data?.stateCounts.find((row) => row.state === state)?.count ?? 0;
  const part = (state: 'DRAFT' | 'PENDING' | 'ON' | 'OFF'): Part => ({ key: state, label: `${medicineMachine.states[state].label} ${count(state)}`, content: () => <Medicines state={state} /> });
  return (
    <Tabbed
      parts={[
        { key: 'all', label: '全部', content: () => <Medicines /> },
        part('DRAFT'), part('PENDING'), part('ON'), part('OFF'),
        { key: 'applies', label: `审核 ${data?.pendingApplies ?? 0}`, content: () => <Applies /> },
        { key: 'prices', label: `价格变更 ${data?.pendingPrices ?? 0}`, permission: may['price.view'], content: () => <Applies only="PRICE" /> },
        { key: 'reimburse', label: '医保目录', content: () => <Reimburse /> },
      ]}
    />
  );
}
