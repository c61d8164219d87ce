import { Form, Select } from 'antd';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { TimeSelect } from '#kernel/web/kit/TimeSelect.tsx';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, instantOf } from '#kernel/contract/time.ts';
import { serviceTypes, type ServiceType } from '../../../contract/dictionaries.ts';
import type { RouteDoctor } from './open.ts';
import { addInquiry } from '../../../contract/calls/inquiry.ts';

export interface OpeningValues {
  openingId: string;
  slotDay?: string | null;
  slotTime?: string;
}

/** The instant of the chosen day and time, where the service is held at one. */
export const slotOf = ({ slotDay, slotTime }: OpeningValues): string | undefined =>
  slotDay && slotTime ? new Date(`${slotDay}T${slotTime}:00+08:00`).toISOString() : undefined;

/** A service of a doctor with its price, and the time for those that are held at one. */
export function OpeningFields({ doctor }: { doctor: RouteDoctor | undefined }) {
  const form = Form.useFormInstance<OpeningValues>();
  const openingId = Form.useWatch('openingId', form);
  const chosen = doctor?.openings.find((opening) => opening.openingId === openingId);
  return (
    <>
      <Field of={addInquiry} name="openingId" label="服务">
        <Select
          placeholder={doctor ? '请选择' : '请先选择医生'}
          disabled={!doctor}
          notFoundContent="该医生暂未开通服务"
          options={(doctor?.openings ?? []).map((opening) => ({
            value: opening.openingId,
            label: `${opening.name}（${serviceTypes.label(opening.serviceType as ServiceType)}）¥${yuan(Number(opening.priceFen))}`,
          }))}
        />
      </Field>
      {chosen?.needSlot && (
        <Form.Item label="预约时段" required>
          <div className="im-slot">
            <Form.Item noStyle name="slotDay" rules={[{ required: true, message: '请选择预约时段' }]}>
              <DayInput aria-label="预约日期" from={dayOf(instantOf(Date.now()))} />
            </Form.Item>
            <Form.Item noStyle name="slotTime" rules={[{ required: true, message: '请选择预约时段' }]}>
              <TimeSelect placeholder="时间" />
            </Form.Item>
          </div>
        </Form.Item>
      )}
    </>
  );
}
