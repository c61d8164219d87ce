import { ImportWizard } from '#kernel/web/files/ImportWizard.tsx';
import { refresh } from '#kernel/web/http/queries.ts';
import {
  BILL_STATEMENT_IMPORTER,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  type SettlementBillRow,
} from '../../contract/calls/settlement.ts';

interface Props {
  bill: SettlementBillRow;
  onChanged?(): void;
  onClose(): void;
}

/** 导入对账文件 of a bill: the counterparty's own statement. */
export function StatementWizard({ bill, onChanged, onClose }: Props) {
  return (
    <ImportWizard
      importerCode={BILL_STATEMENT_IMPORTER}
      params={{ billId: bill.id }}
      open
      {...(onChanged && { onChanged })}
      onClose={() => {
        void refresh(querySettlementBillList, querySettlementBatchList, querySettlementBatchDetail);
        onClose();
      }}
    />
  );
}
