import { Button, Drawer, Skeleton, Tabs } from 'antd';
import { useMemo } from 'react';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { FileButtons } from '#kernel/web/files/FileButtons.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { exportPerfChangeItemList, queryPerfChangeDetail, queryPerfChangeItemList } from '../../contract/calls/perfChanges.ts';
import { perfChangeMachine } from '../../contract/perfStates.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { changeActions, useChangeActions } from './useChangeActions.ts';

const items = resource(queryPerfChangeItemList, {
  routeKey: 'perfRelatedChange.items',
  empty: '变更单没有明细',
  columns: [
    { key: 'doctorName', required: true },
    { key: 'doctorNo', hidden: true },
    'hospitalName',
    'lineName',
    { key: 'beforeName', vital: true },
    { key: 'afterName', vital: true },
    'incomeCount',
    'grossFen',
    'months',
  ],
});

/** Before and after of each doctor, side by side. */
function Items({ requestId }: { requestId: string }) {
  const fixed = useMemo(() => ({ requestId }), [requestId]);
  return (
    <ResourceList
      of={items}
      fixed={fixed}
      toolbar={(view) => <ExportButton call={exportPerfChangeItemList} view={view} permission={may['perf.export']} />}
    />
  );
}

/** One request: what it is about, whom it moves, its story. */
export function ChangeDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(queryPerfChangeDetail, { id }, { quiet: true });
  const act = useChangeActions();
  const change = data?.change;
  const offered = changeActions.filter((action) => change?.allowedActions.includes(action));
  return (
    <Drawer
      open
      title={change ? `绩效关系变更单 ${change.requestNo}` : '绩效关系变更单'}
      size="min(1080px, 94vw)"
      onClose={onClose}
      footer={
        change &&
        offered.length > 0 && (
          <div className="kq-detail-actions">
            {offered.map((action) => (
              <Button key={action} danger={perfChangeMachine.transitions[action].danger ?? false} onClick={() => void act(change, action)}>
                {perfChangeMachine.transitions[action].label}
              </Button>
            ))}
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data || !change ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={[
              ...factsIn(queryPerfChangeDetail.output.shape.change, change, [
                'changeType',
                'status',
                'effectiveDate',
                'fromName',
                'toName',
                'lineName',
                'doctorCount',
                'incomeCount',
                'grossFen',
                'reasonCode',
                'reason',
                'sourceType',
                'sourceNo',
                'makerName',
                'checkerName',
                'opinion',
              ]),
              {
                label: '附件',
                value:
                  data.fileIds.length === 0 ? (
                    '—'
                  ) : (
                    <FileButtons
                      files={data.fileIds.map((fileId, at) => ({ fileId, fileName: `附件${at + 1}`, detectedType: null, pageCount: null }))}
                      ownerType="settlement.perfChange"
                      ownerId={id}
                    />
                  ),
              },
            ]}
          />
          <Tabs
            items={[
              { key: 'items', label: '变更前后', children: <Items requestId={id} /> },
              { key: 'trail', label: '审核记录', children: <AuditTimeline rows={data.trail} machine={perfChangeMachine} /> },
            ]}
          />
        </>
      )}
    </Drawer>
  );
}
