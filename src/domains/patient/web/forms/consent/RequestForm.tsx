import { Form } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { requestInspection } from '../../../contract/calls/ehr.ts';
import type { InspectionKind } from '../../../contract/dictionaries.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { refreshes } from '../../shared/refreshes.ts';

interface Values {
  kind: InspectionKind;
  itemName: string;
  dueOn?: string | null;
}

/** 要求上传: a report that the patient is asked for. */
export function RequestForm({ patientId, onClose }: { patientId: string; onClose(): void }) {
  return (
    <FormDialog<typeof requestInspection, Values>
      open
      width={480}
      title="要求上传报告"
      call={requestInspection}
      initial={{ kind: 'LAB' }}
      success={SERVER_MESSAGE}
      refreshes={refreshes.inspections}
      onClose={onClose}
      toInput={(values) => ({ patientId, ...values, dueOn: values.dueOn ?? null })}
    >
      <Field of={requestInspection} name="kind" />
      <Field of={requestInspection} name="itemName" />
      <Form.Item label="最晚上传日期" name="dueOn">
        <DayInput />
      </Form.Item>
    </FormDialog>
  );
}
