import { Form } from 'antd';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { RegionPicker } from '#kernel/web/kit/pickers.tsx';
import { addHospitalApply } from '#domains/institution/contract/applyCalls.ts';
import type { hospitalKinds, hospitalLevels, ownerships } from '#domains/institution/contract/dictionaries.ts';
import { hospitalFactsInput } from '#domains/institution/contract/hospitalCalls.ts';
import { LinesField } from '../services/inputs.tsx';

interface Values {
  name: string;
  level: (typeof hospitalLevels.codes)[number];
  kind: (typeof hospitalKinds.codes)[number];
  ownership: (typeof ownerships.codes)[number];
  adcode: string;
  address?: string;
  phone?: string;
  files?: readonly UploadedFile[];
  reason?: string;
}

/** A hospital that is not in the directory: asked for, and audited before the doctor can be qualified. */
export function HospitalApplyDialog({ onDone, onClose }: { onDone(apply: { id: string; name: string }): void; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDrawer<typeof addHospitalApply, Values>
      open
      title="申请新增医院"
      width={560}
      form={form}
      call={addHospitalApply}
      initial={{ level: 'L0', kind: 'GENERAL', ownership: 'PUBLIC' }}
      success="message"
      toInput={({ files, reason, ...facts }) => ({
        applyType: 'CREATE',
        payload: { ...facts, address: facts.address ?? '', phone: facts.phone ?? '' },
        evidenceFileIds: (files ?? []).map(({ fileId }) => fileId),
        reason: reason ?? '',
      })}
      onDone={({ data }) => onDone({ id: data.id, name: form.getFieldValue('name') as string })}
      onClose={onClose}
    >
      <Field of={hospitalFactsInput} name="name" />
      <div className="dm-two">
        <Field of={hospitalFactsInput} name="level" />
        <Field of={hospitalFactsInput} name="kind" />
        <Field of={hospitalFactsInput} name="ownership" />
        <Field of={hospitalFactsInput} name="adcode">
          <RegionPicker />
        </Field>
      </div>
      <Field of={hospitalFactsInput} name="address" />
      <Field of={hospitalFactsInput} name="phone" />
      <Form.Item label="证明材料" name="files">
        <Upload purpose="INSTITUTION_PAPER" max={10} hint="执照照片、官网截图或批文" />
      </Form.Item>
      <LinesField of={addHospitalApply} name="reason" label="说明" />
    </FormDrawer>
  );
}
