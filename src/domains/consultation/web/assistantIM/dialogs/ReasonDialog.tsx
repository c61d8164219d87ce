import { Input } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { doneGroup, releaseGroup, takeoverGroup } from '../../../contract/calls/queue.ts';
import { groupConversation } from '../../../contract/im/ids.ts';
import type { ConversationID } from '../../../contract/im/types.ts';
import type { Mode } from '../desk/choose.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog, type ReasonedDialog } from './open.ts';

interface ReasonProps {
  dialog: ReasonedDialog;
  onChoose(id: ConversationID, mode: Mode): void;
}
const control = <Input.TextArea rows={3} showCount />;

/** What is done to a group with a reason: 接管, 退回队列, and 标记已处理 while messages are unanswered. */
export function ReasonDialog({ dialog, onChoose }: ReasonProps) {
  const desk = useDesk();
  const { group } = dialog;
  if (dialog.kind === 'takeover') {
    return (
      <FormDialog<typeof takeoverGroup, { reason: string }>
        open
        title={`接管：${group.groupName}`}
        width={460}
        call={takeoverGroup}
        success="已接管"
        submitText="接管"
        onClose={closeDialog}
        toInput={({ reason }) => ({ ...desk.moveOf(group), reason })}
        onDone={() => (desk.changed(group.groupId), onChoose(groupConversation(group.groupId), 'MEMBER'))}
      >
        {group.ownerAssistantName && <p className="kq-muted">当前责任医助：{group.ownerAssistantName}</p>}
        <Field of={takeoverGroup} name="reason">
          {control}
        </Field>
      </FormDialog>
    );
  }
  if (dialog.kind === 'release') {
    return (
      <FormDialog<typeof releaseGroup, { reason: string }>
        open
        title="退回队列"
        width={460}
        call={releaseGroup}
        success="已退回队列"
        submitText="退回"
        onClose={closeDialog}
        toInput={({ reason }) => ({ ...desk.moveOf(group), reason })}
        onDone={() => desk.changed(group.groupId)}
      >
        <p className="kq-muted">退回后10分钟内不会再次分配给您。</p>
        <Field of={releaseGroup} name="reason">
          {control}
        </Field>
      </FormDialog>
    );
  }
  return (
    <FormDialog<typeof doneGroup, { reason: string }>
      open
      title="标记已处理"
      width={460}
      call={doneGroup}
      success="已标记处理"
      submitText={dialog.takeNext ? '处理并下一位' : '标记已处理'}
      onClose={closeDialog}
      toInput={({ reason }) => ({ ...desk.moveOf(group), reason, takeNext: dialog.takeNext })}
      onDone={({ data }) => {
        desk.changed(group.groupId);
        if (data.nextGroupId) onChoose(groupConversation(data.nextGroupId), 'MEMBER');
      }}
    >
      <p>患者还有{group.unanswered}条消息未回复，确认已处理请填写原因</p>
      <Field of={doneGroup} name="reason" required>
        {control}
      </Field>
    </FormDialog>
  );
}
