import { Form } from 'antd';
import { Field } from '#kernel/web/form/Field.tsx';
import { newAssignment } from '../../contract/calls/users.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { RoleSelect } from '../shared/RoleSelect.tsx';
import { ScopeEditor } from '../shared/ScopeEditor.tsx';
import '../shared/page.css';

interface AssignmentFieldsProps {
  /** Path of the assignment inside the form: `['roles', 0]`. */
  path: readonly (string | number)[];
  /** Path below the list that the fields are named by; absent: the whole path. */
  listName?: number;
  /** The role stands already. */
  fixedRole?: boolean;
  without?: readonly string[];
}

/** 角色, 数据范围, 有效期 of one assignment. */
export function AssignmentFields({ path, listName, fixedRole = false, without }: AssignmentFieldsProps) {
  const within = listName === undefined ? path : [listName];
  return (
    <>
      {!fixedRole && (
        <Field of={newAssignment} name="roleId" within={within}>
          <RoleSelect {...(without && { without })} />
        </Field>
      )}
      <Form.Item label="数据范围" name={[...within, 'scope']}>
        <ScopeEditor />
      </Form.Item>
      <div className="id-two">
        <Field of={newAssignment} name="validFrom" within={within} tooltip="不填为当天">
          <DayInput />
        </Field>
        <Field of={newAssignment} name="validTo" within={within} tooltip="不填为长期有效">
          <DayInput />
        </Field>
      </div>
    </>
  );
}
