import { Alert, Form } from 'antd';
import { fillText } from '#kernel/contract/errors.ts';
import { doctorErrors } from '../../contract/errors.ts';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { yuan } from '#kernel/contract/money.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import type { ConsultOrderRow } from '../../contract/calls/consultOrders.ts';
import type { RefundReason } from '../../contract/dictionaries.ts';
import { addConsultRefund, previewConsultRefund } from '../../contract/calls/refunds.ts';
import type { RefundCalc } from '../../contract/rules/refund.ts';
import { TypedItem } from '#kernel/web/form/TypedItem.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { LinesField } from '../services/inputs.tsx';
import { refreshes } from './orderList.tsx';

interface Values {
  reason: RefundReason;
  amountFen: number;
  opinion: string;
  patientNote?: string;
}

/** How the amount comes about, in words. */
export function calcText(calc: RefundCalc): string {
  const left = yuan(calc.payFen - calc.refundedFen);
  const share = (unit: string) =>
    `实付 ${yuan(calc.payFen)} 元 ×（${calc.total} − 已用 ${calc.used}）÷ ${calc.total} ${unit}` +
    `${calc.refundedFen > 0 ? ` − 已退 ${yuan(calc.refundedFen)} 元` : ''} = ${yuan(calc.proposedFen)} 元`;
  switch (calc.rule) {
    case 'ALL':
      return `服务未交付，退全部剩余 ${left} 元`;
    case 'NONE':
      return '按次服务已首次回复，按规则不退';
    case 'REPLIES':
      return share('回合');
    case 'PERIOD':
      return `${share('天')}（申请当日计为已用）`;
    case 'HAND':
      return `投诉退款由人工填写，最多 ${left} 元；按规则可退 ${yuan(calc.proposedFen)} 元`;
    case 'LATE':
      return `关单后到账，退回 ${left} 元`;
  }
}

/** 退款: reason, amount by the rule with its calculation, editable downward. */
export function RefundDialog({ order, onClose }: { order: ConsultOrderRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const reason = Form.useWatch('reason', form) ?? 'PATIENT';
  const preview = useData(previewConsultRefund, { orderId: order.id, reason }, { quiet: true });
  const { data } = preview;
  const amount = Form.useWatch('amountFen', form);
  const calc = data?.calc;
  const shown = amount ?? calc?.proposedFen ?? 0;
  return (
    <FormDialog<typeof addConsultRefund, Values>
      open
      form={form}
      title={`退款：${order.orderNo}`}
      width={560}
      recordKey={order.id}
      initial={{ reason: 'PATIENT' }}
      call={addConsultRefund}
      success={SERVER_MESSAGE}
      refreshes={refreshes}
      onClose={onClose}
      submitText="提交退款"
      labels={{ reason: '退款原因', amountFen: '退款金额', opinion: '意见' }}
      toInput={(values) => ({
        orderId: order.id,
        reason: values.reason,
        amountFen: values.amountFen ?? calc?.proposedFen ?? 0,
        opinion: values.opinion,
        patientNote: values.patientNote ?? '',
      })}
      onValuesChange={(changed) => {
        // Another reason proposes another amount.
        if ('reason' in changed) form.setFieldValue('amountFen', undefined);
      }}
    >
      <p className="kq-muted">
        {order.doctorName} · {order.itemName}，实付 {yuan(order.payFen)} 元，已退 {yuan(order.refundedFen)} 元
      </p>
      <Field of={addConsultRefund} name="reason" />
      {!calc ? (
        <Waiting for={preview} />
      ) : (
        <Alert type={calc.limitFen === 0 ? 'warning' : 'info'} showIcon style={{ marginBottom: 16 }} title={calcText(calc)} />
      )}
      <TypedItem
        label="退款金额（元）"
        name="amountFen"
        extra={
          data && shown > 0
            ? shown > data.autoFen
              ? `超过 ${yuan(data.autoFen)} 元，须另一人复核后退款`
              : `不超过 ${yuan(data.autoFen)} 元，提交后直接退款`
            : undefined
        }
        rules={[
          againstRecord((value?: number | null) => {
            const wanted = value ?? calc?.proposedFen ?? 0;
            if (wanted <= 0) return '退款金额须大于0';
            return calc && wanted > calc.limitFen ? fillText(doctorErrors.REFUND_TOO_MUCH.text, { yuan: yuan(calc.limitFen) }) : null;
          }),
        ]}
      >
        <MoneyInput placeholder={calc ? yuan(calc.proposedFen) : '0.00'} />
      </TypedItem>
      <LinesField of={addConsultRefund} name="opinion" />
      <LinesField of={addConsultRefund} name="patientNote" placeholder="退款完成后患者可见" />
    </FormDialog>
  );
}
