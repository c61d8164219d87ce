import { Form, Select } from 'antd';
import { asHeld } from '#kernel/web/form/formRules.ts';
import { useState } from 'react';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { HospitalPicker } from '#kernel/web/kit/pickers.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';
import { certTypes, type CertType } from '../../contract/dictionaries.ts';
import { BOTH_SIDES, certFieldsOf } from '../../contract/qualFields.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import type { CertValues } from './certValues.ts';

const FIRST: readonly CertType[] = ['ID_CARD', 'QUALIFICATION', 'PRACTICE'];

function OneCert({ certType, required }: { certType: CertType; required: boolean }) {
  const at = (field: keyof CertValues) => ['certs', certType, field];
  const label = certTypes.label(certType);
  const part = { of: certFieldsOf(certType), within: ['certs', certType] };
  const form = Form.useFormInstance();
  const files = (Form.useWatch(at('files'), form) as readonly UploadedFile[] | undefined) ?? [];
  const sides = certType === 'ID_CARD';
  return (
    <div className="dm-form-cert">
      <header>
        <span>
          {label}
          {required && <span className="kq-danger"> *</span>}
        </span>
      </header>
      <Form.Item
        name={at('files')}
        rules={[
          asHeld((value?: readonly UploadedFile[]) => {
            if (required && !value?.length) return `请上传${label}`;
            return sides && value?.length === 1 ? BOTH_SIDES : null;
          }),
        ]}
      >
        <Upload purpose="DOCTOR_CERT" max={6} {...(sides && { hint: '点击选择或拖入人像面与国徽面' })} />
      </Form.Item>
      {files.length > 0 && (
        <div className="dm-two">
          {certType !== 'ID_CARD' && <Field {...part} name="certNo" />}
          <Field {...part} name="holderName" label="证件上的姓名" extra="与姓名相同可不填" />
          {certType === 'PRACTICE' && <Field {...part} name="hospitalName" />}
          {(certType === 'TITLE' || certType === 'BADGE') && <Field {...part} name="titleCode" label="证件上的职称" />}
          {certType === 'MULTI_SITE' && (
            <Field {...part} name="hospitalId">
              <HospitalPicker />
            </Field>
          )}
          <Field {...part} name="issuer" />
          <Field {...part} name="validFrom" label="有效期起" />
          <Field {...part} name="validTo" label="有效期止" extra="不填为长期">
            <DayInput />
          </Field>
        </div>
      )}
    </div>
  );
}

interface CertFieldsProps {
  fresh: boolean;
  /** Asked for by the auditor, and what the returned application has already. */
  wanted?: readonly CertType[];
  handedIn?: readonly CertType[];
}

/** The certificates of a doctor: for a new one the three that are demanded, others when they are chosen. */
export function CertFields({ fresh, wanted = [], handedIn = [] }: CertFieldsProps) {
  const [more, setMore] = useState<readonly CertType[]>(fresh ? ['TITLE'] : wanted);
  const shown = [...(fresh ? FIRST : []), ...more];
  const left = certTypes.options.filter(({ value }) => !shown.includes(value));
  return (
    <>
      {shown.map((certType) => (
        <OneCert
          key={certType}
          certType={certType}
          required={(fresh && FIRST.includes(certType)) || (wanted.includes(certType) && !handedIn.includes(certType))}
        />
      ))}
      {handedIn.length > 0 && (
        <p className="kq-muted">{`已提交：${handedIn.map((certType) => certTypes.label(certType)).join('、')}；重新上传的将替换原件。`}</p>
      )}
      {left.length > 0 && (
        <Select
          className="kq-wide"
          value={null}
          placeholder={fresh ? '添加其他证件' : '选择要更新的证件'}
          options={left.map(({ value, label }) => ({ value, label }))}
          onChange={(value: CertType | null) => {
            if (value) setMore([...more, value]);
          }}
        />
      )}
    </>
  );
}
