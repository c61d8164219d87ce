import { Form, Input, Select } from 'antd';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { RegionPicker } from '../../../../kernel/web/kit/pickers.tsx';
import { addHospitalApply } from '../../../institution/contract/applyCalls.ts';
import { hospitalKinds, hospitalLevels, ownerships } from '../../../institution/contract/dictionaries.ts';

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
const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));

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
      <Form.Item label="医院名称" name="name" rules={[{ required: true, whitespace: true, min: 2, message: '请输入医院名称' }]}>
        <Input maxLength={100} />
      </Form.Item>
      <div className="dm-two">
        <Form.Item label="等级" name="level">
          <Select placeholder="请选择" options={options(hospitalLevels)} />
        </Form.Item>
        <Form.Item label="类型" name="kind">
          <Select placeholder="请选择" options={options(hospitalKinds)} />
        </Form.Item>
        <Form.Item label="性质" name="ownership">
          <Select placeholder="请选择" options={options(ownerships)} />
        </Form.Item>
        <Form.Item label="地区" name="adcode" rules={[{ required: true, message: '请选择省市区' }]}>
          <RegionPicker />
        </Form.Item>
      </div>
      <Form.Item label="地址" name="address">
        <Input maxLength={200} />
      </Form.Item>
      <Form.Item label="电话" name="phone">
        <Input maxLength={20} />
      </Form.Item>
      <Form.Item label="证明材料" name="files">
        <Upload purpose="INSTITUTION_PAPER" max={10} hint="执照照片、官网截图或批文" />
      </Form.Item>
      <Form.Item label="说明" name="reason">
        <Input.TextArea rows={2} maxLength={500} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
