import { Form, Input } from 'antd';
import { FormDialog } from '../../../../kernel/web/form/FormDrawer.tsx';
import { changeAssistantState, queryAssistantList, queryAssistantSummary, type AssistantRow } from '../../contract/assistantCalls.ts';
import { ComingDay } from '../staffing/days.tsx';

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
      <Form.Item
        label="请假至（含当天）"
        name="leaveUntil"
        rules={[{ required: true, message: '请选择请假截止日期' }]}
        extra={`其为主医助的 ${row.primaryCount} 位医生须有在岗或离岗的备岗医助；到期次日自动销假。`}
      >
        <ComingDay />
      </Form.Item>
      <Form.Item label="说明" name="opinion">
        <Input.TextArea maxLength={500} showCount autoSize={{ minRows: 2 }} />
      </Form.Item>
    </FormDialog>
  );
}
