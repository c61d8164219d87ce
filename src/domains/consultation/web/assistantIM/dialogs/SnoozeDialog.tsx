import { Form, Radio } from 'antd';
import { againstNow } from '#kernel/web/form/formRules.ts';
import { useState } from 'react';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { snoozeGroup } from '../../../contract/calls/queue.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { useDesk } from '../desk/useDesk.ts';
import { closeDialog } from './open.ts';
import { snoozeChoices, snoozeFault } from './snoozeTimes.ts';

const CUSTOM = 'custom';

/** 稍后处理: in an hour, this evening, tomorrow morning, or at a time of one's own. */
export function SnoozeDialog({ group }: { group: GroupRow }) {
  const desk = useDesk();
  const [form] = Form.useForm<{ choice: string; at?: string | null }>();
  const choice = Form.useWatch('choice', form);
  const [choices] = useState(() => snoozeChoices(Date.now()));
  return (
    <FormDialog<typeof snoozeGroup, { choice: string; at?: string | null }>
      open
      form={form}
      title="稍后处理"
      width={420}
      call={snoozeGroup}
      success="已设为稍后处理"
      initial={{ choice: choices[0]!.until }}
      onClose={closeDialog}
      toInput={({ choice: chosen, at }) => ({
        ...desk.moveOf(group),
        until: chosen === CUSTOM ? (at ?? '') : chosen,
      })}
      onDone={() => desk.changed(group.groupId)}
    >
      <Form.Item name="choice" label="何时提醒">
        <Radio.Group options={[...choices.map(({ label, until }) => ({ label, value: until })), { label: '自定义', value: CUSTOM }]} />
      </Form.Item>
      {choice === CUSTOM && (
        <Form.Item name="at" label="时间" rules={[againstNow((at?: string | null) => snoozeFault(at ?? '', Date.now()))]}>
          <InstantInput />
        </Form.Item>
      )}
      <p className="kq-muted">患者期间发来消息时，会话会立即回到“我的”。</p>
    </FormDialog>
  );
}
