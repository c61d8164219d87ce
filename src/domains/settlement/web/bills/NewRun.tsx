import { Form } from 'antd';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { previewSettleRun, querySettlementBillList, querySettleRunList, startSettleRun } from '../../contract/calls/bills.ts';
import { PayerSelect } from '../PayerSelect.tsx';

interface Values {
  period: string;
  payerEntityId: string;
}

/** 试算: what the run would make, and who would get no bill. */
function Preview({ period, payerEntityId }: Values) {
  const { data, error, refetch } = useData(previewSettleRun, { period, payerEntityId }, { quiet: true });
  if (error) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (!data) return <div className="kq-loading" />;
  return (
    <>
      <p>
        试算：{grouped(data.doctorCount)} 位医生有可结算收入，将生成 {grouped(data.billCount)} 张结算单，应发合计{' '}
        <b>{yuan(data.grossFen, true)}</b> 元，其中滚存转入 {yuan(data.carryInFen, true)} 元
      </p>
      {data.skipped.length > 0 && (
        <>
          <p className="kq-muted">以下医生本期不出单，收入滚存至下期：</p>
          <ul>
            {data.skipped.slice(0, 50).map((one) => (
              <li key={one.doctorName}>
                {one.doctorName}：{yuan(one.grossFen, true)} 元，{one.reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** 发起批算: for which month and company, what it would be, then it is run. */
export function NewRun({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const period = Form.useWatch('period', form);
  const payerEntityId = Form.useWatch('payerEntityId', form);
  const last = plusDays(`${todayHere().slice(0, 7)}-01`, -1).slice(0, 7);
  return (
    <FormDrawer<typeof startSettleRun, Values>
      open
      title="发起批算"
      call={startSettleRun}
      form={form}
      initial={{ period: last }}
      refreshes={[querySettlementBillList, querySettleRunList]}
      success="已开始生成"
      submitText="确认批算"
      onClose={onClose}
    >
      <Field of={startSettleRun} name="period">
        <MonthInput max={last} />
      </Field>
      <Field of={startSettleRun} name="payerEntityId">
        <PayerSelect />
      </Field>
      {period && payerEntityId && <Preview period={period} payerEntityId={payerEntityId} />}
    </FormDrawer>
  );
}
