import { Tabs } from 'antd';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartLine } from '#kernel/web/kit/PartLine.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { queryHospitalAuditList, withdrawHospitalApply, type ApplyRow, exportHospitalAuditList } from '../../contract/applyCalls.ts';
import { applicantTypes } from '../../contract/dictionaries.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { waited } from './waited.ts';

// Fetched when a case is opened.
const ApplyDrawer = lazy(async () => ({ default: (await import('./ApplyDrawer.tsx')).ApplyDrawer }));

const applications = resource(queryHospitalAuditList, {
  routeKey: 'hospitalManagementAudit',
  empty: '没有医院申请',
  columns: [
    { key: 'applyNo', width: 170, required: true },
    { key: 'applyType', plain: true, width: 90 },
    { key: 'name', width: 240 },
    'level',
    'region',
    { key: 'applicantName', value: (row) => `${row.applicantName}（${applicantTypes.label(row.applicantType)}）` },
    {
      key: 'topScore',
      width: 90,
      align: 'right',
      render: (row) => <span className={row.topScore >= 80 ? 'kq-number kq-danger' : 'kq-number'}>{row.topScore || '—'}</span>,
    },
    'createdAt',
    { key: 'waiting', title: '等待时长', width: 110, value: (row) => waited(row.createdAt, row.auditedAt) },
    'state',
    { key: 'handler', width: 100 },
  ],
  filters: [
    'applyNo',
    'name',
    'applyType',
    'applicant',
    'applicantType',
    { kind: 'region', name: 'adcode' },
    'state',
    { kind: 'instants', names: ['createdFrom', 'createdTo'], label: '申请时间' },
  ],
});
/** Tells the drawer which cases the list shows; while one is decided, the order stays. */
function Queue({ rows, onQueue }: { rows: readonly ApplyRow[]; onQueue(ids: readonly string[]): void }) {
  const ids = rows.map(({ id }) => id).join();
  useEffect(() => onQueue(ids === '' ? [] : ids.split(',')), [ids, onQueue]);
  return null;
}

const address = { tab: param.oneOf(['WAITING', 'MINE', 'DONE']), applyId: param.optional() };

/** /hospitalManagementAudit: where requests from outside become data. */
export default function HospitalAudit() {
  const [{ tab, applyId }, setAddress] = useAddress(address);
  const [queue, setQueue] = useState<readonly string[]>([]);
  // The queue is that of the moment in which the drawer opened.
  const working = useRef(false);
  working.current = applyId !== undefined;
  const follow = useCallback((ids: readonly string[]) => setQueue((known) => (working.current && known.length > 0 ? known : ids)), []);
  const fixed = useMemo(() => ({ tab }), [tab]);
  const judges = useMay()(may['apply.audit']);
  const withdraw = useCommand(withdrawHospitalApply, { refreshes: [queryHospitalAuditList], success: 'message' });
  return (
    <div className="kq-parts">
      <PartLine
        tabs={
          <Tabs
            size="small"
            activeKey={tab}
            onChange={(key) => setAddress({ tab: key as typeof tab })}
            items={[
              { key: 'WAITING', label: '待审核' },
              { key: 'MINE', label: '我处理中' },
              { key: 'DONE', label: '已处理' },
            ]}
          />
        }
      >
        <div className="kq-part">
          <ResourceList
            of={applications}
            fixed={fixed}
            every={60_000}
            toolbar={(view) => (
              <>
                <Queue rows={view.rows} onQueue={follow} />
                <ExportButton call={exportHospitalAuditList} view={view} permission={may['apply.export']} />
              </>
            )}
            actions={[
              {
                label: tab === 'DONE' ? '详情' : judges ? '审核' : '查看',
                act: (row) => {
                  setAddress({ applyId: row.id });
                },
              },
              {
                label: '撤回',
                permission: may['apply.enter'],
                when: (row) => row.mine && row.state === 'PENDING',
                danger: true,
                act: async (row) => {
                  if (
                    await ask({
                      content: `确定要撤回“${row.name}”的申请吗?`,
                      facts: factsIn(queryHospitalAuditList.output, row, ['applyNo', 'applyType', 'region', 'createdAt']),
                    })
                  )
                    await withdraw.run({ applyId: row.id, version: row.version });
                },
              },
            ]}
            onRowClick={(row) => setAddress({ applyId: row.id })}
          />
        </div>
      </PartLine>
      <Suspense fallback={null}>
        {applyId && <ApplyDrawer applyId={applyId} queue={queue} onGo={(id) => setAddress({ applyId: id })} />}
      </Suspense>
    </div>
  );
}
