import { Button } from 'antd';
import { useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { InstantInput } from '#kernel/web/form/InstantInput.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { querySupplierDetail, type SupplierDetail, type SupplierPauseRow } from '../../contract/calls/supplier.ts';
import { addSupplierPause, delSupplierPause } from '../../contract/calls/supplierGoods.ts';
import { orderPermissions as may } from '../../contract/permissions.ts';

interface Values {
  fromAt: string;
  toAt: string;
  reason: string;
}
interface Props {
  detail: SupplierDetail;
  onChanged(): void;
}
const of = addSupplierPause;
const refreshes = [querySupplierDetail];
const columns = columnsOf<SupplierPauseRow>(querySupplierDetail.output.shape.pauses.def.element, [
  'fromAt',
  'toAt',
  { key: 'reason', width: 240 },
  'createdBy',
  'state',
]);

/** Times in which a supplier takes no orders: holidays, stocktaking, changes of its systems. */
export function SupplierPauses({ detail, onChanged }: Props) {
  const [adding, setAdding] = useState(false);
  const remove = useCommand(delSupplierPause, { success: '删除成功!', refreshes });
  const { id } = detail.supplier;
  return (
    <>
      <Can permission={may['supplier.edit']}>
        <Button onClick={() => setAdding(true)}>新增停接时段</Button>
      </Can>
      <DataTable
        rows={detail.pauses}
        columns={columns}
        rowKey="id"
        empty="没有停接时段"
        actions={[
          {
            label: '删除',
            permission: may['supplier.edit'],
            danger: true,
            when: ({ state }) => state !== 'OVER',
            act: async (row) => {
              if (!(await confirmDelete(`停接时段“${row.reason}”`))) return;
              if (await remove.run({ id: row.id, version: row.version })) onChanged();
            },
          },
        ]}
      />
      {adding && (
        <FormDialog<typeof of, Values>
          open
          title="新增停接时段"
          call={of}
          toInput={(values) => ({ supplierId: id, ...values })}
          refreshes={refreshes}
          success="新增成功!"
          onDone={onChanged}
          onClose={() => setAdding(false)}
        >
          <Field of={of} name="fromAt">
            <InstantInput />
          </Field>
          <Field of={of} name="toAt">
            <InstantInput />
          </Field>
          <Field of={of} name="reason" />
        </FormDialog>
      )}
    </>
  );
}
