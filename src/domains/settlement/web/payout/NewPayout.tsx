import { Checkbox, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { querySettlementBillList } from '../../contract/calls/bills.ts';
import { addPayoutBatch, queryPayableBills } from '../../contract/calls/payouts.ts';
import { PayerSelect } from '../PayerSelect.tsx';
import { payoutReads } from './usePayoutActions.ts';

interface Values {
  payerEntityId: string;
  planPayDate: string;
  billIds: string[];
}

/** Bills that wait to be paid; what keeps one from it stands beside it. */
function BillChoice({ payerEntityId, value = [], onChange }: { payerEntityId: string; value?: string[]; onChange?(ids: string[]): void }) {
  const { data, error, refetch } = useData(queryPayableBills, { payerEntityId }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" />;
  const fit = data.filter(({ reason }) => reason === null);
  const chosen = fit.filter(({ id }) => value.includes(id));
  return (
    <>
      <Checkbox
        checked={fit.length > 0 && chosen.length === fit.length}
        indeterminate={chosen.length > 0 && chosen.length < fit.length}
        onChange={({ target }) => onChange?.(target.checked ? fit.map(({ id }) => id) : [])}
      >
        全选（{fit.length} 张可付款），已选 {chosen.length} 张，应发{' '}
        {yuan(
          chosen.reduce((sum, { grossFen }) => sum + grossFen, 0),
          true,
        )}{' '}
        元
      </Checkbox>
      <Checkbox.Group
        value={value}
        onChange={(ids) => onChange?.(ids)}
        style={{ display: 'grid' }}
        options={data.map((bill) => ({
          value: bill.id,
          disabled: bill.reason !== null,
          label: `${bill.billNo}　${bill.doctorName}　${bill.period}　${yuan(bill.grossFen, true)} 元${bill.reason === null ? '' : `　${bill.reason}`}`,
        }))}
      />
    </>
  );
}

/** 新建付款批次: who pays, when, and which bills. */
export function NewPayout({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const payerEntityId = Form.useWatch('payerEntityId', form);
  return (
    <FormDrawer<typeof addPayoutBatch, Values>
      open
      width={860}
      title="新建付款批次"
      call={addPayoutBatch}
      form={form}
      initial={{ planPayDate: todayHere(), billIds: [] }}
      refreshes={[...payoutReads, querySettlementBillList]}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addPayoutBatch} name="payerEntityId">
        <PayerSelect />
      </Field>
      <Field of={addPayoutBatch} name="planPayDate" />
      {payerEntityId && (
        <Field of={addPayoutBatch} name="billIds">
          <BillChoice payerEntityId={payerEntityId} />
        </Field>
      )}
    </FormDrawer>
  );
}
