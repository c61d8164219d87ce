import { Form, Select } from 'antd';
import { useState } from 'react';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { TextArea } from '#kernel/web/kit/TextInput.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import { addAfterSale as of, previewAfterSale } from '../../contract/calls/afterSales.ts';
import type { OrderDetail } from '../../contract/calls/orders.ts';
import { afterSaleReasons, afterSaleTypes, fundingKinds } from '../../contract/orderDictionaries.ts';
import { AFTER_SALE_PROOF } from '../../contract/purposes.ts';
import { returnable, type ReturnReason } from '../../contract/rules/returns.ts';
import { afterSaleReads } from './reads.ts';

interface Values {
  type: (typeof afterSaleTypes.codes)[number];
  reasonCode: ReturnReason;
  quantities: Record<string, number | null>;
  evidenceFileIds?: readonly UploadedFile[];
  applicantText: string;
  internalNote: string;
}

const linesIn = (quantities: Values['quantities'] | undefined) =>
  Object.entries(quantities ?? {}).flatMap(([orderLineId, quantity]) => (quantity ? [{ orderLineId, quantity }] : []));

/** What would go back, as it is chosen. */
function Preview({ orderId, values }: { orderId: string; values: Partial<Values> }) {
  const { type, reasonCode } = values;
  const lines = linesIn(values.quantities);
  const ready = type !== undefined && reasonCode !== undefined && lines.length > 0;
  const asked = { orderId, type: type ?? 'REFUND_ONLY', reasonCode: reasonCode ?? 'NOT_SHIPPED', lines };
  const { data, error } = useData(previewAfterSale, asked, { quiet: true, enabled: ready });
  if (!ready) return <p className="kq-muted">选择原因与商品后显示退款金额</p>;
  if (error) return <p className="kq-danger">{error instanceof Error ? error.message : ''}</p>;
  if (!data) return null;
  return (
    <p aria-label="退款试算">
      退款合计{' '}
      <b>
        <Money fen={data.refundFen} unit />
      </b>
      {data.parts.map(({ orderLineId, kind, goodsName, amountFen }) => (
        <span key={`${orderLineId}${kind}`} className="kq-muted">
          {'　'}
          {goodsName} {fundingKinds.label(kind)} <Money fen={amountFen} unit />
        </span>
      ))}
    </p>
  );
}

/** 发起售后: which pieces come back, why, and what goes back for them. */
export function AfterSaleForm({ data, onClose }: { data: OrderDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [values, setValues] = useState<Partial<Values>>({});
  const { order, lines } = data;
  const reason = values.reasonCode;
  const atStore = order.orderType === 'STORE_DIRECT';
  return (
    <FormDrawer<typeof of, Values>
      open
      width={680}
      title={`发起售后 ${order.orderNo}`}
      call={of}
      form={form}
      initial={{ quantities: {} }}
      onValuesChange={(_changed, all: Values) => setValues(all)}
      toInput={({ quantities, evidenceFileIds, ...rest }) => ({
        ...rest,
        orderId: order.id,
        lines: linesIn(quantities),
        evidenceFileIds: (evidenceFileIds ?? []).map(({ fileId }) => fileId),
      })}
      refreshes={afterSaleReads}
      success="message"
      onClose={onClose}
    >
      <Field of={of} name="type">
        <Select options={afterSaleTypes.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={of} name="reasonCode">
        <Select options={afterSaleReasons.options.map(({ value, label }) => ({ value, label }))} />
      </Field>
      {lines.map((line) => {
        const sold = atStore ? { ...line, allocatedQty: line.quantity, shippedQty: line.quantity } : line;
        const most = reason === undefined ? line.quantity - line.refundedQty : returnable(reason, sold);
        return (
          <Form.Item key={line.id} label={`${line.goodsName}（可退 ${most}）`} name={['quantities', line.id]}>
            <NumberInput min={0} max={most} disabled={most === 0} aria-label={`${line.goodsName}退回数量`} />
          </Form.Item>
        );
      })}
      <Preview orderId={order.id} values={values} />
      <Field of={of} name="evidenceFileIds">
        <Upload purpose={AFTER_SALE_PROOF} max={9} />
      </Field>
      <Field of={of} name="applicantText">
        <TextArea rows={2} most={500} />
      </Field>
      <Field of={of} name="internalNote">
        <TextArea rows={2} most={500} />
      </Field>
    </FormDrawer>
  );
}
