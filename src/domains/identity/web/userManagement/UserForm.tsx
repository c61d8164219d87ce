import { Button, Checkbox, Form, Input, Select, Tag } from 'antd';
import { useState } from 'react';
import type { InputOf } from '../../../../kernel/contract/call.ts';
import { send } from '../../../../kernel/web/http/client.ts';
import { SERVER_MESSAGE } from '../../../../kernel/web/http/queries.ts';
import { FormDrawer } from '../../../../kernel/web/form/FormDrawer.tsx';
import { addUserInfo, getUserInfoByMobile, modifyUserInfo, queryUserInfoList } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { employers } from '../../contract/dictionaries.ts';
import { identityErrors } from '../../contract/errors.ts';
import { fillText } from '../../../../kernel/contract/errors.ts';
import { MOBILE } from '../entry/checks.ts';
import { DayInput } from '../shared/DayInput.tsx';
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
      setTaken(fillText(identityErrors.MOBILE_TAKEN.text, { displayName: owner.displayName, opNo: owner.opNo }));
  };
  const outsourced = Form.useWatch('employer', form) === 'OUTSOURCE';
  const shared = { open: true, onClose, refreshes: [queryUserInfoList], form, initial: initialOf(user, copied), labels } as const;
  const fields = (
    <>
      <div className="id-two">
        <Form.Item
          label="用户名"
          name="userName"
          extra={user ? '用户名不能修改' : undefined}
          rules={
            user
              ? []
              : [
                  { required: true, message: '请输入用户名' },
                  { pattern: /^[a-zA-Z][a-zA-Z0-9_.]{3,31}$/, message: '用户名为4-32位字母、数字、下划线或点，且以字母开头' },
                ]
          }
        >
          <Input disabled={user !== null} maxLength={32} autoComplete="off" />
        </Form.Item>
        <Form.Item label="姓名" name="displayName" rules={[{ required: true, whitespace: true, message: '请输入姓名' }]}>
          <Input maxLength={20} />
        </Form.Item>
        <Form.Item
          label="手机号"
          name="mobile"
          rules={[{ pattern: MOBILE, message: '请输入正确的手机号' }]}
          {...(taken && { validateStatus: 'error', help: taken })}
        >
          <Input
            maxLength={11}
            autoComplete="off"
            placeholder={user?.mobile ? `${user.mobile}（不修改请留空）` : '验证码登录需要'}
            onBlur={(event) => void checkMobile(event.target.value)}
            onChange={() => setTaken(null)}
          />
        </Form.Item>
        <Form.Item label="邮箱" name="email" rules={[{ type: 'email', message: '请输入正确的邮箱' }]}>
          <Input maxLength={100} autoComplete="off" placeholder={user?.email ? `${user.email}（不修改请留空）` : ''} />
        </Form.Item>
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
        <Form.Item label="部门" name="departmentName">
          <Input maxLength={50} />
        </Form.Item>
        <Form.Item label="岗位" name="postName">
          <Input maxLength={50} />
        </Form.Item>
        <Form.Item label="用工类型" name="employer" rules={[{ required: true, message: '请选择用工类型' }]}>
          <Select options={employers.options.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
        <span />
        <Form.Item label="有效期起" name="validFrom">
          <DayInput />
        </Form.Item>
        <Form.Item
          label="有效期至"
          name="validTo"
          dependencies={['validFrom', 'employer']}
          rules={[
            { required: outsourced, message: '外包人员必须填写有效期' },
            ({ getFieldValue }) => ({
              validator: async (_rule, to?: string | null) => {
                const from: unknown = getFieldValue('validFrom');
                if (to && typeof from === 'string' && to < from) throw new Error('有效期至不能早于有效期起');
              },
            }),
          ]}
        >
          <DayInput placeholder={outsourced ? '请选择' : '不填为长期'} />
        </Form.Item>
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
      onDone={({ data }) => onAdded(`${form.getFieldValue('displayName') as string}（${data.opNo}）`, data.tempPassword)}
    >
      {fields}
    </FormDrawer>
  );
}

/** The roles that a new user begins with. */
function RoleList() {
  return (
    <Form.List
      name="roles"
      rules={[
        {
          validator: async (_rule, roles?: unknown[]) => {
            if (!roles?.length) throw new Error('请至少分配一个角色');
          },
        },
      ]}
    >
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
    </Form.List>
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
