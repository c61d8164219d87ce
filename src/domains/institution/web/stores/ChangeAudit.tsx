import { useMemo } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { TrailDrawer } from '#kernel/web/detail/TrailDrawer.tsx';
import { useCommand, useData, useList } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import type { OutputOf } from '#kernel/contract/call.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';
import { changeMachine } from '../../contract/states.ts';
import {
  auditStoreChange,
  cancelStoreChange,
  queryDrugstoreDetail,
  queryDrugstoreList,
  queryStoreChangeList,
  queryStoreChangeTrail,
  exportStoreChangeList,
} from '../../contract/storeCalls.ts';

type Change = OutputOf<typeof queryStoreChangeList>;
const difference = (row: Change) => row.differences.map((one) => `${one.label}：${one.before || '—'} → ${one.after || '—'}`).join('；');
const changes = resource(queryStoreChangeList, {
  routeKey: 'drugstoreManagement.changes',
  empty: '没有变更',
  filters: ['name', { name: 'state', fallback: () => ['PENDING'] }],
  columns: [
    { key: 'changeNo', width: 170, required: true },
    { key: 'ownerName', width: 220 },
    { key: 'differences', width: 420, value: difference },
    { key: 'reason', width: 160 },
    { key: 'makerName', width: 100 },
    'createdAt',
    { key: 'checkerName', width: 100 },
    'state',
  ],
});

/** Tab 待审核: new stores, and changes of open ones. No `useAuditDesk`: a change shows whole in its row, nothing is read beside it. */
export function ChangeAudit() {
  const refreshes = useMemo(() => [queryStoreChangeList, queryDrugstoreList, queryDrugstoreDetail], []);
  const audit = useCommand(auditStoreChange, { refreshes, success: '修改成功!' });
  const cancel = useCommand(cancelStoreChange, { refreshes, success: 'message' });
  const waiting = useList(queryDrugstoreList, { state: ['PENDING'], pageNo: 1, pageSize: 100 }, { quiet: true });
  const judges = useMay()(may['store.audit']);
  const layers = useLayers();
  const decide = (action: 'approve' | 'reject') => async (row: Change) => {
    const opinion = await confirmWithOpinion({
      title: changeMachine.transitions[action].label,
      content: `确定要${changeMachine.transitions[action].label}“${row.changeNo}”吗?`,
      facts: [
        ...factsIn(queryStoreChangeList.output, row, ['ownerName', 'ownerType', 'reason', 'makerName']),
        { label: '变更内容', value: difference(row) },
      ],
      opinion: action === 'reject' ? 'required' : 'optional',
      danger: action === 'reject',
    });
    if (opinion !== null) await audit.run({ changeId: row.id, version: row.version, action, opinion });
  };
  return (
    <>
      <Section title={`新店审核（${waiting.total}）`}>
        <DataTable
          height={200}
          rows={waiting.rows}
          loading={waiting.fetching}
          error={waiting.error}
          onRetry={() => void waiting.refetch()}
          empty="没有待审核的新店"
          columns={[
            { key: 'storeNo', title: '门店编号', width: 170 },
            { key: 'name', title: '名称', width: 220 },
            { key: 'region', title: '地区', width: 200 },
            { key: 'address', title: '地址', width: 240 },
            { key: 'updatedAt', title: '提交时间', kind: 'time' },
          ]}
          actions={[{ label: judges ? '审核' : '查看', act: (row) => goTo('/drugstoreManagement', { storeId: row.id }) }]}
        />
      </Section>
      <ResourceList
        of={changes}
        toolbar={(view) => <ExportButton call={exportStoreChangeList} view={view} permission={may['store.export']} />}
        actions={[
          { label: '通过', permission: may['store.audit'], when: (row) => row.state === 'PENDING' && !row.mine, act: decide('approve') },
          {
            label: '驳回',
            permission: may['store.audit'],
            when: (row) => row.state === 'PENDING' && !row.mine,
            danger: true,
            act: decide('reject'),
          },
          {
            label: '撤销',
            permission: may['store.edit'],
            when: (row) => row.state === 'PENDING' && row.mine,
            danger: true,
            act: (row) => cancel.run({ changeId: row.id, version: row.version }),
          },
          { label: '操作轨迹', act: (row) => layers.open((close) => <Trail change={row} onClose={close} />) },
        ]}
      />
      {layers.shown}
    </>
  );
}

function Trail({ change, onClose }: { change: Change; onClose(): void }) {
  return (
    <TrailDrawer
      title={`变更轨迹 ${change.changeNo}`}
      of={useData(queryStoreChangeTrail, { changeId: change.id }, { quiet: true })}
      machine={changeMachine}
      onClose={onClose}
    />
  );
}
