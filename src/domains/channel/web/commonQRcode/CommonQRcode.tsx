import { Button } from 'antd';
import { lazy, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportExcel, queryCodeHostList, queryScanList, saveCodeHost } from '../../contract/calls/codes.ts';
import { conversionKinds } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { refFilter } from '../shared/refFilter.tsx';

const Codes = lazy(async () => ({ default: (await import('./Codes.tsx')).Codes }));
const Batches = lazy(async () => ({ default: (await import('./Batches.tsx')).Batches }));

const scanList = resource(queryScanList, {
  routeKey: 'commonQRcode.scans',
  empty: '没有符合条件的扫码记录',
  filters: ['token', refFilter('channelId', 'CHANNEL'), { kind: 'instants', names: ['from', 'to'], label: '时间' }, 'result', 'client'],
  columns: [
    { key: 'at', required: true },
    { key: 'token', width: 120 },
    { key: 'codeName', width: 180 },
    { key: 'channelName', width: 170 },
    { key: 'visitor', width: 110 },
    { key: 'client', plain: true, width: 90 },
    { key: 'os', width: 90 },
    { key: 'isNew', width: 80 },
    { key: 'counted', width: 90 },
    'result',
    { key: 'conversions', width: 160, value: (row) => row.conversions.map((kind) => conversionKinds.label(kind)).join('、') },
  ],
});

const Scans = () => (
  <ResourceList of={scanList} toolbar={(view) => <ExportButton call={exportExcel} view={view} permission={rights['code.export']} />} />
);

type HostRow = OutputOf<typeof queryCodeHostList>;
const hostList = resource(queryCodeHostList, {
  routeKey: 'commonQRcode.hosts',
  empty: '还没有允许的域名',
  filters: ['host'],
  columns: [
    { key: 'host', width: 260, required: true },
    { key: 'note', width: 240 },
    { key: 'codes', width: 110 },
    { key: 'enabled', width: 80 },
  ],
});

function Hosts() {
  const [edited, setEdited] = useState<HostRow | 'new' | null>(null);
  const row = edited === 'new' ? null : edited;
  return (
    <>
      <ResourceList
        of={hostList}
        actions={[{ label: '编辑', permission: rights['code.host'], act: setEdited }]}
        actionWidth={90}
        toolbar={
          <Can permission={rights['code.host']}>
            <Button type="primary" onClick={() => setEdited('new')}>
              新增
            </Button>
          </Can>
        }
      />
      {edited && (
        <FormDialog<typeof saveCodeHost, { host: string; note: string; enabled: boolean }>
          open
          title={row ? '编辑域名' : '新增域名'}
          call={saveCodeHost}
          refreshes={[queryCodeHostList]}
          success="保存成功!"
          initial={row ?? { note: '', enabled: true }}
          onClose={() => setEdited(null)}
          toInput={(values) => ({ ...values, ...(row && { id: row.id, version: row.version }) })}
        >
          <Field of={saveCodeHost} name="host" placeholder="h5.example.com" />
          <Field of={saveCodeHost} name="note" />
          <Field of={saveCodeHost} name="enabled" />
        </FormDialog>
      )}
    </>
  );
}

const tabs: readonly PagePart[] = [
  { key: 'codes', label: '二维码', permission: rights['code.view'], content: Codes },
  { key: 'batches', label: '批次', permission: rights['code.view'], content: Batches },
  { key: 'scans', label: '扫码明细', permission: rights['code.view'], content: Scans },
  { key: 'hosts', label: '域名白名单', permission: rights['code.host'], content: Hosts },
];

/** /commonQRcode 通用二维码. */
export default function CommonQRcode() {
  return <PageParts parts={tabs} />;
}
