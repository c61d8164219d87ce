import { Form } from 'antd';
import type { OutputOf } from '#kernel/contract/call.ts';
import { toast, toastError } from '#kernel/web/feedback/toast.ts';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { addUserRole, modifyUserRole } from '../../contract/calls/userRoles.ts';
import type { queryUserRoleList } from '../../contract/calls/userRoles.ts';
import { showWarnings } from '../shared/dutyWarnings.ts';
import { AssignmentFields } from './AssignmentFields.tsx';
import { assignmentInput, newAssignmentValues, scopeInput } from './assignment.ts';
import type { AssignmentValues } from './assignment.ts';

interface Values {
  assignment: AssignmentValues;
}

interface AssignmentDialogProps {
  /** Null: a new one. */
  assignment: OutputOf<typeof queryUserRoleList> | null;
  users: readonly { id: string; name: string }[];
  /** The role stands already (members of a role). */
  roleId?: string;
  withoutRoles?: readonly string[];
  onClose(): void;
  onDone(): void;
}

/** One assignment of one user: role, scope, validity. */
export function AssignmentDialog({ assignment, users, roleId, withoutRoles, onClose, onDone }: AssignmentDialogProps) {
  const [form] = Form.useForm<Values>();
  if (assignment) {
    return (
      <FormDialog<typeof modifyUserRole, Values>
        open
        form={form}
        title={`编辑任职：${assignment.displayName} · ${assignment.roleName}`}
        width={600}
        call={modifyUserRole}
        recordKey={assignment.id}
        version={assignment.version}
        initial={{ assignment: { scope: assignment.scope, validFrom: assignment.validFrom, validTo: assignment.validTo } }}
        toInput={({ assignment: { scope, validFrom, validTo } }) => ({
          id: assignment.id,
          version: assignment.version,
          scope: scopeInput(scope),
          ...(validFrom && { validFrom }),
          validTo: validTo ?? null,
        })}
        success="修改成功!"
        onDone={({ data }) => {
          void showWarnings(data.warnings);
          onDone();
        }}
        onClose={onClose}
      >
        <AssignmentFields path={['assignment']} fixedRole />
      </FormDialog>
    );
  }
  return (
    <FormDialog<typeof addUserRole, Values>
      open
      form={form}
      title={`添加角色：${users.map(({ name }) => name).join('、')}`}
      width={600}
      call={addUserRole}
      initial={{ assignment: { ...newAssignmentValues(), ...(roleId && { roleId }) } }}
      toInput={({ assignment: given }) => ({
        userIds: users.map(({ id }) => id),
        ...assignmentInput(roleId ? { ...given, roleId } : given),
      })}
      onDone={({ data }) => {
        const refused = data.results.find((result) => !result.ok);
        if (refused) toastError(refused.message);
        else toast('分配完成');
        void showWarnings(data.results.flatMap(({ warnings }) => warnings));
        onDone();
      }}
      onClose={onClose}
    >
      <AssignmentFields path={['assignment']} fixedRole={roleId !== undefined} {...(withoutRoles && { without: withoutRoles })} />
    </FormDialog>
  );
}
