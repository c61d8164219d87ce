import { Checkbox, Form, Input } from 'antd';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { HospitalPicker, Icd10Picker } from '#kernel/web/kit/pickers.tsx';
import { addDiagnosis, modifyDiagnosis } from '../../../contract/calls/ehr.ts';
import type { DiagnosisRow } from '../../../contract/calls/panel.ts';
import type { RecordSource } from '../../../contract/dictionaries.ts';
import { patientErrors } from '../../../contract/errors.ts';
import { PastDay } from '#kernel/web/form/DayInput.tsx';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';

interface Values {
  icd10: readonly string[] | null;
  stage?: string;
  isPrimary?: boolean;
  switchPrimary?: boolean;
  diagnosedAt: string | null;
  hospitalId: string | null;
  hospitalName?: string;
  departmentName?: string;
  doctorName?: string;
  state: DiagnosisRow['state'];
  source: RecordSource;
  fileIds?: string[];
}

const fieldsOf = (values: Values) => ({
  icd10: values.icd10?.[0] ?? '',
  stage: values.stage ?? '',
  isPrimary: values.isPrimary ?? false,
  switchPrimary: values.switchPrimary ?? false,
  diagnosedAt: values.diagnosedAt ?? '',
  hospitalId: values.hospitalId ?? null,
  hospitalName: values.hospitalName ?? '',
  departmentName: values.departmentName ?? '',
  doctorName: values.doctorName ?? '',
  state: values.state,
  source: values.source,
  fileIds: values.fileIds ?? [],
});

/** 新增/编辑诊断. A second main diagnosis asks whether the mark moves. */
export function DiagnosisForm({ patientId, row, onClose }: { patientId: string; row?: DiagnosisRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const shared = {
    open: true,
    form,
    initial: row
      ? { ...row, icd10: [row.icd10], stage: row.stage ?? '' }
      : { state: 'CONFIRMED' as const, source: 'ASSISTANT' as const, isPrimary: false },
    success: SERVER_MESSAGE,
    refreshes: refreshes.history,
    onClose,
    onRefused: (error: { code: string; message: string }) => {
      if (error.code !== patientErrors.ONE_PRIMARY.code) return false;
      void ask({ content: `${error.message}。确定要把主要诊断改为本诊断吗?`, ok: '改为本诊断' }).then((yes) => {
        if (!yes) return;
        form.setFieldValue('switchPrimary', true);
        form.submit();
      });
      return true;
    },
  };
  const fields = (
    <>
      <Field of={addDiagnosis} name="icd10" label="诊断">
        <Icd10Picker single />
      </Field>
      <div className="pa-two">
        <Field of={addDiagnosis} name="state" label="状态" required />
        <Field of={addDiagnosis} name="diagnosedAt">
          <PastDay />
        </Field>
        <Field of={addDiagnosis} name="stage" placeholder="如 IIIB、T2N1M0" />
        <Field of={addDiagnosis} name="source" />
        <Field of={addDiagnosis} name="hospitalId" label="医院">
          <HospitalPicker
            placeholder="输入医院名称或拼音首字母"
            onName={(name) => form.setFieldValue('hospitalName', name.replace(/（[^（）]*）$/, ''))}
          />
        </Field>
        <Field of={addDiagnosis} name="hospitalName" label="医院名称" extra="列表中没有的医院可直接填写" />
        <Field of={addDiagnosis} name="departmentName" />
        <Field of={addDiagnosis} name="doctorName" />
      </div>
      <Field of={addDiagnosis} name="isPrimary" label={false}>
        <Checkbox>主要诊断</Checkbox>
      </Field>
      <Field of={addDiagnosis} name="switchPrimary" label={false} hidden>
        <Input />
      </Field>
      <Field of={addDiagnosis} name="fileIds" label="证明材料">
        <FileIds />
      </Field>
    </>
  );
  return row ? (
    <FormDrawer<typeof modifyDiagnosis, Values>
      {...shared}
      title="编辑诊断"
      call={modifyDiagnosis}
      recordKey={row.id}
      toInput={(values) => ({ id: row.id, version: row.version, ...fieldsOf(values) })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addDiagnosis, Values>
      {...shared}
      title="新增诊断"
      call={addDiagnosis}
      toInput={(values) => ({ patientId, ...fieldsOf(values) })}
    >
      {fields}
    </FormDrawer>
  );
}
