import { Drawer } from 'antd';
import { send } from '#kernel/web/http/client.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { NOTHING } from '#kernel/web/kit/values.tsx';
import { revealInsurerMobile, type InsurerRow } from '../../contract/insurers/calls.ts';
import { contactRoles } from '../../contract/insurers/dictionaries.ts';
import { insurerPermissions as may } from '../../contract/permissions.ts';

/** Whom to call at an insurer; numbers are masked until somebody asks for one. */
export function Contacts({ row, onClose }: { row: InsurerRow; onClose(): void }) {
  return (
    <Drawer open size={640} title={`联系人 ${row.insurerName}`} onClose={onClose} destroyOnHidden>
      <DataTable
        rows={row.contacts.map((contact, index) => ({ id: String(index), ...contact }))}
        height="auto"
        empty="该保司暂无联系人，可在编辑中添加"
        columns={[
          { key: 'name', title: '姓名', width: 140 },
          { key: 'role', title: '职责', kind: 'dict', dictionary: contactRoles, plain: true },
          {
            key: 'mobile',
            title: '手机号',
            kind: 'masked',
            width: 180,
            masked: {
              permission: may['insurer.edit'],
              withReason: true,
              reveal: async ({ id }, reason) =>
                (await send(revealInsurerMobile, { id: row.id, index: Number(id), reason })).value ?? NOTHING,
            },
          },
        ]}
      />
    </Drawer>
  );
}
