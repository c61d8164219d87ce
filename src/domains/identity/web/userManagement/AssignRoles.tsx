import { Button, Drawer } from 'antd';
import { lazy, useMemo } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { refresh, SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { modifyUserRole, queryUserRoleList, removeUserRole } from '../../contract/calls/userRoles.ts';
import { queryUserInfoList } from '../../contract/calls/users.ts';
import type { UserView } from '../../contract/calls/users.ts';
import { assignmentStates } from '../../contract/dictionaries.ts';
import { showWarnings } from '../shared/dutyWarnings.ts';

const AssignmentDialog = lazy(async () => ({ default: (await import('./AssignmentDialog.tsx')).AssignmentDialog }));

type Row = OutputOf<typeof queryUserRoleList>;

const columns: readonly Column<Row>[] = [
  { key: 'roleName', title: '角色', width: 130 },
  { key: 'scopeText', title: '数据范围', width: 190 },
  { key: 'validity', title: '有效期', width: 190, value: (row) => `${row.validFrom} 至 ${row.validTo ?? '长期'}` },
  { key: 'state', title: '状态', kind: 'dict', dictionary: assignmentStates, width: 76 },
];

/** Drawer 分配角色: the assignments of one user. */
export function AssignRoles({ user, onClose }: { user: UserView; onClose(): void }) {
  const { rows, error, fetching, refetch } = useList(queryUserRoleList, { userId: user.id, pageNo: 1, pageSize: 100 }, { quiet: true });
  const refreshes = [queryUserRoleList, queryUserInfoList];
  const modify = useCommand(modifyUserRole, { success: SERVER_MESSAGE, refreshes });
  const remove = useCommand(removeUserRole, { success: SERVER_MESSAGE, refreshes });
  const layers = useLayers();
  const held = useMemo(() => rows?.map((row) => row.roleId) ?? [], [rows]);
  const edit = (row: Row | null) =>
    layers.open((close) => (
      <AssignmentDialog
        assignment={row}
        users={[{ id: user.id, name: user.displayName }]}
        withoutRoles={held}
        onClose={close}
        onDone={() => void refresh(...refreshes)}
      />
    ));
  const about = (row: Row) => [
    { label: '用户', value: `${row.displayName}（${row.opNo}）` },
    { label: '角色', value: `${row.roleName}（${row.roleCode}）` },
    { label: '数据范围', value: row.scopeText },
  ];
  const toggleState = async (row: Row) => {
    const next = row.state === 'ENABLED' ? 'DISABLED' : 'ENABLED';
    if (
      !(await ask({
        title: assignmentStates.label(next),
        content: `确定要${assignmentStates.label(next)}角色“${row.roleName}”吗?`,
        facts: about(row),
      }))
    )
      return;
    const answer = await modify.run({ id: row.id, version: row.version, state: next });
    if (answer) void showWarnings(answer.data.warnings);
  };
  const drop = async (row: Row) => {
    if (
      await ask({
        title: '移除角色',
        content: `确定要移除${row.displayName}的角色“${row.roleName}”吗? 其下一次操作即失去该角色的权限。`,
        facts: about(row),
        danger: true,
      })
    )
      await remove.run({ id: row.id, version: row.version });
  };
  return (
    <Drawer
      open
      title={`分配角色：${user.displayName}（${user.opNo}）`}
      size={840}
      onClose={onClose}
      extra={
        <Button type="primary" onClick={() => edit(null)}>
          添加角色
        </Button>
      }
    >
      <DataTable<Row>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="尚未分配角色，点击“添加角色”"
        height="auto"
        actions={[
          { label: '编辑', act: edit },
          { label: '停用', when: (row) => row.state === 'ENABLED', act: toggleState },
          { label: '启用', when: (row) => row.state === 'DISABLED', act: toggleState },
          { label: '移除', danger: true, act: drop },
        ]}
      />
      {layers.shown}
    </Drawer>
  );
}
