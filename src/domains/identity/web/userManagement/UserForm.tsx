import { Button, Checkbox, Form, Input, Tag } from 'antd';
import { useState } from 'react';
import { Field, FieldList } from '#kernel/web/form/Field.tsx';
import type { InputOf } from '#kernel/contract/call.ts';
import { send } from '#kernel/web/http/client.ts';
import { SERVER_MESSAGE } from '#kernel/web/http/queries.ts';
import { UnboundField } from '#kernel/web/form/UnboundField.tsx';
import { FormDrawer } from '#kernel/web/form/FormDrawer.tsx';
import { addUserInfo, getUserInfoByMobile, modifyUserInfo, queryUserInfoList } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import type { employers } from '../../contract/dictionaries.ts';
import { userErrors } from '../../contract/userErrors.ts';
import { fillText } from '#kernel/contract/errors.ts';
import { MOBILE } from '#kernel/contract/plainText.ts';
import DayInput from '#kernel/web/form/DayInput.tsx';
import { showWarnings } from '../shared/dutyWarnings.ts';
import { AssignmentFields } from './AssignmentFields.tsx';
import { assignmentInput, newAssignmentValues } from './assignment.ts';
import type { AssignmentValues } from './assignment.ts';

interface Values {
  userName: string;
  displayName: string;
  mobile?: string;
  email?: string;
  clearMobile?: boolean;
  clearEmail?: boolean;
  departmentName?: string | null;
  postName?: string | null;
  employer: (typeof employers.codes)[number];
  validFrom?: string | null;
  validTo?: string | null;
  roles: AssignmentValues[];
}

interface UserFormProps {
  /** Null: a new user. */
  user: UserView | null;
  /** Whose roles and scopes a new user begins with. */
  copied: UserView | null;
  onClose(): void;
  onAdded(who: string, tempPassword: string): void;
  onAssign(user: UserView): void;
}

const labels = {
  displayName: '姓名',
  departmentName: '部门',
  postName: '岗位',
  employer: '用工类型',
  validFrom: '有效期起',
  validTo: '有效期至',
};
const orNull = (text: string | null | undefined) => text?.trim() || null;
const person = (values: Values) => ({
  displayName: values.displayName,
  departmentName: orNull(values.departmentName),
  postName: orNull(values.postName),
  employer: values.employer,
  validFrom: values.validFrom ?? null,
  validTo: values.validTo ?? null,
});
/** Masked values are sent only when something new was typed, or they are to go. */
const secret = (typed: string | undefined, clear: boolean | undefined) => (typed?.trim() ? typed.trim() : clear ? null : undefined);

const addition = (values: Values): InputOf<typeof addUserInfo> => ({
  ...person(values),
  userName: values.userName,
  mobile: orNull(values.mobile),
  email: orNull(values.email),
  roles: values.roles.map(assignmentInput),
});
const change =
  (user: UserView) =>
  (values: Values): InputOf<typeof modifyUserInfo> => {
    const mobile = secret(values.mobile, values.clearMobile);
    const email = secret(values.email, values.clearEmail);
    return {
      id: user.id,
      version: user.version,
      ...person(values),
      ...(mobile !== undefined && { mobile }),
      ...(email !== undefined && { email }),
    };
  };

const initialOf = (user: UserView | null, copied: UserView | null): Partial<Values> =>
  user
    ? {
        userName: user.userName,
        displayName: user.displayName,
        departmentName: user.departmentName,
        postName: user.postName,
        employer: user.employer,
        validFrom: user.validFrom,
        validTo: user.validTo,
      }
    : {
        employer: copied?.employer ?? 'SELF',
        departmentName: copied?.departmentName ?? null,
        postName: copied?.postName ?? null,
        roles: copied?.roles.length
          ? copied.roles.map(({ roleId, scope, validTo }) => ({ roleId, scope, validTo }))
          : [newAssignmentValues()],
      };

/** Drawer 新增/编辑. */
export function UserForm({ user, copied, onClose, onAdded, onAssign }: UserFormProps) {
  const [form] = Form.useForm<Values>();
  const [taken, setTaken] = useState<string | null>(null);
  const checkMobile = async (mobile: string) => {
    setTaken(null);
    if (!MOBILE.test(mobile)) return;
    const owner = await send(getUserInfoByMobile, { mobile }, { quiet: true }).catch(() => null);
    if (owner && owner.userId !== user?.id)
      setTaken(fillText(userErrors.MOBILE_TAKEN.text, { displayName: owner.displayName, opNo: owner.opNo }));
  };
  const outsourced = Form.useWatch('employer', form) === 'OUTSOURCE';
  const shared = { open: true, onClose, refreshes: [queryUserInfoList], form, initial: initialOf(user, copied), labels } as const;
  const fields = (
    <>
      <div className="id-two">
        {user ? (
          <UnboundField label="用户名" extra="用户名不能修改">
            <Input disabled value={user.userName} />
          </UnboundField>
        ) : (
          <Field of={addUserInfo} name="userName">
            <Input autoComplete="off" />
          </Field>
        )}
        <Field of={addUserInfo} name="displayName" />
        <Field of={addUserInfo} name="mobile" {...(taken && { validateStatus: 'error', help: taken })}>
          <Input
            autoComplete="off"
            placeholder={user?.mobile ? `${user.mobile}（不修改请留空）` : '验证码登录需要'}
            onBlur={(event) => void checkMobile(event.target.value)}
            onChange={() => setTaken(null)}
          />
        </Field>
        <Field of={addUserInfo} name="email">
          <Input autoComplete="off" placeholder={user?.email ? `${user.email}（不修改请留空）` : ''} />
        </Field>
        {user?.mobile && (
          <Form.Item name="clearMobile" valuePropName="checked" className="id-clear">
            <Checkbox>移除已登记的手机号</Checkbox>
          </Form.Item>
        )}
        {user?.email && (
          <Form.Item name="clearEmail" valuePropName="checked" className="id-clear">
            <Checkbox>移除已登记的邮箱</Checkbox>
          </Form.Item>
        )}
        <Field of={addUserInfo} name="departmentName" />
        <Field of={addUserInfo} name="postName" />
        <Field of={addUserInfo} name="employer" />
        <span />
        <Field of={addUserInfo} name="validFrom">
          <DayInput />
        </Field>
        <Field of={addUserInfo} name="validTo" required={outsourced}>
          <DayInput placeholder={outsourced ? '请选择' : '不填为长期'} />
        </Field>
      </div>
      {user ? <CurrentRoles user={user} onAssign={onAssign} /> : <RoleList />}
    </>
  );
  if (user) {
    return (
      <FormDrawer<typeof modifyUserInfo, Values>
        {...shared}
        title={`编辑用户：${user.displayName}`}
        call={modifyUserInfo}
        recordKey={user.id}
        version={user.version}
        toInput={change(user)}
        success="修改成功!"
        onReload={(current) => form.setFieldsValue(current as Partial<Values>)}
      >
        {fields}
      </FormDrawer>
    );
  }
  return (
    <FormDrawer<typeof addUserInfo, Values>
      {...shared}
      title={copied ? `新增用户（复制 ${copied.displayName} 的角色）` : '新增用户'}
      call={addUserInfo}
      toInput={addition}
      success={SERVER_MESSAGE}
      onDone={({ data }) => {
        void showWarnings(data.warnings);
        onAdded(`${form.getFieldValue('displayName') as string}（${data.opNo}）`, data.tempPassword);
      }}
    >
      {fields}
    </FormDrawer>
  );
}

/** The roles that a new user begins with. */
function RoleList() {
  return (
    <FieldList of={addUserInfo} name="roles">
      {(entries, { add, remove }, { errors }) => (
        <Form.Item label="角色" required>
          {entries.map((entry) => (
            <div key={entry.key} className="id-role-card">
              <Button type="link" size="small" danger className="id-remove" onClick={() => remove(entry.name)}>
                移除
              </Button>
              <AssignmentFields path={['roles', entry.name]} listName={entry.name} />
            </div>
          ))}
          <Button type="dashed" block disabled={entries.length >= 20} onClick={() => add(newAssignmentValues())}>
            添加角色
          </Button>
          <Form.ErrorList errors={errors} />
        </Form.Item>
      )}
    </FieldList>
  );
}

function CurrentRoles({ user, onAssign }: { user: UserView; onAssign(user: UserView): void }) {
  return (
    <Form.Item label="角色">
      <span className="id-tags">
        {user.roles.map((role) => (
          <Tag key={role.id} color="processing" variant="filled">
            {role.roleName}（{role.scopeText}）
          </Tag>
        ))}
        {user.roles.length === 0 && <span className="kq-muted">未分配</span>}
        <Button type="link" size="small" onClick={() => onAssign(user)}>
          分配角色
        </Button>
      </span>
    </Form.Item>
  );
}
