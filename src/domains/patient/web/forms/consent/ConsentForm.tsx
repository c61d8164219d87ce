import { Alert, Form, Input, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useData } from '#kernel/web/http/queries.ts';
import { addConsent, queryConsentTextList, withdrawConsent } from '../../../contract/calls/consent.ts';
import type { PatientDetail } from '../../../contract/calls/sufferer.ts';
import { consentSigners, consentTypes, type ConsentType } from '../../../contract/dictionaries.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';

interface Values {
  consentType: ConsentType;
  docVersion?: string;
  by: (typeof consentSigners.codes)[number];
  signerName?: string;
  evidenceFileId?: string[];
  note?: string;
}

const GROWN = 18;

/** 登记同意 and 撤回: by whom, on which text, shown by which paper. */
export function ConsentForm({
  detail,
  consentType,
  withdraw,
  onClose,
}: {
  detail: PatientDetail;
  consentType?: ConsentType;
  withdraw: boolean;
  onClose(): void;
}) {
  const [form] = Form.useForm<Values>();
  const type = Form.useWatch('consentType', form);
  const texts = useData(
    queryConsentTextList,
    { ...(type && { consentType: type }) },
    { quiet: true, enabled: !withdraw && type !== undefined },
  );
  const usable = texts.data?.filter(({ inForce }) => inForce) ?? [];
  const minor = detail.age !== null && detail.age < GROWN;
  const shared = {
    open: true,
    form,
    initial: {
      by: 'STAFF' as const,
      signerName: detail.name,
      ...(consentType && { consentType }),
      ...(minor && { by: 'GUARDIAN' as const, signerName: detail.contacts.find(({ isGuardian }) => isGuardian)?.name ?? '' }),
    },
    success: SERVER_MESSAGE,
    refreshes: refreshes.consents,
    onClose,
  };
  const fields = (
    <>
      {minor && <Alert type="warning" showIcon className="kq-form-alert" title={patientErrors.MINOR.text} />}
      <Field of={addConsent} name="consentType" label="类型">
        <Select
          disabled={consentType !== undefined}
          options={consentTypes.options.map(({ value, label }) => ({ value, label }))}
          onChange={() => form.setFieldValue('docVersion', undefined)}
        />
      </Field>
      {!withdraw && (
        <Field
          of={addConsent}
          name="docVersion"
          extra={
            type && texts.data && usable.length === 0 ? '该类型还没有生效的协议文本，请先在“协议文本”中新增' : '不选择时按当前版本登记'
          }
        >
          <Select
            allowClear
            placeholder={usable[0] ? `当前版本 ${usable[0].docVersion}` : '当前版本'}
            options={usable.map(({ docVersion, title }) => ({ value: docVersion, label: `${docVersion} ${title}` }))}
          />
        </Field>
      )}
      <div className="pa-two">
        <Field of={addConsent} name="by">
          <Select options={consentSigners.options.map(({ value, label }) => ({ value, label, disabled: minor && value !== 'GUARDIAN' }))} />
        </Field>
        <Field of={addConsent} name="signerName" label="签署人姓名" required />
      </div>
      <Field of={addConsent} name="evidenceFileId" label="凭证" rules={[{ required: true, message: patientErrors.CONSENT_PROOF.text }]}>
        <FileIds max={1} hint={withdraw ? '上传撤回申请的照片或扫描件' : '上传签署页的照片或扫描件'} />
      </Field>
      <Field of={addConsent} name="note">
        <Input.TextArea rows={2} />
      </Field>
    </>
  );
  const input = ({ evidenceFileId, docVersion: _version, ...values }: Values) => ({
    patientId: detail.canonicalId,
    ...values,
    signerName: values.signerName ?? '',
    note: values.note ?? '',
    evidenceFileId: evidenceFileId?.[0] ?? null,
  });
  return withdraw ? (
    <FormDrawer<typeof withdrawConsent, Values> {...shared} title="撤回授权同意" submitText="撤回" call={withdrawConsent} toInput={input}>
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addConsent, Values>
      {...shared}
      title="登记授权同意"
      call={addConsent}
      toInput={(values) => ({ ...input(values), ...(values.docVersion && { docVersion: values.docVersion }) })}
    >
      {fields}
    </FormDrawer>
  );
}
