import { Button, Drawer } from 'antd';
import { lazy, useMemo, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { refresh, SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useSession } from '#kernel/web/session/store.ts';
import { queryRoleInfoList, type Role } from '../../contract/calls/roles.ts';
import { queryUserRoleList, removeUserRole } from '../../contract/calls/userRoles.ts';
import { queryUserInfoList } from '../../contract/calls/users.ts';
import { assignmentStates } from '../../contract/dictionaries.ts';
import { identityPermissions as may } from '../../contract/permissions.ts';

const AssignmentDialog = lazy(async () => ({ default: (await import('../userManagement/AssignmentDialog.tsx')).AssignmentDialog }));
const AddMembers = lazy(async () => ({ default: (await import('./AddMembers.tsx')).AddMembers }));

type Row = OutputOf<typeof queryUserRoleList>;

const columns: readonly Column<Row>[] = [
  { key: 'displayName', title: '姓名', width: 140, value: (row) => `${row.displayName}（${row.opNo}）` },
  { key: 'scopeText', title: '数据范围', width: 190 },
  { key: 'validity', title: '有效期', width: 190, value: (row) => `${row.validFrom} 至 ${row.validTo ?? '长期'}` },
  { key: 'state', title: '状态', kind: 'dict', dictionary: assignmentStates, width: 76 },
];

const SIZE = 20;

/** Drawer 成员 of a role: who holds it, with which scope. */
export function Members({ role, onClose }: { role: Role; onClose(): void }) {
  const me = useSession((state) => state.userId);
  const [pageNo, setPageNo] = useState(1);
  const layers = useLayers();
  const { rows, total, error, fetching, refetch } = useList(
    queryUserRoleList,
    { roleId: role.id, pageNo, pageSize: SIZE },
    { quiet: true },
  );
  const refreshes = useMemo(() => [queryUserRoleList, queryRoleInfoList, queryUserInfoList], []);
  const remove = useCommand(removeUserRole, { success: SERVER_MESSAGE, refreshes });
  const again = () => void refresh(...refreshes);
  const edit = (row: Row) => layers.open((close) => <AssignmentDialog assignment={row} users={[]} onClose={close} onDone={again} />);
  const add = () => layers.open((close) => <AddMembers role={role} onClose={close} onDone={again} />);
  const about = (row: Row) => [
    { label: '用户', value: `${row.displayName}（${row.opNo}）` },
    { label: '数据范围', value: row.scopeText },
  ];
  const drop = async (row: Row) => {
    if (
      await ask({
        title: '移除成员',
        content: `确定要将${row.displayName}移出角色“${role.name}”吗? 其下一次操作即失去该角色的权限。`,
        facts: about(row),
        danger: true,
      })
    )
      await remove.run({ id: row.id, version: row.version });
  };
  return (
    <Drawer
      open
      title={`成员：${role.name}`}
      size={840}
      onClose={onClose}
      extra={
        <Can permission={may['user.edit']}>
          <Button type="primary" disabled={role.state === 'DISABLED'} onClick={add}>
            添加成员
          </Button>
        </Can>
      }
    >
      <DataTable<Row>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="该角色还没有成员，点击“添加成员”"
        height="auto"
        actions={[
          { label: '数据范围', permission: may['user.edit'], when: (row) => row.userId !== me, act: edit },
          { label: '移除', permission: may['user.edit'], when: (row) => row.userId !== me, danger: true, act: drop },
        ]}
        paging={{ pageNo, pageSize: SIZE, total, onChange: setPageNo }}
      />
      {layers.shown}
    </Drawer>
  );
}
