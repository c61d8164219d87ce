import { Form, Input, Select } from 'antd';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { requestInspection } from '../../contract/calls/ehr.ts';
import { inspectionKinds, type InspectionKind } from '../../contract/dictionaries.ts';
import { DayInput } from '../shared/DayInput.tsx';
import { refreshes } from '../shared/refreshes.ts';

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
      <Form.Item label="类型" name="kind" rules={[{ required: true, message: '请选择类型' }]}>
        <Select options={inspectionKinds.options.map(({ value, label }) => ({ value, label }))} />
      </Form.Item>
      <Form.Item label="项目名称" name="itemName" rules={[{ required: true, whitespace: true, message: '请输入项目名称' }]}>
        <Input maxLength={60} />
      </Form.Item>
      <Form.Item label="最晚上传日期" name="dueOn">
        <DayInput future />
      </Form.Item>
    </FormDialog>
  );
}
