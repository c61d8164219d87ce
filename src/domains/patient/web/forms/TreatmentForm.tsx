import { Form, InputNumber, Select } from 'antd';
import { Field } from '../../../../kernel/web/form/Field.tsx';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { addTreatment, modifyTreatment } from '../../contract/calls/ehr.ts';
import type { DiagnosisRow, TreatmentRow } from '../../contract/calls/panel.ts';
import { outcomes, recordSources } from '../../contract/dictionaries.ts';
import { patientErrors } from '../../contract/errors.ts';
import { DayInput } from '../shared/DayInput.tsx';
import { FileIds } from '../shared/FileIds.tsx';
import { refreshes } from '../shared/refreshes.ts';

type Values = Pick<TreatmentRow, 'kind' | 'regimen' | 'lineNo' | 'startOn' | 'endOn' | 'outcome' | 'adverseGrade' | 'source'> & {
  note?: string;
  fileIds?: string[];
};

const MOST_GRADE = 5;
const fieldsOf = (values: Values) => ({
  kind: values.kind,
  regimen: values.regimen,
  lineNo: values.lineNo ?? null,
  startOn: values.startOn,
  endOn: values.endOn ?? null,
  outcome: values.outcome ?? null,
  adverseGrade: values.adverseGrade ?? null,
  note: values.note ?? '',
  source: values.source,
  fileIds: values.fileIds ?? [],
});

/** 新增/编辑治疗. */
export function TreatmentForm({ diagnosis, row, onClose }: { diagnosis: DiagnosisRow; row?: TreatmentRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const shared = {
    open: true,
    form,
    initial: row ?? { source: 'ASSISTANT' as const },
    success: SERVER_MESSAGE,
    refreshes: refreshes.history,
    onClose,
  };
  const fields = (
    <>
      <p className="kq-muted">
        {diagnosis.name}（{diagnosis.icd10}）
      </p>
      <div className="pa-two">
        <Field of={addTreatment} name="kind" label="类型" />
        <Form.Item label="治疗线数" name="lineNo">
          <InputNumber className="kq-wide" min={1} max={9} precision={0} placeholder="1至9" />
        </Form.Item>
      </div>
      <Field of={addTreatment} name="regimen" placeholder="药品、术式或方案名称" />
      <div className="pa-two">
        <Field of={addTreatment} name="startOn">
          <DayInput future />
        </Field>
        <Form.Item
          label="结束日期"
          name="endOn"
          dependencies={['startOn']}
          rules={[
            ({ getFieldValue }) => ({
              validator: (_rule, value: string | null) =>
                value && value < String(getFieldValue('startOn') ?? '')
                  ? Promise.reject(new Error(patientErrors.ENDS_EARLIER.text))
                  : Promise.resolve(),
            }),
          ]}
          extra="治疗中请留空"
        >
          <DayInput future />
        </Form.Item>
        <Form.Item label="疗效" name="outcome">
          <Select allowClear options={outcomes.options.map(({ value, label }) => ({ value, label: `${value} ${label}` }))} />
        </Form.Item>
        <Form.Item label="不良反应" name="adverseGrade">
          <Select
            allowClear
            options={Array.from({ length: MOST_GRADE + 1 }, (_, value) => ({ value, label: value === 0 ? '无' : `${value}级` }))}
          />
        </Form.Item>
        <Form.Item label="来源" name="source">
          <Select options={recordSources.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
      </div>
      <Field of={addTreatment} name="note" />
      <Form.Item label="证明材料" name="fileIds">
        <FileIds />
      </Form.Item>
    </>
  );
  return row ? (
    <FormDrawer<typeof modifyTreatment, Values>
      {...shared}
      title="编辑治疗"
      call={modifyTreatment}
      recordKey={row.id}
      toInput={(values) => ({ id: row.id, version: row.version, ...fieldsOf(values) })}
    >
      {fields}
    </FormDrawer>
  ) : (
    <FormDrawer<typeof addTreatment, Values>
      {...shared}
      title="新增治疗"
      call={addTreatment}
      toInput={(values) => ({ diagnosisId: diagnosis.id, ...fieldsOf(values) })}
    >
      {fields}
    </FormDrawer>
  );
}
