import { Button, Drawer, Form, Input } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { addRoleConflict, queryRoleConflictList, removeRoleConflict } from '../../contract/calls/roles.ts';
import { RoleSelect } from '../shared/RoleSelect.tsx';

type Row = OutputOf<typeof queryRoleConflictList>;

const columns: readonly Column<Row>[] = [
  { key: 'roleAName', title: '角色', width: 130 },
  { key: 'roleBName', title: '互斥角色', width: 130 },
  { key: 'reason', title: '互斥原因', width: 240 },
  { key: 'createdAt', title: '创建时间', kind: 'time' },
];
const SIZE = 20;

interface Values {
  roleAId: string;
  roleBId: string;
  reason: string;
}

/** Drawer 互斥规则: roles that nobody may hold together. */
export function Conflicts({ onClose }: { onClose(): void }) {
  const [pageNo, setPageNo] = useState(1);
  const [role, setRole] = useState<string | null>(null);
  const layers = useLayers();
  const { rows, total, error, fetching, refetch } = useList(
    queryRoleConflictList,
    { pageNo, pageSize: SIZE, ...(role && { roleId: role }) },
    { quiet: true },
  );
  const remove = useCommand(removeRoleConflict, { success: '删除成功!', refreshes: [queryRoleConflictList] });
  return (
    <Drawer
      open
      title="互斥规则"
      size={840}
      onClose={onClose}
      extra={
        <Button type="primary" onClick={() => layers.open((close) => <AddConflict onClose={close} />)}>
          新增规则
        </Button>
      }
    >
      <div className="kq-row" style={{ marginBottom: 12, maxWidth: 320 }}>
        <RoleSelect
          value={role}
          placeholder="按角色筛选"
          onChange={(next) => {
            setRole(next);
            setPageNo(1);
          }}
        />
      </div>
      <DataTable<Row>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有互斥规则，点击“新增规则”"
        height="auto"
        actions={[
          {
            label: '删除',
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`“${row.roleAName}”与“${row.roleBName}”的互斥规则`, ['两个角色可以授予同一人']))
                await remove.run({ id: row.id });
            },
          },
        ]}
        paging={{ pageNo, pageSize: SIZE, total, onChange: setPageNo }}
      />
      {layers.shown}
    </Drawer>
  );
}

function AddConflict({ onClose }: { onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const roleA = Form.useWatch('roleAId', form);
  return (
    <FormDialog<typeof addRoleConflict, Values>
      open
      form={form}
      title="新增互斥规则"
      width={460}
      call={addRoleConflict}
      success={SERVER_MESSAGE}
      refreshes={[queryRoleConflictList]}
      onClose={onClose}
    >
      <Field of={addRoleConflict} name="roleAId">
        <RoleSelect />
      </Field>
      <Field of={addRoleConflict} name="roleBId">
        <RoleSelect without={roleA ? [roleA] : []} />
      </Field>
      <Field of={addRoleConflict} name="reason">
        <Input.TextArea rows={3} showCount />
      </Field>
    </FormDialog>
  );
}
