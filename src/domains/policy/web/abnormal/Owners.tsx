import { Button } from 'antd';
import type { InputOf } from '#kernel/contract/call.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { ownerKinds } from '../../contract/abnormal/checks.ts';
import {
  addFindingOwner,
  modifyFindingOwner,
  queryFindingOwnerList,
  removeFindingOwner,
  type OwnerRow,
} from '../../contract/calls/abnormal.ts';
import { abnormalPermissions as may } from '../../contract/permissions.ts';
import { InsurerPicker } from '#kernel/web/kit/pickers.tsx';
import { OwnerSelect } from './OwnerSelect.tsx';

const ALL = '全部保司';
const refreshes = [queryFindingOwnerList];
const namedOwner = (row: OwnerRow) => `${row.insurerName || ALL} ${ownerKinds.label(row.ownerKind)}`;

function AddOwner({ onClose }: { onClose(): void }) {
  return (
    <FormDialog<typeof addFindingOwner, InputOf<typeof addFindingOwner>>
      open
      title="新增责任人"
      width={480}
      call={addFindingOwner}
      initial={{ ownerKind: 'INSURER' }}
      refreshes={refreshes}
      success="新增成功!"
      onClose={onClose}
    >
      <Field of={addFindingOwner} name="ownerKind" />
      <Field of={addFindingOwner} name="insurerId" extra="不选即为全部保司；保司另有责任人的，以该保司的为准">
        <InsurerPicker placeholder={ALL} />
      </Field>
      <Field of={addFindingOwner} name="userId">
        <OwnerSelect />
      </Field>
    </FormDialog>
  );
}

function EditOwner({ row, onClose }: { row: OwnerRow; onClose(): void }) {
  return (
    <FormDialog<typeof modifyFindingOwner, Pick<InputOf<typeof modifyFindingOwner>, 'userId'>>
      open
      title={`修改责任人 ${namedOwner(row)}`}
      width={480}
      call={modifyFindingOwner}
      recordKey={row.id}
      // Who may not handle findings any more is chosen anew.
      initial={row.fit ? { userId: row.userId } : {}}
      toInput={({ userId }) => ({ id: row.id, version: row.version, userId })}
      labels={{ userId: '责任人' }}
      display={(_name, value) => (value === row.userId ? row.userName : value)}
      refreshes={refreshes}
      success="修改成功!"
      onClose={onClose}
    >
      <Field of={modifyFindingOwner} name="userId" extra="只影响今后新发现的异常；已有的请在列表中转派">
        <OwnerSelect />
      </Field>
    </FormDialog>
  );
}

/** Tab 责任人: to whom findings come when they are first seen. */
export function Owners() {
  const layers = useLayers();
  const { data, error, loading, refetch } = useData(queryFindingOwnerList, {}, { quiet: true });
  const remove = useCommand(removeFindingOwner, { success: '删除成功!', refreshes });
  return (
    <>
      <div className="pol-actions">
        <Can permission={may['abnormal.supervise']}>
          <Button type="primary" onClick={() => layers.open((close) => <AddOwner onClose={close} />)}>
            新增责任人
          </Button>
        </Can>
      </div>
      <DataTable<OwnerRow>
        rowKey="id"
        height="auto"
        rows={data}
        error={error}
        loading={loading}
        onRetry={() => void refetch()}
        empty="还没有责任人，新发现的异常由处理人自行领取"
        columns={[
          { key: 'ownerKind', title: '责任人类别', width: 140, kind: 'dict', dictionary: ownerKinds, plain: true },
          { key: 'insurerName', title: '保司', width: 160, value: (row) => row.insurerName || ALL },
          { key: 'userName', title: '责任人', width: 120 },
          {
            key: 'fit',
            title: '说明',
            width: 260,
            value: (row) => (row.fit ? '新发现的异常分配给此人' : '此人已不能处理异常，新发现的异常无人负责，请修改'),
          },
          { key: 'updatedAt', title: '更新时间', kind: 'time' },
        ]}
        actions={[
          {
            label: '修改',
            permission: may['abnormal.supervise'],
            act: (row) => layers.open((close) => <EditOwner row={row} onClose={close} />),
          },
          {
            label: '删除',
            danger: true,
            permission: may['abnormal.supervise'],
            act: async ({ id, version, ownerKind, userName }) => {
              if (await confirmDelete(`${ownerKinds.label(ownerKind)}责任人“${userName}”`, ['新发现的异常不再分配给此人']))
                await remove.run({ id, version });
            },
          },
        ]}
      />
      {layers.shown}
    </>
  );
}
