import { Form, Radio, Select } from 'antd';
import { instantOf } from '#kernel/contract/time.ts';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { modifyGroupPriority, modifyGroupTags, modifySendPolicy, muteMember } from '../../../contract/calls/groups.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { priorities, sendPolicies, type SendPolicy } from '../../../contract/dictionaries.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog } from './open.ts';

const DAY_MS = 86_400_000;
const MUTES = [
  { value: '1', label: '1天' },
  { value: '7', label: '7天' },
  { value: '30', label: '30天' },
  { value: '0', label: '解除限制' },
];

/** Facts of a group that its owner changes: tags, priority, who may write. */
export function GroupDialog({ kind, group }: { kind: 'tags' | 'priority' | 'mute' | 'policy'; group: GroupRow }) {
  const desk = useDesk();
  const shared = { open: true, width: 440, onClose: closeDialog, onDone: () => desk.changed(group.groupId) } as const;
  const move = () => desk.moveOf(group);
  switch (kind) {
    case 'tags':
      return (
        <FormDialog<typeof modifyGroupTags, { tags: string[] }>
          {...shared}
          title="会话标签"
          call={modifyGroupTags}
          success="标签已更新"
          initial={{ tags: group.tags }}
          toInput={({ tags }) => ({ ...move(), tags: tags ?? [] })}
        >
          <Field of={modifyGroupTags} name="tags">
            <Select mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', '，', ' ']} placeholder="输入后回车，最多8个" />
          </Field>
        </FormDialog>
      );
    case 'priority':
      return (
        <FormDialog<typeof modifyGroupPriority, { priority: string }>
          {...shared}
          title="优先级"
          call={modifyGroupPriority}
          success="优先级已更新"
          initial={{ priority: String(group.priority) }}
          toInput={({ priority }) => ({ ...move(), priority: Number(priority) })}
        >
          <Form.Item name="priority">
            <Radio.Group options={priorities.options.map(({ value, label }) => ({ value, label }))} />
          </Form.Item>
        </FormDialog>
      );
    case 'policy':
      return (
        <FormDialog<typeof modifySendPolicy, { sendPolicy: SendPolicy; reason: string }>
          {...shared}
          title="患者发言规则"
          call={modifySendPolicy}
          success="发言规则已更新"
          toInput={(values) => ({ ...move(), ...values })}
        >
          <Field of={modifySendPolicy} name="sendPolicy" label="规则">
            <Radio.Group options={sendPolicies.options.map(({ value, label }) => ({ value, label }))} />
          </Field>
          <Field of={modifySendPolicy} name="reason" />
        </FormDialog>
      );
    case 'mute':
      return (
        <FormDialog<typeof muteMember, { days: string; reason: string }>
          {...shared}
          title={`限制发言：${group.suffererName}`}
          call={muteMember}
          success="已更新发言限制"
          initial={{ days: '1' }}
          toInput={({ days, reason }) => ({
            groupId: group.groupId,
            imUserId: `P${group.suffererOperatorId}`,
            until: days === '0' ? null : instantOf(Date.now() + Number(days) * DAY_MS),
            reason,
          })}
        >
          <Form.Item label="时长" name="days">
            <Radio.Group options={MUTES} />
          </Form.Item>
          <Field of={muteMember} name="reason" />
        </FormDialog>
      );
  }
}
