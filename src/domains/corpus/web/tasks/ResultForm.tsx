import { Button, Form, Select } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormFrame } from '#kernel/web/form/FormFrame.tsx';
import { useFormCommand } from '#kernel/web/form/useFormCommand.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { aeReportIn, completeFollowTask, queryFollowTaskDetail, queryFollowTaskList, type TaskRow } from '../../contract/tasks/calls.ts';
import { isOutcome, taskResult } from '../../contract/tasks/states.ts';
import { MedicineSelect } from '../materials/MedicineSelect.tsx';

type Values = Pick<InputOf<typeof completeFollowTask>, 'result' | 'note' | 'aeReport'>;

const outcomes = taskResult.options.filter(({ value }) => isOutcome(value)).map(({ value, label }) => ({ value, label }));

/** What came of a task; of a suspected reaction with its report. */
export function ResultForm({ task, onDone }: { task: TaskRow; onDone(): void }) {
  const [form] = Form.useForm<Values>();
  const command = useFormCommand<typeof completeFollowTask, Values>({
    call: completeFollowTask,
    form,
    toInput: (values) => ({ ...values, id: task.id, version: task.version }),
    success: SERVER_MESSAGE,
    refreshes: [queryFollowTaskList, queryFollowTaskDetail],
    onDone,
  });
  return (
    <FormFrame<Values>
      form={form}
      recordKey={task.id}
      alert={command.alert}
      disabled={command.flying}
      onSubmit={(values) => void command.submit(values)}
    >
      {task.taskType === 'AE' && (
        <>
          <p>
            不良反应上报剩余时间 <TimeLeft at={task.dueAt} />
          </p>
          <Field of={aeReportIn} within={['aeReport']} name="medicineId" required>
            <MedicineSelect />
          </Field>
          <Field of={aeReportIn} within={['aeReport']} name="symptom" required />
          <Field of={aeReportIn} within={['aeReport']} name="onsetOn" required />
          <Field of={aeReportIn} within={['aeReport']} name="seriousness" required />
          <Field of={aeReportIn} within={['aeReport']} name="outcome" required />
        </>
      )}
      <Field of={completeFollowTask} name="result" required>
        <Select placeholder="请选择随访结果" options={outcomes} />
      </Field>
      <Field of={completeFollowTask} name="note" />
      <Button type="primary" htmlType="submit" loading={command.flying} disabled={command.busy}>
        完成
      </Button>
    </FormFrame>
  );
}
