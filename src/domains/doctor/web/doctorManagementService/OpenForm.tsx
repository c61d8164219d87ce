import { Form, Radio } from 'antd';
import { useRef, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { queryServiceItemDetail } from '../../contract/calls/items.ts';
import { batchOpenService } from '../../contract/calls/openings.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import type { WeekSlot } from '../../contract/rules/slots.ts';
import { Bands } from '../services/Bands.tsx';
import { DoctorsField, ServiceField } from '../services/onDemand.tsx';
import { CountField, LinesField } from '../services/inputs.tsx';
import { SlotFields } from '../services/SlotFields.tsx';
import { MoneyInput } from '#kernel/web/kit/MoneyInput.tsx';
import { refreshes } from './refreshes.ts';
import '../services/services.css';

interface Values {
  doctorIds: string[];
  itemId: string;
  priceMode: 'DEFAULT' | 'FIXED';
  priceFen?: number;
  dailyLimit?: number | null;
  slots?: WeekSlot[];
  reason?: string;
}

const MOST = 200;

/** 开通服务 for one doctor or many: each is judged by itself and named in the result. */
export function OpenForm({ onDone, onClose, doctorIds = [] }: { onDone?(): void; onClose(): void; doctorIds?: readonly string[] }) {
  const [form] = Form.useForm<Values>();
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  // The drawer closes itself after a success; the result is then still to be shown.
  const answered = useRef(false);
  const itemId = Form.useWatch('itemId', form);
  const priceMode = Form.useWatch('priceMode', form);
  const seesItems = useMay()(may['item.view']);
  const { data } = useData(queryServiceItemDetail, { id: itemId ?? '1' }, { enabled: Boolean(itemId) && seesItems, quiet: true });
  if (outcomes) return <BatchResult title="开通服务" outcomes={outcomes} total={outcomes.length} running={false} onClose={onClose} />;
  return (
    <FormDrawer<typeof batchOpenService, Values>
      open
      form={form}
      title="开通服务"
      width={720}
      call={batchOpenService}
      initial={{ doctorIds: [...doctorIds], priceMode: 'DEFAULT', slots: [] }}
      refreshes={refreshes}
      submitText="提交申请"
      onClose={() => {
        if (!answered.current) onClose();
      }}
      onDone={({ data: done }) => {
        answered.current = true;
        setOutcomes(done);
        onDone?.();
      }}
      toInput={({ priceFen, dailyLimit = null, slots = [], reason = '', ...values }) => ({
        ...values,
        dailyLimit,
        slots: data?.item.needSlot === false ? [] : slots,
        reason,
        ...(values.priceMode === 'FIXED' && priceFen !== undefined && { priceFen }),
      })}
    >
      <Field of={batchOpenService} name="doctorIds" label={`医生（最多${MOST}位）`}>
        <DoctorsField type="DOCTOR" max={MOST} placeholder="按姓名、拼音或编号查找医生" />
      </Field>
      <Field of={batchOpenService} name="itemId" extra={data && <Bands bands={data.item.priceBands} />}>
        <ServiceField type="ITEM" />
      </Field>
      <Field of={batchOpenService} name="priceMode">
        <Radio.Group
          options={[
            { value: 'DEFAULT', label: '按职称默认价' },
            { value: 'FIXED', label: '统一定价' },
          ]}
        />
      </Field>
      {priceMode === 'FIXED' && (
        <Field of={batchOpenService} name="priceFen" required>
          <MoneyInput />
        </Field>
      )}
      <CountField of={batchOpenService} name="dailyLimit" unit="人/天" placeholder="不填按服务配置默认值" />
      {data?.item.needSlot !== false && <SlotFields required={data?.item.needSlot === true} />}
      <LinesField of={batchOpenService} name="reason" />
    </FormDrawer>
  );
}
