import { Button, Progress } from 'antd';
import { lazy, Suspense } from 'react';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { batchMachine } from '../../contract/batchDictionaries.ts';
import { queryInsuredBatchList, type BatchRow } from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { saveResult } from './saveResult.ts';
import { useBatchActions } from './useBatchActions.ts';

const BatchDrawer = lazy(async () => ({ default: (await import('./BatchDrawer.tsx')).BatchDrawer }));
const NewBatch = lazy(async () => ({ default: (await import('./NewBatch.tsx')).NewBatch }));

const address = { batchId: param.optional(), policyId: param.optional() };
/** While something runs, how it goes on. */
const EVERY_MS = 10_000;

/** Of a list that is applied: how many of its rows are written. */
const percentOf = (row: BatchRow): number =>
  Math.floor((row.appliedRows * 100) / Math.max(1, row.addRows + row.modifyRows + row.removeRows));

const batches = resource(queryInsuredBatchList, {
  routeKey: 'inventoryListManagement',
  empty: '没有符合条件的批次，请调整筛选条件或点击“导入清单”',
  filters: ['batchNo', 'policyNo', 'mode', 'state', { kind: 'days', names: ['createdFrom', 'createdTo'], label: '创建日期' }],
  columns: [
    { key: 'batchNo', required: true },
    'insurerName',
    {
      key: 'policyNos',
      render: ({ policyNos, policyCount }) => (policyCount > 3 ? `${policyNos} 等${policyCount}张` : policyNos || '—'),
    },
    { key: 'mode', plain: true },
    'fileName',
    'totalRows',
    'addRows',
    'modifyRows',
    'removeRows',
    'sameRows',
    'errorRows',
    'backdatedRows',
    'premiumDeltaFen',
    {
      key: 'state',
      width: 150,
      render: (row) => (
        <>
          <Dict of={batchMachine.dictionary} code={row.state} />
          {row.state === 'APPLYING' && <Progress percent={percentOf(row)} size="small" />}
          {row.state === 'PARSING' && <span className="kq-muted"> {row.parsedRows}行</span>}
        </>
      ),
    },
    'maker',
    'createdAt',
  ],
});

const goesOn = (row: BatchRow) => ['UPLOADED', 'PARSING', 'HAS_ERROR', 'PREVIEW'].includes(row.state);

/** Tab 批次. */
export function Batches() {
  const layers = useLayers();
  const [{ batchId, policyId }, setAddress] = useAddress(address);
  const show = ({ id }: { id: string }) => setAddress({ batchId: id });
  const batchActions = useBatchActions((id) => setAddress({ batchId: id }));
  const actions: readonly RowAction<BatchRow>[] = [
    { label: '继续处理', permission: may['batch.import'], when: goesOn, act: show },
    { label: '详情', when: (row) => !goesOn(row), act: show },
    { label: '下载错误文件', when: ({ errorRows }) => errorRows > 0, act: ({ id }) => saveResult(id, 'ERROR') },
    ...batchActions,
  ];
  const mayImport = useMay()(may['batch.import']);
  const create = (close: () => void) => <NewBatch policyId={undefined} onClose={close} onMade={(id) => setAddress({ batchId: id })} />;
  return (
    <>
      <ResourceList
        of={batches}
        actions={actions}
        onRowClick={show}
        every={EVERY_MS}
        toolbar={
          <Can permission={may['batch.import']}>
            <Button type="primary" onClick={() => layers.open(create)}>
              导入清单
            </Button>
          </Can>
        }
      />
      {layers.shown}
      <Suspense fallback={null}>
        {/* A list for the policy from whose row one came. */}
        {policyId && mayImport && (
          <NewBatch
            policyId={policyId}
            onClose={() => setAddress({ policyId: undefined })}
            onMade={(id) => setAddress({ policyId: undefined, batchId: id })}
          />
        )}
        {batchId && <BatchDrawer key={batchId} batchId={batchId} onClose={() => setAddress({ batchId: undefined })} onShow={show} />}
      </Suspense>
    </>
  );
}
