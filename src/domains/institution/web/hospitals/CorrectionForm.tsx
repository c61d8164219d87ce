import { Alert, Form, Radio } from 'antd';
import { picked } from '#kernel/contract/field.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { addHospitalApply, queryHospitalAuditList } from '../../contract/applyCalls.ts';
import { hospitalLevels } from '../../contract/dictionaries.ts';
import { hospitalFactsInput, type HospitalRow } from '../../contract/hospitalCalls.ts';
import { Upload } from '#kernel/web/files/Upload.tsx';
import type { UploadedFile } from '#kernel/web/files/places.ts';

interface Values {
  applyType: 'MODIFY' | 'LEVEL' | 'DISABLE';
  name?: string;
  level?: HospitalRow['level'];
  kind?: HospitalRow['kind'];
  ownership?: HospitalRow['ownership'];
  address?: string;
  phone?: string;
  evidenceFileIds?: readonly UploadedFile[];
  reason: string;
}

/** 纠错: asks the auditors to change what is wrong; sends only what differs. */
export function CorrectionForm({ hospital, onClose }: { hospital: HospitalRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const type = Form.useWatch('applyType', form) ?? 'MODIFY';
  const keys = ['name', 'kind', 'ownership', 'address', 'phone'] as const;
  return (
    <FormDrawer<typeof addHospitalApply, Values>
      open
      title={`纠错：${hospital.name}`}
      call={addHospitalApply}
      form={form}
      onClose={onClose}
      recordKey={hospital.id}
      initial={{
        applyType: 'MODIFY',
        ...picked(hospital, keys),
        reason: '',
      }}
      toInput={({ applyType, reason, evidenceFileIds, ...values }) => ({
        applyType,
        hospitalId: hospital.id,
        reason,
        evidenceFileIds: (evidenceFileIds ?? []).map(({ fileId }) => fileId),
        payload:
          applyType === 'MODIFY'
            ? Object.fromEntries(
                keys.filter((key) => values[key] !== undefined && values[key] !== hospital[key]).map((key) => [key, values[key]]),
              )
            : applyType === 'LEVEL' && values.level
              ? { level: values.level }
              : {},
      })}
      success="message"
      refreshes={[queryHospitalAuditList]}
    >
      <Alert type="info" showIcon className="kq-form-alert" title="提交后由审核人核对，通过后生效。" />
      <Field of={addHospitalApply} name="applyType">
        <Radio.Group
          optionType="button"
          options={[
            { value: 'MODIFY', label: '信息变更' },
            { value: 'LEVEL', label: '等级变更' },
            { value: 'DISABLE', label: '停用' },
          ]}
        />
      </Field>
      {type === 'MODIFY' && (
        <>
          <Field of={hospitalFactsInput} name="name" />
          <div className="in-two">
            <Field of={hospitalFactsInput} name="kind" />
            <Field of={hospitalFactsInput} name="ownership" />
          </div>
          <Field of={hospitalFactsInput} name="address" />
          <Field of={hospitalFactsInput} name="phone" />
        </>
      )}
      {type === 'LEVEL' && <Field of={hospitalFactsInput} name="level" label={`新等级（现为${hospitalLevels.label(hospital.level)}）`} />}
      <Field of={addHospitalApply} name="reason" rules={[{ required: type === 'DISABLE', whitespace: true, message: '请填写停用原因' }]} />
      <Field
        of={addHospitalApply}
        name="evidenceFileIds"
        rules={[{ required: type === 'LEVEL', type: 'array', message: '请上传等级批文' }]}
      >
        <Upload purpose="INSTITUTION_PAPER" max={10} hint="执照照片、官网截图或批文" />
      </Field>
    </FormDrawer>
  );
}
