import { MOST_CALLS } from '../../contract/tasks/states.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { queryFollowTaskDetail, queryFollowTaskList, rescheduleFollowTask, type TaskRow } from '../../contract/tasks/calls.ts';

interface Values {
  nextFollowAt: string;
  note: string;
}

/** 改期: nobody answered, called again later. */
export default function RescheduleDialog({ task, onClose }: { task: Pick<TaskRow, 'id' | 'version' | 'taskNo'>; onClose(): void }) {
  return (
    <FormDialog<typeof rescheduleFollowTask, Values>
      open
      title={`改期 ${task.taskNo}`}
      width={480}
      call={rescheduleFollowTask}
      toInput={({ nextFollowAt, note }) => ({ id: task.id, nextFollowAt, note, version: task.version })}
      success={SERVER_MESSAGE}
      refreshes={[queryFollowTaskList, queryFollowTaskDetail]}
      onClose={onClose}
    >
      <p className="kq-muted">本次记为未接通；累计{MOST_CALLS}次未接通，任务按失访关闭。</p>
      <Field of={rescheduleFollowTask} name="nextFollowAt">
        <InstantInput />
      </Field>
      <Field of={rescheduleFollowTask} name="note" />
    </FormDialog>
  );
}
