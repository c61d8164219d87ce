import { Modal } from 'antd';
import { lazy, useState } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportSyncRunList, querySyncRunList, syncWeChatWork, type SyncRunRow } from '../../contract/calls/wecom.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { Bar } from '../shared/Bar.tsx';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';

const Corps = lazy(async () => ({ default: (await import('./Corps.tsx')).Corps }));
const Members = lazy(async () => ({ default: (await import('./Members.tsx')).Members }));
const LiveCodes = lazy(async () => ({ default: (await import('./LiveCodes.tsx')).LiveCodes }));
const Contacts = lazy(async () => ({ default: (await import('./Contacts.tsx')).Contacts }));

const FOLLOW_MS = 3_000;

const runList = resource(querySyncRunList, {
  routeKey: 'weChatWorkManagement.syncs',
  empty: '还没有同步记录',
  filters: ['kind', 'state'],
  columns: [
    { key: 'startedAt', required: true },
    { key: 'corpName', width: 150 },
    { key: 'kind', plain: true, width: 80 },
    { key: 'trigger', plain: true, width: 80 },
    {
      key: 'progress',
      title: '进度',
      kind: 'custom',
      width: 200,
      render: (row) => (
        <Bar
          percent={row.total === 0 ? (row.endedAt ? 100 : 0) : (row.done / row.total) * 100}
          text={`${row.done}/${row.total}`}
          tone={row.state === 'FAILED' ? 'error' : 'normal'}
        />
      ),
    },
    { key: 'counts', title: '新增/变更/移除', width: 130, value: (row) => `${row.added} / ${row.changed} / ${row.removed}` },
    'state',
    'endedAt',
  ],
});

function SyncRuns() {
  const [shown, setShown] = useState<SyncRunRow | null>(null);
  const again = useCommand(syncWeChatWork, { success: '已开始同步', refreshes: [querySyncRunList] });
  return (
    <>
      <ResourceList
        of={runList}
        every={FOLLOW_MS}
        toolbar={(view) => <ExportButton call={exportSyncRunList} view={view} permission={rights['wecom.view']} />}
        actions={[
          { label: '错误明细', when: (row) => row.errors.length > 0, act: setShown },
          {
            label: '重试',
            permission: rights['wecom.sync'],
            when: (row) => row.state === 'FAILED' || row.state === 'PARTIAL',
            act: (row) => void again.run({ corpRowId: row.corpRowId, kind: row.kind }),
          },
        ]}
        actionWidth={130}
      />
      {shown && (
        <Modal open title="错误明细" footer={null} onCancel={() => setShown(null)}>
          <ul className="kq-outcomes">
            {shown.errors.map((fault, index) => (
              <li key={index} className="kq-failed">
                <span>{fault.ref}</span>
                <span>
                  {fault.errmsg}（{fault.errcode}）
                </span>
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </>
  );
}

const tabs: readonly PagePart[] = [
  { key: 'corps', label: '企业与应用', permission: rights['wecom.view'], content: Corps },
  { key: 'members', label: '成员绑定', permission: rights['wecom.view'], content: Members },
  { key: 'liveCodes', label: '活码', permission: rights['liveCode.view'], content: LiveCodes },
  { key: 'contacts', label: '客户', permission: rights['contact.view'], content: Contacts },
  { key: 'syncs', label: '同步记录', permission: rights['wecom.view'], content: SyncRuns },
];

/** /weChatWorkManagement 企业微信管理. */
export default function WeChatWorkManagement() {
  return <PageParts parts={tabs} />;
}
