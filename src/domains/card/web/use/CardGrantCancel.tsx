import { Button } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { refresh, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { TimeLeft } from '#kernel/web/kit/TimeLeft.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { exportOrderCardList, queryOrderCardList, releaseHold, type HoldRow } from '../../contract/calls/use.ts';
import { queryWriteOffList } from '../../contract/calls/writeOffs.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';

const ManualWriteOff = lazy(async () => ({ default: (await import('./ManualWriteOff.tsx')).ManualWriteOff }));
const CaptureDialog = lazy(async () => ({ default: (await import('./CaptureDialog.tsx')).CaptureDialog }));

const refreshes = [queryOrderCardList, queryWriteOffList];

const holds = resource(queryOrderCardList, {
  routeKey: 'cardGrantCancel',
  empty: '没有符合条件的预占，可点「人工核销」扫卡核销',
  filters: [
    'orderNo',
    'cardNo',
    'holderKeyword',
    'holdState',
    'bizType',
    { kind: 'days', names: ['dateFrom', 'dateTo'], label: '预占时间' },
    'nearTimeout',
  ],
  columns: [
    { key: 'orderNo', required: true },
    'cardNo',
    'cardTypeName',
    { key: 'holderName' },
    'drugstoreName',
    'payable',
    'amount',
    'captured',
    'times',
    {
      key: 'left',
      title: '剩余时间',
      kind: 'custom',
      width: 120,
      render: (row) => (row.state === 'HELD' ? <TimeLeft at={row.expireAt} /> : '—'),
    },
    'state',
    'operator',
    'createdAt',
    { key: 'bizType', hidden: true },
    { key: 'holdNo', hidden: true },
    { key: 'expireAt', hidden: true },
  ],
});

/** /cardGrantCancel 订单卡核销. */
export default function CardGrantCancel() {
  const layers = useLayers();
  const free = useCommand(releaseHold, { success: '操作成功!', refreshes });
  const actions: readonly RowAction<HoldRow>[] = [
    {
      label: '核销',
      permission: may['writeoff.edit'],
      when: ({ allowedActions }) => allowedActions.includes('capture'),
      act: (row) => layers.open((close) => <CaptureDialog hold={row} onClose={close} />),
    },
    {
      label: '释放',
      permission: may['writeoff.edit'],
      danger: true,
      when: ({ allowedActions }) => allowedActions.includes('release'),
      async act(row) {
        const opinion = await confirmWithOpinion({
          title: '释放预占',
          content: `释放后 ${row.orderNo} 的预占金额退回卡内，订单需重新预占。`,
          facts: factsIn(queryOrderCardList.output, row, ['orderNo', 'cardNo', 'holderName', 'drugstoreName', 'amount']),
          danger: true,
        });
        if (opinion !== null) await free.run({ holdId: row.id, version: row.version, opinion });
      },
    },
    { label: '核销记录', when: ({ state }) => state === 'CAPTURED', act: (row) => goTo('/cardCancel', { orderNo: row.orderNo }) },
  ];
  return (
    <>
      <ResourceList
        of={holds}
        actions={actions}
        every={30_000}
        batch={[
          {
            label: '批量释放',
            permission: may['writeoff.edit'],
            danger: true,
            opinion: 'required',
            when: ({ allowedActions }) => allowedActions.includes('release'),
            nameOf: ({ holdNo }) => holdNo,
            each: (row, opinion) =>
              send(releaseHold, { holdId: row.id, version: row.version, opinion }, { quiet: true, idempotencyKey: crypto.randomUUID() }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={may['writeoff.edit']}>
              <Button
                type="primary"
                onClick={() => layers.open((close) => <ManualWriteOff onClose={close} onDone={() => void refresh(...refreshes)} />)}
              >
                人工核销
              </Button>
            </Can>
            <ExportButton call={exportOrderCardList} view={view} permission={may['card.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
