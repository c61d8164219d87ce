import { Button, Form, Select } from 'antd';
import { doctorErrors } from '../../contract/errors.ts';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import { TimeSelect } from '#kernel/web/kit/TimeSelect.tsx';
import { weekdays } from '../../contract/dictionaries.ts';
import { slotsHeld, weekSlot } from '../../contract/calls/openings.ts';
import { CountField } from './inputs.tsx';
import './services.css';

const days = weekdays.options.map(({ value, label }) => ({ value: Number(value), label }));

/** Bookable times of a week as a list of the form: weekday, from, to, places of each half hour. */
export function SlotFields({ required = false }: { required?: boolean }) {
  return (
    <FieldList of={slotsHeld} name="slots" {...(required && { missing: doctorErrors.SLOTS_MISSING.text })}>
      {(entries, { add, remove }, { errors }) => (
        <Form.Item label="可预约时段" required={required} extra="08:30 至 18:30，每 30 分钟一档；名额为每档可预约人数">
          {entries.map((entry) => (
            <div key={entry.key} className="ds-slot">
              <Field of={weekSlot} name="weekday" within={[entry.name]} label={false}>
                <Select options={days} placeholder="星期" />
              </Field>
              <Field of={weekSlot} name="from" within={[entry.name]} label={false}>
                <TimeSelect placeholder="开始" />
              </Field>
              <Field of={weekSlot} name="to" within={[entry.name]} label={false}>
                <TimeSelect placeholder="结束" />
              </Field>
              <CountField of={weekSlot} name="quota" within={[entry.name]} label={false} unit="人/档" />
              <Button type="link" danger onClick={() => remove(entry.name)}>
                删除
              </Button>
            </div>
          ))}
          <Form.ErrorList errors={errors} />
          <Button type="dashed" block onClick={() => add({ weekday: 1, from: '09:00', to: '11:00', quota: 2 })}>
            添加时段
          </Button>
        </Form.Item>
      )}
    </FieldList>
  );
}
