import { Form, Input } from 'antd';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { auditRealName } from '../../../contract/calls/realName.ts';
import type { PatientDetail } from '../../../contract/calls/sufferer.ts';
import { idTypes, type IdType } from '../../../contract/dictionaries.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';
import { idNoFault, sent } from './personValues.ts';

interface Values {
  name: string;
  idType: IdType;
  idNo?: string;
  fileIds?: string[];
  opinion: string;
}

/** 转人工: what the papers say, with their pictures. */
export function ToManualForm({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const idType = Form.useWatch('idType', form);
  return (
    <FormDrawer<typeof auditRealName, Values>
      open
      title="转人工核验"
      submitText="提交"
      call={auditRealName}
      form={form}
      initial={{ name: detail.name, idType: idTypes.codes.find((code) => code === detail.idType) ?? 'ID' }}
      refreshes={refreshes.realName}
      onDone={({ data }) => toast(data.message)}
      onClose={onClose}
      toInput={(values) => ({
        patientId: detail.canonicalId,
        version: detail.version,
        action: 'toManual',
        opinion: values.opinion,
        fileIds: values.fileIds ?? [],
        name: values.name.trim(),
        idType: values.idType,
        ...(sent(values.idNo) && { idNo: sent(values.idNo)! }),
      })}
    >
      <Field of={auditRealName} name="name" label="证件姓名" required />
      <div className="pa-two">
        <Field of={auditRealName} name="idType" />
        <Field of={auditRealName} name="idNo" rules={[againstRecord((typed?: string) => idNoFault(idType, typed))]}>
          <Input placeholder={detail.idNoMasked ? `${detail.idNoMasked}，与档案一致请留空` : '请输入证件号'} />
        </Field>
      </div>
      <Field of={auditRealName} name="fileIds" label="证件照片" rules={[{ required: true, message: patientErrors.ID_PHOTO.text }]}>
        <FileIds hint="上传证件正反面或出生证明照片" />
      </Field>
      <Field
        of={auditRealName}
        name="opinion"
        label="说明"
        required
        placeholder="请说明转人工的原因"
        rules={[{ min: 2, message: '说明至少2个字' }]}
      />
    </FormDrawer>
  );
}
