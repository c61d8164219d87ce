import { Alert, Button, Form, Select } from 'antd';
import { useEffect } from 'react';
import { instantOf } from '#kernel/contract/time.ts';
import { toastError } from '#kernel/web/feedback/toast.ts';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { TypedItem } from '#kernel/web/form/TypedItem.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { failureText } from '#kernel/web/http/refusal.ts';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import type { PageWindowProps } from '#kernel/web/pageWindows.tsx';
import { queryFulfilmentDetail, shipFulfilment, shipLine, type FulfilmentCard } from '../../contract/calls/fulfilments.ts';
import { queryLogisticsList } from '../../contract/calls/logistics.ts';
import { TEMPERATURE_RECORD } from '../../contract/purposes.ts';
import type { Carrier } from '../../contract/orderDictionaries.ts';
import { partReads } from '../partReads.ts';

const of = shipFulfilment;
const refreshes = [...partReads, queryLogisticsList];

interface Line {
  orderLineId: string;
  quantity: number;
  batchNo: string;
  expireDate: string;
  traceCodes: string[];
}
interface Values {
  carrierCode: Carrier;
  waybillNo: string;
  shippedAt: string;
  lines: Line[];
  tempRecordFileId?: readonly UploadedFile[];
  lowest?: number | null;
  highest?: number | null;
}
/** Degrees of the form as the tenths of the call. */
const tenths = (degrees: number | null | undefined) => (degrees == null ? null : Math.round(degrees * 10));

function ColdFields() {
  return (
    <>
      <Alert showIcon type="warning" title="含冷链药品：须上传温控记录，全程温度在2–8℃" />
      <Field of={of} name="tempRecordFileId">
        <Upload purpose={TEMPERATURE_RECORD} max={1} />
      </Field>
      <span className="kq-row">
        <TypedItem name="lowest" label="最低温度（℃）">
          <NumberInput min={-50} max={50} precision={1} />
        </TypedItem>
        <TypedItem name="highest" label="最高温度（℃）">
          <NumberInput min={-50} max={50} precision={1} />
        </TypedItem>
      </span>
    </>
  );
}

/** 发货 of a part that is read already. */
export function ShipForm({ part, onChanged, onClose }: { part: FulfilmentCard; onChanged(): void; onClose(): void }) {
  const open = part.lines.filter(({ quantity, shippedQty }) => shippedQty < quantity);
  const nameOf = (orderLineId: string | undefined) => part.lines.find((line) => line.orderLineId === orderLineId);
  return (
    <FormDrawer<typeof of, Values>
      open
      title={`发货 ${part.fulfilmentNo}`}
      width={760}
      call={of}
      recordKey={part.id}
      initial={{
        shippedAt: instantOf(Date.now()),
        lines: open.map(({ orderLineId, quantity, shippedQty }) => ({
          orderLineId,
          quantity: quantity - shippedQty,
          batchNo: '',
          expireDate: '',
          traceCodes: [],
        })),
      }}
      toInput={({ lowest, highest, tempRecordFileId, lines, ...values }) => ({
        ...values,
        lines: lines.map((line) => ({ ...line, traceCodes: [...(line.traceCodes ?? [])] })),
        fulfilmentId: part.id,
        version: part.version,
        tempRecordFileId: tempRecordFileId?.[0]?.fileId ?? null,
        minTemp: tenths(lowest),
        maxTemp: tenths(highest),
      })}
      refreshes={refreshes}
      success="操作成功!"
      onDone={onChanged}
      onClose={onClose}
    >
      <Field of={of} name="carrierCode" />
      <Field of={of} name="waybillNo" />
      <Field of={of} name="shippedAt">
        <InstantInput />
      </Field>
      <FieldList of={of} name="lines">
        {(entries, { add, remove }, { errors }) => (
          <Form.Item label="发货商品" required>
            {entries.map((entry) => (
              <ShipLine
                key={entry.key}
                at={entry.name}
                nameOf={nameOf}
                onCopy={(orderLineId) => add({ orderLineId, quantity: 1, batchNo: '', expireDate: '', traceCodes: [] })}
                {...(entries.length > 1 && { onRemove: () => remove(entry.name) })}
              />
            ))}
            <Form.ErrorList errors={errors} />
          </Form.Item>
        )}
      </FieldList>
      {open.some(({ coldChain }) => coldChain) && <ColdFields />}
    </FormDrawer>
  );
}

interface LineProps {
  at: number;
  nameOf(orderLineId: string | undefined): FulfilmentCard['lines'][number] | undefined;
  onCopy(orderLineId: string): void;
  onRemove?(): void;
}
function ShipLine({ at, nameOf, onCopy, onRemove }: LineProps) {
  const form = Form.useFormInstance<Values>();
  const orderLineId = Form.useWatch<string | undefined>(['lines', at, 'orderLineId'], form);
  const line = nameOf(orderLineId);
  return (
    <section className="kq-section">
      <div className="kq-row">
        <strong>{line?.goodsName}</strong>
        <span className="kq-muted">
          {line?.spec}，待发{(line?.quantity ?? 0) - (line?.shippedQty ?? 0)}
        </span>
        {orderLineId !== undefined && (
          <Button type="link" size="small" onClick={() => onCopy(orderLineId)}>
            再加一个批号
          </Button>
        )}
        {onRemove && (
          <Button type="link" size="small" danger onClick={onRemove}>
            移除
          </Button>
        )}
      </div>
      <Form.Item name={[at, 'orderLineId']} hidden>
        <input type="hidden" />
      </Form.Item>
      <div className="kq-row">
        <Field of={shipLine} name="quantity" within={[at]} />
        <Field of={shipLine} name="batchNo" within={[at]} />
        <Field of={shipLine} name="expireDate" within={[at]} />
      </div>
      <Field of={shipLine} name="traceCodes" within={[at]}>
        <Select mode="tags" open={false} tokenSeparators={[',', '，', ' ', '\n']} placeholder="扫码或粘贴，多个用逗号分隔" />
      </Field>
    </section>
  );
}

/** 发货 of the row that the page names. */
export function ShipWindow({ record, onChanged, onClose }: PageWindowProps) {
  const { data, error } = useData(queryFulfilmentDetail, { fulfilmentId: record }, { quiet: true });
  useEffect(() => {
    if (!error) return;
    toastError(failureText(error));
    onClose();
  }, [error, onClose]);
  return data ? <ShipForm part={data} onChanged={onChanged} onClose={onClose} /> : null;
}
