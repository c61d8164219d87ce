import { Form, Input, Radio } from 'antd';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { addPrivacyRequest } from '../../contract/calls/privacy.ts';
import type { PatientDetail } from '../../contract/calls/sufferer.ts';
import { privacyKinds } from '../../contract/dictionaries.ts';
import { refreshes } from '../shared/refreshes.ts';

interface Values {
  kind: (typeof privacyKinds.codes)[number];
  detail: string;
}

/** 登记隐私请求: to be answered within 15 days. */
export function PrivacyForm({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  return (
    <FormDialog<typeof addPrivacyRequest, Values>
      open
      width={520}
      title={`登记隐私请求：${detail.name}`}
      call={addPrivacyRequest}
      initial={{ kind: 'COPY' }}
      success={SERVER_MESSAGE}
      refreshes={refreshes.privacy}
      onClose={onClose}
      toInput={(values) => ({ patientId: detail.canonicalId, ...values })}
    >
      <Form.Item label="类型" name="kind">
        <Radio.Group options={privacyKinds.options.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
      <Form.Item
        label="请求内容"
        name="detail"
        extra="自登记起15日内办结；删除/注销须由他人办理"
        rules={[
          { required: true, whitespace: true, message: '请输入请求内容' },
          { min: 2, message: '请求内容至少2个字' },
        ]}
      >
        <Input.TextArea rows={4} maxLength={500} showCount />
      </Form.Item>
    </FormDialog>
  );
}
