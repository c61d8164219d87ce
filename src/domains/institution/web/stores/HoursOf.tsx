import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { queryDrugstoreDetail, type StoreRow } from '../../contract/storeCalls.ts';
import { HoursDialog } from './HoursDialog.tsx';

/** Hours of one store, filled with what it has. */
export function HoursOf({ row, onClose }: { row: StoreRow; onClose(): void }) {
  return (
    <FormRecord call={queryDrugstoreDetail} input={{ storeId: row.id }} title={`营业时间：${row.name}`} width={720} onClose={onClose}>
      {(store) => <HoursDialog stores={[row]} initial={store.weekHours} onClose={onClose} />}
    </FormRecord>
  );
}
