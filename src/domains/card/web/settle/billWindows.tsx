import { lazy, useEffect, type ComponentType } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { querySettlementBillList, type SettlementBillRow } from '../../contract/calls/settlement.ts';

const BillLines = lazy(async () => ({ default: (await import('./BillLines.tsx')).BillLines }));
const ConfirmBill = lazy(async () => ({ default: (await import('./ConfirmBill.tsx')).ConfirmBill }));
const StatementWizard = lazy(async () => ({ default: (await import('./StatementWizard.tsx')).StatementWizard }));

interface OfBill {
  bill: SettlementBillRow;
  onChanged(): void;
  onClose(): void;
}

/** The bill of a number as it is now, in a drawer of the list of bills. */
const overBill = (Shown: ComponentType<OfBill>): ComponentType<PageWindowProps> =>
  function BillWindow({ record, onChanged, onClose }) {
    const { data } = useData(querySettlementBillList, { billNo: record, pageSize: 1 });
    const bill = data?.rows[0];
    const isGone = data !== undefined && !bill;
    useEffect(() => {
      if (!isGone) return;
      toastError('结算单不存在或已删除');
      onClose();
    }, [isGone, onClose]);
    return bill ? <Shown bill={bill} onChanged={onChanged} onClose={onClose} /> : null;
  };

export const LinesWindow = overBill(BillLines);
export const ConfirmWindow = overBill(ConfirmBill);
export const StatementWindow = overBill(StatementWizard);
