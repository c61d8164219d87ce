import { Checkbox } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { transferGroup } from '../../../contract/calls/queue.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { useDesk, useDeskState } from '../desk/useDesk.ts';
import { ColleagueChoice } from './ColleagueChoice.tsx';
import { closeDialog } from './open.ts';

interface Values {
  toAssistantId: string;
  reason: string;
  keepAsHelper: boolean;
  force: boolean;
}

/** 转接: to whom, why, and whether one stays as a helper. */
export function TransferDialog({ group }: { group: GroupRow }) {
  const desk = useDesk();
  const supervisor = useDeskState((state) => state.runtime?.assistant.supervisor ?? false);
  return (
    <FormDialog<typeof transferGroup, Values>
      open
      title={`转接：${group.groupName}`}
      width={520}
      call={transferGroup}
      success="已转接"
      submitText="转接"
      initial={{ keepAsHelper: false, force: false }}
      onClose={closeDialog}
      toInput={(values) => ({
        ...desk.moveOf(group),
        toAssistantId: values.toAssistantId,
        reason: values.reason,
        keepAsHelper: values.keepAsHelper,
        force: values.force ?? false,
      })}
      onDone={() => desk.changed(group.groupId)}
    >
      <Field of={transferGroup} name="toAssistantId" label={<span>转接给</span>}>
        <ColleagueChoice without={group.ownerAssistantId} onlyOn />
      </Field>
      <Field of={transferGroup} name="reason" />
      <Field of={transferGroup} name="keepAsHelper" label={false}>
        <Checkbox>保留协助（原责任医助继续留在会话中）</Checkbox>
      </Field>
      {supervisor && (
        <Field of={transferGroup} name="force" label={false}>
          <Checkbox>强制转接（忽略对方接待上限）</Checkbox>
        </Field>
      )}
    </FormDialog>
  );
}
