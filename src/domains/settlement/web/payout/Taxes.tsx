import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportTaxRecordList, queryTaxRecordList } from '../../contract/calls/payouts.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { PayerSelect } from '../PayerSelect.tsx';

const taxes = resource(queryTaxRecordList, {
  routeKey: 'incomeSettle.taxes',
  empty: '还没有扣税记录，出盘后自动登记',
  filters: [{ kind: 'picker', name: 'payerEntityId', picker: PayerSelect }, 'taxMonth', 'doctorName'],
  columns: [
    { key: 'doctorName', required: true },
    'taxMonth',
    'grossFen',
    'taxableFen',
    'taxFen',
    'cumTaxFen',
    'previousTaxFen',
    { key: 'method', plain: true },
    'runFrom',
    'bizRef',
    'isBack',
    'payerName',
    { key: 'createdAt', hidden: true },
  ],
});

/** Tab 扣税记录: what was withheld of each payment. */
export const Taxes = () => (
  <ResourceList of={taxes} toolbar={(view) => <ExportButton call={exportTaxRecordList} view={view} permission={may['tax.view']} />} />
);
