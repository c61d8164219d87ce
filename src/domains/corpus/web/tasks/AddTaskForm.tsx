import { Form, Select } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { PatientPicker } from '#kernel/web/kit/pickers.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { addFollowTask, manualTaskTypes, queryFollowTaskList } from '../../contract/tasks/calls.ts';
import { taskType, type TaskLevel } from '../../contract/tasks/states.ts';
import { AssigneeSelect } from './AssigneeSelect.tsx';

interface Values {
  patientId: string;
  taskType: (typeof manualTaskTypes)[number];
  level: TaskLevel;
  subject: string;
  dueAt?: string | null;
  assigneeId?: string | null;
}

/** A task that a colleague makes. */
export default function AddTaskForm({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const type = Form.useWatch('taskType', form);
  const mayAssign = useMay()(may['task.assign']);
  return (
    <FormDrawer<typeof addFollowTask, Values>
      open
      title="新增任务"
      width={560}
      call={addFollowTask}
      form={form}
      initial={{ taskType: 'CALL', level: 'MID' }}
      toInput={({ dueAt, assigneeId, ...values }) => ({ ...values, ...(dueAt && { dueAt }), ...(assigneeId && { assigneeId }) })}
      success={SERVER_MESSAGE}
      refreshes={[queryFollowTaskList]}
      onClose={onClose}
    >
      <Field of={addFollowTask} name="patientId">
        <PatientPicker placeholder="请选择患者" />
      </Field>
      <Field of={addFollowTask} name="taskType">
        <Select options={manualTaskTypes.map((value) => ({ value, label: taskType.label(value) }))} />
      </Field>
      <Field of={addFollowTask} name="level" />
      <Field of={addFollowTask} name="subject" />
      {type === 'AE' ? (
        <p className="kq-muted">不良反应须在24小时内上报，截止时间由系统确定。</p>
      ) : (
        <Field of={addFollowTask} name="dueAt" required>
          <InstantInput />
        </Field>
      )}
      {mayAssign && (
        <Field of={addFollowTask} name="assigneeId" extra="不选时进入待领取">
          <AssigneeSelect />
        </Field>
      )}
    </FormDrawer>
  );
}
