import { Alert, Form } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { captureHold, queryOrderCardList, SECOND_PERSON_FEN, type HoldRow } from '../../contract/calls/use.ts';
import { queryWriteOffList } from '../../contract/calls/writeOffs.ts';
import { atMost } from '#kernel/web/form/formRules.ts';

interface Values {
  captureAmount: number;
  opinion?: string;
}

/** 核销 of what is held: all of it or less; what is left over is free at once. */
export function CaptureDialog({ hold, onClose }: { hold: HoldRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const amount = Form.useWatch('captureAmount', form) ?? hold.amount;
  const isMoney = hold.kind === 'STORED_VALUE';
  return (
    <FormDialog<typeof captureHold, Values>
      open
      title={`核销 ${hold.orderNo}`}
      call={captureHold}
      form={form}
      initial={{ captureAmount: hold.amount }}
      toInput={(values) => ({
        holdId: hold.id,
        version: hold.version,
        ...(isMoney && { captureAmount: values.captureAmount }),
        opinion: values.opinion ?? '',
      })}
      refreshes={[queryOrderCardList, queryWriteOffList]}
      success="核销成功!"
      submitText="确认核销"
      onClose={onClose}
    >
      {amount >= SECOND_PERSON_FEN && isMoney && (
        <Alert
          type="warning"
          showIcon
          title="金额超过5000元，需另一人复核：由非预占人、有复核权限的同事核销"
          style={{ marginBottom: 12 }}
        />
      )}
      {isMoney ? (
        <>
          <Field of={captureHold} name="captureAmount" required rules={[atMost('核销金额', hold.amount)]}>
            <MoneyInput />
          </Field>
          <p className="kq-muted">
            预占 {yuan(hold.amount, true)} 元，核销后释放 {yuan(Math.max(hold.amount - amount, 0), true)} 元
          </p>
        </>
      ) : (
        <p>{hold.kind === 'COUPON' ? `优惠券抵扣 ${yuan(hold.amount, true)} 元，整张核销` : `权益 ${hold.times} 次，整笔核销`}</p>
      )}
      <Field of={captureHold} name="opinion" />
    </FormDialog>
  );
}
