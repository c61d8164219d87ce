import { useState } from 'react';
import { Form } from 'antd';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { addUserRole } from '../../contract/calls/userRoles.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { AssignmentFields } from './AssignmentFields.tsx';
import { doneText } from '../shared/dutyWarnings.ts';
import { assignmentInput, newAssignmentValues } from './assignment.ts';
import type { AssignmentValues } from './assignment.ts';

/** 批量分配角色: one role for many users, with a result row by row. */
export function BatchAssign({ users, onClose }: { users: readonly UserView[]; onClose(done: boolean): void }) {
  const [form] = Form.useForm<{ assignment: AssignmentValues }>();
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  if (outcomes)
    return <BatchResult title="批量分配角色" outcomes={outcomes} total={outcomes.length} running={false} onClose={() => onClose(true)} />;
  const nameOf = (id: string) => {
    const user = users.find((one) => one.id === id);
    return user ? `${user.displayName}（${user.opNo}）` : id;
  };
  // The dialog closes itself after a success; the result follows in its place.
  let finished = false;
  return (
    <FormDialog<typeof addUserRole, { assignment: AssignmentValues }>
      open
      form={form}
      title={`批量分配角色（${users.length}名用户）`}
      width={600}
      call={addUserRole}
      initial={{ assignment: newAssignmentValues() }}
      toInput={({ assignment }) => ({ userIds: users.map(({ id }) => id), ...assignmentInput(assignment) })}
      onDone={({ data }) => {
        finished = true;
        setOutcomes(
          data.results.map(({ userId, ok, message, warnings }) => ({
            name: nameOf(userId),
            ok,
            message: ok ? doneText(warnings) : message,
          })),
        );
      }}
      onClose={() => {
        if (!finished) onClose(false);
      }}
    >
      <p className="kq-muted">{users.map(({ displayName }) => displayName).join('、')}</p>
      <AssignmentFields path={['assignment']} />
    </FormDialog>
  );
}
