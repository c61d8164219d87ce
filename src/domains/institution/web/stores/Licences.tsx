import { Tag } from 'antd';
import { send } from '#kernel/web/http/client.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { licenceTypes } from '../../contract/dictionaries.ts';
import { queryLicenceExpireList, remindLicence, exportLicenceList } from '../../contract/licenceCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';

const licences = resource(queryLicenceExpireList, {
  routeKey: 'drugstoreManagement.licences',
  empty: '没有即将到期的证照',
  filters: [
    {
      kind: 'select',
      name: 'within',
      options: ['0', '7', '15', '30', '60', '90'].map((value) => ({ value, label: value === '0' ? '已过期' : `${value}天内` })),
    },
    'licenceType',
    'ownerType',
    'name',
  ],
  columns: [
    { key: 'ownerName', width: 230, required: true },
    { key: 'ownerNo', width: 170 },
    { key: 'ownerType', plain: true, width: 90 },
    { key: 'licenceType', plain: true, width: 140 },
    { key: 'licenceNo', width: 200 },
    'validTo',
    {
      key: 'daysLeft',
      width: 110,
      render: (row) => (
        <Tag color={row.daysLeft < 0 ? 'error' : 'warning'} variant="filled">
          {row.daysLeft < 0 ? `过期${-row.daysLeft}天` : `${row.daysLeft}天`}
        </Tag>
      ),
    },
    { key: 'lastReminded', width: 110, value: (row) => (row.lastReminded === null ? '' : `到期前${row.lastReminded}天`) },
  ],
});

/** Tab 证照到期. */
export function Licences() {
  return (
    <ResourceList
      of={licences}
      toolbar={(view) => <ExportButton call={exportLicenceList} view={view} permission={may['store.export']} />}
      actionWidth={90}
      actions={[
        {
          label: '查看',
          when: (row) => row.ownerType === 'DRUGSTORE',
          act: (row) => goTo('/drugstoreManagement', { storeId: row.ownerId }),
        },
      ]}
      batch={[
        {
          label: '发送证照提醒',
          permission: may['store.edit'],
          nameOf: (row) => `${row.ownerName} ${licenceTypes.label(row.licenceType)}`,
          each: async (row) => {
            const [result] = await send(remindLicence, { ids: [row.id] }, { quiet: true });
            if (!result?.ok) throw new RefusalError('', result?.message ?? '未发送');
          },
        },
      ]}
    />
  );
}
