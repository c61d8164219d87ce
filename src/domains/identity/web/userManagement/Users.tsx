import { Button } from 'antd';
import { lazy } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { send } from '#kernel/web/http/client.ts';
import { ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { exportUserInfoList, modifyUserInfo } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { staffUserStates } from '../../contract/states.ts';
import { useUserActions } from './useUserActions.tsx';
import { isTimedLocked, userList } from './userList.tsx';

const OneTimeSecret = lazy(async () => ({ default: (await import('../shared/OneTimeSecret.tsx')).OneTimeSecret }));
const AssignRoles = lazy(async () => ({ default: (await import('./AssignRoles.tsx')).AssignRoles }));
const BatchAssign = lazy(async () => ({ default: (await import('./BatchAssign.tsx')).BatchAssign }));
const UserForm = lazy(async () => ({ default: (await import('./UserForm.tsx')).UserForm }));

/** Tab 用户. */
export function Users() {
  const me = useSession((state) => state.userId);
  const layers = useLayers();
  const issue = (who: string, password: string) =>
    layers.open((close) => (
      <OneTimeSecret title="临时密码" secret={password} note="仅显示一次，24小时内有效。首次登录须修改密码。" onClose={close}>
        <p>请将以下临时密码交给 {who}：</p>
      </OneTimeSecret>
    ));
  const userActions = useUserActions(issue);
  const assign = (user: UserView) => layers.open((close) => <AssignRoles user={user} onClose={close} />);
  const edit = (user: UserView | null, copied: UserView | null) =>
    layers.open((close) => <UserForm user={user} copied={copied} onClose={close} onAdded={issue} onAssign={assign} />);
  const others = (user: UserView) => user.id !== me;
  const can = (action: keyof typeof staffUserStates.transitions) => (user: UserView) =>
    others(user) && staffUserStates.canStart(action, user.state);

  const actions: readonly RowAction<UserView>[] = [
    {
      label: '编辑',
      permission: may['user.edit'],
      when: (user) => user.state !== 'LEFT',
      act: (user) => edit(user, null),
    },
    {
      label: '分配角色',
      permission: may['user.edit'],
      when: (user) => others(user) && user.state !== 'LEFT',
      act: (user) => assign(user),
    },
    {
      label: '解锁',
      permission: may['user.unlock'],
      when: (user) => others(user) && (user.state === 'LOCKED' || isTimedLocked(user)),
      act: userActions.unlock,
    },
    {
      label: '重置密码',
      permission: may['user.resetPwd'],
      when: (user) => can('resetPassword')(user) || can('resetLocked')(user),
      act: userActions.resetPassword,
    },
    { label: '启用', permission: may['user.edit'], when: can('enable'), act: userActions.enable },
    { label: '停用', permission: may['user.edit'], when: can('disable'), danger: true, act: userActions.disable },
    { label: '办理离职', permission: may['user.remove'], when: can('leave'), danger: true, act: userActions.leave },
    {
      label: '登录记录',
      permission: may['loginLog.view'],
      act: (user) => goTo('/operationLog', { tab: 'logins', userName: user.userName }),
    },
    { label: '操作日志', permission: may['log.view'], act: (user) => goTo('/operationLog', { operator: user.opNo }) },
    { label: '复制用户', permission: may['user.edit'], act: (user) => edit(null, user) },
  ];

  return (
    <>
      <ResourceList
        of={userList}
        actions={actions}
        actionWidth={230}
        batch={[
          {
            label: '批量分配角色',
            permission: may['user.edit'],
            nameOf,
            dialog: (users, { done, close: shut }) => (
              <BatchAssign
                users={users}
                onClose={(changed) => {
                  shut();
                  if (changed) done();
                }}
              />
            ),
          },
          {
            label: '批量停用',
            permission: may['user.edit'],
            danger: true,
            opinion: 'required',
            nameOf,
            when: can('disable'),
            each: (user, opinion) =>
              send(modifyUserInfo, { id: user.id, version: user.version, action: 'disable', opinion }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['user.edit']}>
              <Button type="primary" onClick={() => edit(null, null)}>
                新增
              </Button>
            </Can>
            <ImportButton importerCode="identity.user" permission={may['user.edit']} onChanged={view.refetch} />
            <ExportButton call={exportUserInfoList} view={view} permission={may['user.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

const nameOf = (user: UserView) => `${user.displayName}（${user.opNo}）`;
