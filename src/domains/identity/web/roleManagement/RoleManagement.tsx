import { Button } from 'antd';
import { lazy, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportRoleMatrix, modifyRoleInfo, queryRoleInfoList, removeRoleInfo, type Role } from '../../contract/calls/roles.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';
import { roleStates } from '../../contract/states.ts';
import { showWarnings } from '../shared/dutyWarnings.ts';
import { DutyMark } from '../shared/DutyMark.tsx';
import { Mark } from '../shared/Mark.tsx';
import { PermissionFilter } from '../shared/PermissionSelect.tsx';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';

const Compare = lazy(async () => ({ default: (await import('./Compare.tsx')).Compare }));
const Conflicts = lazy(async () => ({ default: (await import('./Conflicts.tsx')).Conflicts }));
const Members = lazy(async () => ({ default: (await import('./Members.tsx')).Members }));

const SUPER_ADMIN = 'SUPER_ADMIN';

/** Only the user count opens something, so the columns are made with it. */
const listWith = (openMembers: (role: Role) => void) =>
  resource(queryRoleInfoList, {
    routeKey: 'roleManagement',
    empty: '没有符合条件的角色，请调整筛选条件或点击“新增角色”',
    filters: ['name', 'state', { kind: 'picker', name: 'permission', picker: PermissionFilter }, 'dutyConflict'],
    columns: [
      { key: 'roleCode', width: 150 },
      {
        key: 'name',
        required: true,
        width: 190,
        render: (row) => (
          <>
            {row.name} <DutyMark conflicts={row.duties} />
          </>
        ),
      },
      { key: 'description', width: 240 },
      { key: 'menuCount', width: 80 },
      { key: 'permissionCount', width: 80 },
      { key: 'highCount', width: 100, align: 'right', render: (row) => (row.highCount ? <Mark tone="error">{row.highCount}</Mark> : 0) },
      { key: 'userCount', width: 80, align: 'right', value: (row) => String(row.userCount), to: (row) => () => openMembers(row) },
      'builtin',
      { key: 'state', width: 80 },
      { key: 'modifiedBy', title: '修改人', value: (row) => row.updatedByName ?? '系统' },
      'updatedAt',
    ],
  });

/** /roleManagement 角色管理. */
export default function RoleManagement() {
  const layers = useLayers();
  const showMembers = (role: Role) => layers.open((close) => <Members role={role} onClose={close} />);
  const [list] = useState(() => listWith(showMembers));
  const refreshes = [queryRoleInfoList];
  const modify = useCommand(modifyRoleInfo, { refreshes });
  const remove = useCommand(removeRoleInfo, { success: '删除成功!', refreshes });
  const matrix = useSaveFile(exportRoleMatrix, { success: '已导出' });
  const move = (action: 'enable' | 'disable') => async (role: Role) => {
    const { label, danger = false } = roleStates.transitions[action];
    const content =
      action === 'disable' ? `停用后，${role.userCount}名用户将立即失去“${role.name}”的菜单和权限。` : `确定要启用“${role.name}”吗?`;
    const opinion = await confirmWithOpinion({
      title: label,
      content,
      facts: factsIn(queryRoleInfoList.output, role, ['roleCode', 'userCount', 'permissionCount', 'highCount']),
      danger,
    });
    if (opinion === null) return;
    const answer = await modify.run({ id: role.id, version: role.version, action, opinion });
    if (!answer) return;
    toast(`${label}成功!`);
    void showWarnings(answer.data.warnings);
  };
  return (
    <>
      <ResourceList
        of={list}
        toolbar={
          <>
            <Can permission={may['role.edit']}>
              <Button type="primary" onClick={() => goTo('/editRole')}>
                新增角色
              </Button>
              <Button onClick={() => layers.open((close) => <Conflicts onClose={close} />)}>互斥规则</Button>
            </Can>
            <Button onClick={() => layers.open((close) => <Compare onClose={close} />)}>权限对比</Button>
            <Button disabled={matrix.busy} onClick={() => void matrix.save({})}>
              导出权限矩阵
            </Button>
          </>
        }
        actions={[
          {
            label: '编辑',
            permission: may['role.edit'],
            when: (role) => role.roleCode !== SUPER_ADMIN,
            act: (role) => goTo('/editRole', { id: role.id }),
          },
          { label: '复制', permission: may['role.edit'], act: (role) => goTo('/editRole', { copyId: role.id }) },
          { label: '成员', permission: may['user.view'], act: showMembers },
          {
            label: '停用',
            permission: may['role.edit'],
            when: (role) => role.state === 'ENABLED' && role.roleCode !== SUPER_ADMIN,
            danger: true,
            act: move('disable'),
          },
          { label: '启用', permission: may['role.edit'], when: (role) => role.state === 'DISABLED', act: move('enable') },
          {
            label: '删除',
            permission: may['role.remove'],
            when: (role) => !role.builtin,
            danger: true,
            act: async (role) => {
              if (
                await confirmDelete(`角色“${role.name}”（${role.roleCode}）`, [
                  `${role.menuCount}个菜单和${role.permissionCount}项权限的授权、互斥规则一并删除`,
                ])
              )
                await remove.run({ id: role.id, version: role.version });
            },
          },
        ]}
      />
      {layers.shown}
    </>
  );
}
