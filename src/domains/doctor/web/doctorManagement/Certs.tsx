import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { RefusalError } from '#kernel/web/http/refusal.ts';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { certTypes, titles } from '../../contract/dictionaries.ts';
import { exportCertExpireList, queryCertExpireList, remindCert } from '../../contract/calls/certs.ts';
import { doctorPermissions as may } from '../../contract/permissions.ts';
import { hospitalFilter } from '../services/onDemand.tsx';
import { CertDays } from './person.tsx';

const certs = resource(queryCertExpireList, {
  routeKey: 'doctorManagement:certs',
  rowKey: 'certId',
  empty: '没有即将到期的证件',
  filters: [
    {
      kind: 'select',
      name: 'days',
      options: ['0', '1', '7', '30', '60', '90'].map((value) => ({ value, label: value === '0' ? '今天及以前' : `${value}天内` })),
    },
    'expired',
    'certType',
    { name: 'name', placeholder: '姓名或拼音' },
    hospitalFilter,
  ],
  columns: [
    { key: 'name', width: 170, required: true, value: (row) => `${row.name}${row.titleCode ? ` ${titles.label(row.titleCode)}` : ''}` },
    'doctorNo',
    'qualState',
    { key: 'certType', plain: true, width: 120 },
    { key: 'certNo', width: 200 },
    'validTo',
    { key: 'daysLeft', width: 120, render: (row) => <CertDays daysLeft={row.daysLeft} /> },
    {
      key: 'place',
      title: '医院/科室',
      width: 240,
      value: (row) => [row.hospitalName, row.departmentName].filter(Boolean).join(' / '),
    },
    { key: 'state', width: 90 },
    {
      key: 'lastReminded',
      title: '自动提醒',
      width: 110,
      value: (row) => (row.lastReminded === null ? '' : row.lastReminded === 0 ? '到期当天' : `到期前${row.lastReminded}天`),
    },
    'remindedOn',
  ],
});

const address = { doctorId: param.optional(), applyId: param.optional(), edit: param.optional() };

async function remind(certId: string): Promise<void> {
  const [result] = await send(remindCert, { certIds: [certId] }, { quiet: true });
  if (!result?.ok) throw new RefusalError('', result?.message ?? '未发送');
}

/** Tab 证件到期. */
export function Certs() {
  const [, setAddress] = useAddress(address);
  const holds = useMay();
  const judges = holds(may['qual.audit']) || holds(may['qual.recheck']);
  return (
    <ResourceList
      of={certs}
      onRowClick={(row) => setAddress({ doctorId: row.doctorId })}
      toolbar={(view) => <ExportButton call={exportCertExpireList} view={view} permission={may['qual.export']} />}
      actionWidth={150}
      actions={[
        { label: '详情', act: (row) => setAddress({ doctorId: row.doctorId }) },
        {
          label: judges ? '审核' : '查看审核单',
          permission: may['qual.view'],
          when: (row) => row.openApplyId !== null,
          act: (row) => {
            if (row.openApplyId) setAddress({ applyId: row.openApplyId });
          },
        },
        {
          label: '更新证件',
          permission: may['qual.enter'],
          when: (row) => row.openApplyId === null,
          act: (row) => setAddress({ doctorId: row.doctorId, edit: '1' }),
        },
      ]}
      batch={[
        {
          label: '发送到期提醒',
          permission: may['qual.enter'],
          nameOf: (row) => `${row.name} ${certTypes.label(row.certType)}`,
          each: (row) => remind(row.certId),
        },
      ]}
    />
  );
}
