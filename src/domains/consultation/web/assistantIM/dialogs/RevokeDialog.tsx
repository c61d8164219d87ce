import { Input } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { revokeMessageBySupervisor } from '../../../contract/calls/messages.ts';
import { digestOf } from '../../../contract/im/cards.ts';
import type { ImMessage } from '../../../contract/im/types.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog } from './open.ts';

/** 撤回他人消息: a supervisor, at any time, with a reason that stands in the chat. */
export function RevokeDialog({ message }: { message: ImMessage }) {
  const desk = useDesk();
  return (
    <FormDialog<typeof revokeMessageBySupervisor, { reason: string }>
      open
      title="管理员撤回"
      width={460}
      call={revokeMessageBySupervisor}
      success="已撤回"
      submitText="撤回"
      onClose={closeDialog}
      toInput={({ reason }) => ({ conversationID: message.conversationID, seq: message.sequence, reason })}
      onDone={({ data }) => desk.chat.emptied(message, data.message)}
    >
      <p className="kq-muted">
        {message.nick || '我'}：{digestOf(message)}
      </p>
      <Field of={revokeMessageBySupervisor} name="reason" extra="所有成员可见">
        <Input.TextArea rows={3} showCount autoFocus />
      </Field>
    </FormDialog>
  );
}
