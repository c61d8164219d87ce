import { Button } from 'antd';
import { lazy } from 'react';
import { confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { send } from '../../../../kernel/web/http/client.ts';
import { refresh, useCommand } from '../../../../kernel/web/http/queries.ts';
import { Can } from '../../../../kernel/web/kit/Can.tsx';
import type { RowAction } from '../../../../kernel/web/kit/columns.ts';
import { TimeLeft } from '../../../../kernel/web/kit/TimeLeft.tsx';
import { useLayers } from '../../../../kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { exportOrderCardList, queryOrderCardList, releaseHold, type HoldRow } from '../../contract/calls/use.ts';
import { queryWriteOffList } from '../../contract/calls/writeOffs.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { holdBizTypes } from '../../contract/useDictionaries.ts';
import { holdMachine } from '../../contract/useStates.ts';

const ManualWriteOff = lazy(async () => ({ default: (await import('./ManualWriteOff.tsx')).ManualWriteOff }));
const CaptureDialog = lazy(async () => ({ default: (await import('./CaptureDialog.tsx')).CaptureDialog }));

const refreshes = [queryOrderCardList, queryWriteOffList];

const holds = resource(queryOrderCardList, {
  routeKey: 'cardGrantCancel',
  empty: '没有符合条件的预占，可点「人工核销」扫卡核销',
  filters: [
    { kind: 'text', name: 'orderNo', label: '订单号', maxLength: 40 },
    { kind: 'text', name: 'cardNo', label: '卡号', maxLength: 24 },
    { kind: 'text', name: 'holderKeyword', label: '持卡人', maxLength: 40 },
    { kind: 'dict', name: 'holdState', label: '状态', dictionary: holdMachine.dictionary, several: true },
    { kind: 'dict', name: 'bizType', label: '来源', dictionary: holdBizTypes },
    { kind: 'days', names: ['dateFrom', 'dateTo'], label: '预占时间' },
    { kind: 'flag', name: 'nearTimeout', label: '仅看即将超时' },
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
