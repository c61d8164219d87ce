import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { FormRecord } from '#kernel/web/form/FormRecord.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import {
  addReversal,
  queryReversalList,
  queryWriteOffDetail,
  queryWriteOffList,
  type WriteOffDetail,
} from '../../contract/calls/writeOffs.ts';
import { atMost } from '#kernel/web/form/formRules.ts';

interface Values {
  amount: number;
  reasonCode: 'RETURN' | 'WRONG_AMOUNT' | 'WRONG_CARD' | 'DUPLICATE' | 'OTHER';
  opinion: string;
}

function Fields({ writeOff, onClose }: { writeOff: WriteOffDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const isWhole = writeOff.kind === 'BENEFIT_CARD';
  return (
    <FormDrawer<typeof addReversal, Values>
      open
      title={`申请冲正 ${writeOff.writeOffNo}`}
      call={addReversal}
      form={form}
      initial={{ amount: writeOff.reversible, reasonCode: 'RETURN' }}
      toInput={({ amount, reasonCode, opinion }) => ({ writeOffId: writeOff.id, amount, reasonCode, opinion })}
      refreshes={[queryWriteOffList, queryReversalList, queryWriteOffDetail]}
      success="提交成功!"
      onClose={onClose}
    >
      <p>
        {writeOff.goods}　核销 {yuan(writeOff.amount, true)} 元，已冲正 {yuan(writeOff.reversed, true)} 元，可冲正{' '}
        {yuan(writeOff.reversible, true)} 元
      </p>
      {writeOff.graceUntil && (
        <Alert
          type="info"
          showIcon
          title={`已过期部分退回后有效期至${showInstant(writeOff.graceUntil).slice(0, 10)}`}
          style={{ marginBottom: 12 }}
        />
      )}
      <Field of={addReversal} name="amount" required rules={[atMost('冲正金额', writeOff.reversible)]}>
        <MoneyInput disabled={isWhole} />
      </Field>
      <Field of={addReversal} name="reasonCode" />
      <Field of={addReversal} name="opinion" placeholder="写明退货单号或原因" />
    </FormDrawer>
  );
}

/** 申请冲正: an amount of what is left, with its reason; somebody else checks it. */
export function ReversalForm({ id, onClose }: { id: string; onClose(): void }) {
  return (
    <FormRecord call={queryWriteOffDetail} input={{ writeOffId: id }} title="申请冲正" width={560} onClose={onClose}>
      {(writeOff) => <Fields writeOff={writeOff} onClose={onClose} />}
    </FormRecord>
  );
}
