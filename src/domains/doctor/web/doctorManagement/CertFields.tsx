import { DatePicker, Form, Input, Select } from 'antd';
import type { Dayjs } from 'dayjs';
import { useState } from 'react';
import { Upload } from '../../../../kernel/web/files/Upload.tsx';
import { HospitalPicker } from '../../../../kernel/web/kit/pickers.tsx';
import type { UploadedFile } from '../../../../kernel/web/files/places.ts';
import { certTypes, titles, type CertType } from '../../contract/dictionaries.ts';
import type { CertValues } from './certValues.ts';

const numberRule: Partial<Record<CertType, { pattern: RegExp; message: string }>> = {
  QUALIFICATION: { pattern: /^([0-9A-Za-z]{24}|[0-9A-Za-z]{27})$/, message: '医师资格证编号应为24或27位' },
  PRACTICE: { pattern: /^\d{15}$/, message: '医师执业证编号应为15位数字' },
};
const FIRST: readonly CertType[] = ['ID_CARD', 'QUALIFICATION', 'PRACTICE'];

function OneCert({ certType, required }: { certType: CertType; required: boolean }) {
  const at = (field: keyof CertValues) => ['certs', certType, field];
  const label = certTypes.label(certType);
  const rule = numberRule[certType];
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
          {
            validator: async (_rule, value?: readonly UploadedFile[]) => {
              if (required && !value?.length) throw new Error(`请上传${label}`);
              if (sides && value?.length === 1) throw new Error('请上传身份证正反两面');
            },
          },
        ]}
      >
        <Upload purpose="DOCTOR_CERT" max={6} {...(sides && { hint: '点击选择或拖入人像面与国徽面' })} />
      </Form.Item>
      {files.length > 0 && (
        <div className="dm-two">
          {certType !== 'ID_CARD' && (
            <Form.Item
              label="证件编号"
              name={at('certNo')}
              rules={[
                { required: certType === 'QUALIFICATION' || certType === 'PRACTICE', message: '请输入证件编号' },
                ...(rule ? [rule] : []),
              ]}
            >
              <Input maxLength={60} />
            </Form.Item>
          )}
          <Form.Item label="证件上的姓名" name={at('holderName')} extra="与姓名相同可不填">
            <Input maxLength={30} />
          </Form.Item>
          {certType === 'PRACTICE' && (
            <Form.Item label="证件上的执业机构" name={at('hospitalName')}>
              <Input maxLength={100} />
            </Form.Item>
          )}
          {(certType === 'TITLE' || certType === 'BADGE') && (
            <Form.Item label="证件上的职称" name={at('titleCode')}>
              <Select placeholder="请选择" allowClear options={titles.options.map(({ value, label: text }) => ({ value, label: text }))} />
            </Form.Item>
          )}
          {certType === 'MULTI_SITE' && (
            <Form.Item label="多点执业机构" name={at('hospitalId')} rules={[{ required: true, message: '请选择多点执业机构' }]}>
              <HospitalPicker />
            </Form.Item>
          )}
          <Form.Item label="发证机关" name={at('issuer')}>
            <Input maxLength={100} />
          </Form.Item>
          <Form.Item label="有效期起" name={at('validFrom')}>
            <DatePicker className="kq-wide" />
          </Form.Item>
          <Form.Item
            label="有效期止"
            name={at('validTo')}
            dependencies={[at('validFrom')]}
            extra="不填为长期"
            rules={[
              ({ getFieldValue }) => ({
                validator: async (_rule, value?: Dayjs | null) => {
                  const from = getFieldValue(at('validFrom')) as Dayjs | null | undefined;
                  if (value && from && value.isBefore(from, 'day')) throw new Error('有效期止不能早于有效期起');
                },
              }),
            ]}
          >
            <DatePicker className="kq-wide" />
          </Form.Item>
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
