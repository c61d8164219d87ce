import { Button, Drawer, Select, Space } from 'antd';
import { useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { aliasKinds } from '../../contract/dictionaries.ts';
import {
  addHospitalAlias,
  delHospitalAlias,
  queryHospitalDetail,
  queryHospitalList,
  type HospitalRow,
} from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const kinds = (['FORMER', 'SHORT', 'CAMPUS'] as const).map((value) => ({ value, label: aliasKinds.label(value) }));

/** 别名: other names that find the hospital. */
export function AliasDrawer({ hospital, onClose }: { hospital: HospitalRow; onClose(): void }) {
  const { data, error, fetching, refetch } = useData(queryHospitalDetail, { hospitalId: hospital.id }, { quiet: true });
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'FORMER' | 'SHORT' | 'CAMPUS'>('FORMER');
  const refreshes = [queryHospitalDetail, queryHospitalList];
  const add = useCommand(addHospitalAlias, { refreshes, success: 'message', blockMs: 300, onSuccess: () => setName('') });
  const remove = useCommand(delHospitalAlias, { refreshes, success: '删除成功!' });
  return (
    <Drawer open size={640} title={`别名：${hospital.name}`} onClose={onClose} destroyOnHidden>
      <Space.Compact className="kq-wide">
        <Select value={kind} options={kinds} onChange={setKind} style={{ width: 110 }} />
        <TextInput
          value={name}
          most={100}
          placeholder="请输入别名"
          onChange={(event) => setName(event.target.value)}
          onPressEnter={() => name.trim() && void add.run({ hospitalId: hospital.id, name, kind })}
        />
        <Button type="primary" disabled={!name.trim() || add.busy} onClick={() => void add.run({ hospitalId: hospital.id, name, kind })}>
          新增
        </Button>
      </Space.Compact>
      <DataTable
        height={420}
        rows={data?.aliases}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="还没有别名"
        columns={[
          { key: 'name', title: '别名', width: 260 },
          { key: 'kind', title: '类型', kind: 'dict', dictionary: aliasKinds, plain: true },
          { key: 'externalId', title: '外部编号', width: 120 },
        ]}
        actions={[
          {
            label: '删除',
            permission: may['hospital.edit'],
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`“${hospital.name}”的别名“${row.name}”`))
                await remove.run({ hospitalId: hospital.id, aliasId: row.id });
            },
          },
        ]}
      />
    </Drawer>
  );
}
