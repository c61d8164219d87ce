import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { changeAssistantState, queryAssistantList, queryAssistantSummary, type AssistantRow } from '../../contract/calls/assistants.ts';
import { LinesField } from '../services/inputs.tsx';
import { ComingDay } from '#kernel/web/form/DayInput.tsx';

/** 请假: every doctor whose primary he is needs a backup. */
export function LeaveDialog({ row, onClose }: { row: AssistantRow; onClose(): void }) {
  return (
    <FormDialog<typeof changeAssistantState, { leaveUntil: string; opinion?: string }>
      open
      title={`请假：${row.name}`}
      call={changeAssistantState}
      refreshes={[queryAssistantList, queryAssistantSummary]}
      success="操作成功!"
      onClose={onClose}
      toInput={(values) => ({
        id: row.id,
        version: row.version,
        action: 'leave',
        leaveUntil: values.leaveUntil,
        ...(values.opinion?.trim() && { opinion: values.opinion }),
      })}
    >
      <Field
        of={changeAssistantState}
        name="leaveUntil"
        label="请假至（含当天）"
        required
        extra={`其为主医助的 ${row.primaryCount} 位医生须有在岗或离岗的备岗医助；到期次日自动销假。`}
      >
        <ComingDay />
      </Field>
      <LinesField of={changeAssistantState} name="opinion" label="说明" />
    </FormDialog>
  );
}
