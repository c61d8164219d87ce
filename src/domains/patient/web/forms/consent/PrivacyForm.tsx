import { Form, Radio } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addPrivacyRequest } from '../../../contract/calls/privacy.ts';
import type { PatientDetail } from '../../../contract/calls/sufferer.ts';
import { privacyKinds } from '../../../contract/dictionaries.ts';
import { refreshes } from '../../shared/refreshes.ts';

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
      <Field of={addPrivacyRequest} name="detail" extra="自登记起15日内办结；删除/注销须由他人办理" />
    </FormDialog>
  );
}
