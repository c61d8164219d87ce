import { Form, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { addTreatment, modifyTreatment } from '../../../contract/calls/ehr.ts';
import type { DiagnosisRow, TreatmentRow } from '../../../contract/calls/panel.ts';
import { outcomes } from '../../../contract/dictionaries.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { FileIds } from '../../shared/FileIds.tsx';
import { refreshes } from '../../shared/refreshes.ts';

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
        <Field of={addTreatment} name="lineNo" placeholder="1至9" />
      </div>
      <Field of={addTreatment} name="regimen" placeholder="药品、术式或方案名称" />
      <div className="pa-two">
        <Field of={addTreatment} name="startOn">
          <DayInput />
        </Field>
        <Field of={addTreatment} name="endOn" extra="治疗中请留空">
          <DayInput />
        </Field>
        <Field of={addTreatment} name="outcome" label="疗效">
          <Select allowClear options={outcomes.options.map(({ value, label }) => ({ value, label: `${value} ${label}` }))} />
        </Field>
        <Field of={addTreatment} name="adverseGrade" label="不良反应">
          <Select
            allowClear
            options={Array.from({ length: MOST_GRADE + 1 }, (_, value) => ({ value, label: value === 0 ? '无' : `${value}级` }))}
          />
        </Field>
        <Field of={addTreatment} name="source" />
      </div>
      <Field of={addTreatment} name="note" />
      <Field of={addTreatment} name="fileIds" label="证明材料">
        <FileIds />
      </Field>
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
