import { Alert, Form, Input, Radio } from 'antd';
import { againstRecord } from '#kernel/web/form/formRules.ts';
import { toast } from '#kernel/web/feedback/toast.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { addRealNameCheck, queryRealNameHistory } from '../../../contract/calls/realName.ts';
import type { PatientDetail } from '../../../contract/calls/sufferer.ts';
import { idTypes, minMethods, type IdType, type MinMethod } from '../../../contract/dictionaries.ts';
import { refreshes } from '../../shared/refreshes.ts';
import { idNoFault, sent } from './personValues.ts';

interface Values {
  method: MinMethod;
  name: string;
  idType: IdType;
  idNo?: string;
  mobile?: string;
}

/** 发起核验: with what the record holds, or with what is typed now. */
export function VerifyForm({ detail, onClose }: { detail: PatientDetail; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const idType = Form.useWatch('idType', form);
  const method = Form.useWatch('method', form);
  const history = useData(queryRealNameHistory, { patientId: detail.canonicalId }, { quiet: true });
  return (
    <FormDialog<typeof addRealNameCheck, Values>
      open
      width={520}
      title="发起实名核验"
      submitText="核验"
      call={addRealNameCheck}
      form={form}
      initial={{ method: 'ID2', name: detail.name, idType: idTypes.codes.find((code) => code === detail.idType) ?? 'ID' }}
      refreshes={refreshes.realName}
      onDone={({ data }) => toast(data.message, data.state === 'VERIFIED' ? 'success' : 'warning')}
      onClose={onClose}
      toInput={(values) => ({
        patientId: detail.canonicalId,
        version: detail.version,
        method: values.method,
        name: values.name.trim(),
        idType: values.idType,
        ...(sent(values.idNo) && { idNo: sent(values.idNo)! }),
        ...(sent(values.mobile) && { mobile: sent(values.mobile)! }),
      })}
    >
      {history.data && (
        <Alert
          type={history.data.leftToday > 0 ? 'info' : 'warning'}
          showIcon
          className="kq-form-alert"
          title={`今日还可核验${history.data.leftToday}次`}
        />
      )}
      <Field of={addRealNameCheck} name="method" label="方式">
        <Radio.Group options={minMethods.options.filter(({ value }) => value !== 'FACE').map(({ value, label }) => ({ value, label }))} />
      </Field>
      <Field of={addRealNameCheck} name="name" required />
      <Field of={addRealNameCheck} name="idType" />
      <Field
        of={addRealNameCheck}
        name="idNo"
        rules={[againstRecord((typed?: string) => (!typed?.trim() && !detail.idNoMasked ? '请输入证件号' : idNoFault(idType, typed)))]}
      >
        <Input placeholder={detail.idNoMasked ? `${detail.idNoMasked}，按档案核验请留空` : '请输入证件号'} />
      </Field>
      {method === 'ID3' && (
        <Field
          of={addRealNameCheck}
          name="mobile"
          rules={[againstRecord((typed?: string) => (!typed?.trim() && !detail.mobileMasked ? '请输入手机号' : null))]}
        >
          <Input placeholder={detail.mobileMasked ? `${detail.mobileMasked}，按档案核验请留空` : '请输入手机号'} />
        </Field>
      )}
    </FormDialog>
  );
}
