import { Select, Space } from 'antd';
import { NumberInput } from '#kernel/web/kit/NumberInput.tsx';
import { MOST_DUE_HOURS, plannedTaskTypes, type CreateTask } from '../../contract/tasks/createTask.ts';
import { taskType } from '../../contract/tasks/states.ts';

interface CreateTaskInputProps {
  id?: string;
  value?: CreateTask | null;
  onChange?(value: CreateTask | null): void;
}

const DUE_HOURS = 24;
const types = plannedTaskTypes.map((value) => ({ value, label: taskType.label(value) }));

/** What somebody is asked to do, and within how many hours; nothing chosen: no task. */
export function CreateTaskInput({ id, value, onChange }: CreateTaskInputProps) {
  return (
    <Space>
      <Select<CreateTask['taskType']>
        {...(id && { id })}
        aria-label="任务类型"
        className="kq-task-type"
        allowClear
        placeholder="不生成任务"
        value={value?.taskType ?? null}
        options={types}
        onChange={(next?: CreateTask['taskType']) =>
          onChange?.(next ? { taskType: next, dueInHours: value?.dueInHours ?? DUE_HOURS } : null)
        }
      />
      {value && (
        <NumberInput
          aria-label="完成时限（小时）"
          min={1}
          max={MOST_DUE_HOURS}
          precision={0}
          suffix="小时内"
          value={value.dueInHours}
          onChange={(hours) => onChange?.({ ...value, dueInHours: hours ?? DUE_HOURS })}
        />
      )}
    </Space>
  );
}
