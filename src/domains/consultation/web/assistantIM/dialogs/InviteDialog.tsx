import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { addGroupAssistant } from '../../../contract/calls/groups.ts';
import type { GroupRow } from '../../../contract/calls/shared.ts';
import { useDesk } from '../desk/useDesk.ts';
import { ColleagueChoice } from './ColleagueChoice.tsx';
import { closeDialog } from './open.ts';

/** 邀请协助: a colleague joins the conversation; the owner stays. */
export function InviteDialog({ group }: { group: GroupRow }) {
  const desk = useDesk();
  return (
    <FormDialog<typeof addGroupAssistant, { assistantId: string }>
      open
      title="邀请协助"
      width={480}
      call={addGroupAssistant}
      success="message"
      submitText="邀请"
      onClose={closeDialog}
      toInput={({ assistantId }) => ({ groupId: group.groupId, assistantId })}
      onDone={() => desk.changed(group.groupId)}
    >
      <Field of={addGroupAssistant} name="assistantId">
        <ColleagueChoice without={group.ownerAssistantId} />
      </Field>
    </FormDialog>
  );
}
