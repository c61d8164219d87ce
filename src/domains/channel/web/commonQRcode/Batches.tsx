import { Button, Modal } from 'antd';
import { Suspense, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toastError } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  cancelQrBatch,
  downloadQrBatch,
  exportQrBatchList,
  queryQrBatchList,
  retryQrBatch,
  voidQrBatch,
  type BatchRow,
} from '../../contract/calls/codes.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { batchStates } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { refFilter } from '../shared/refFilter.tsx';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { BatchWizard } from './lazyDialogs.ts';
import { Bar } from '../shared/Bar.tsx';

const FOLLOW_MS = 2_000;

const batchList = resource(queryQrBatchList, {
  routeKey: 'commonQRcode.batches',
  empty: '还没有批次，请点击“批量生成”',
  filters: ['batchNo', 'name', refFilter('channelId', 'CHANNEL'), 'state'],
  columns: [
    { key: 'batchNo', width: 170, required: true },
    { key: 'name', width: 180, required: true },
    { key: 'mode', plain: true, width: 90 },
    { key: 'channelName', width: 170 },
    {
      key: 'progress',
      title: '进度',
      kind: 'custom',
      width: 220,
      render: (row) => (
        <Bar
          percent={(row.done / row.quantity) * 100}
          text={`${row.done}/${row.quantity}`}
          tone={row.state === 'FAILED' ? 'error' : 'normal'}
        />
      ),
    },
    { key: 'failed', width: 70 },
    { key: 'scanned', width: 80 },
    'zipExpireAt',
    { key: 'createdName', width: 110 },
    'createdAt',
    'state',
  ],
});

/** Tab 批次: progress goes on by itself, also after leaving and coming back. */
export function Batches() {
  const { path, search } = usePage();
  const newFor = typeof search['newFor'] === 'string' ? search['newFor'] : null;
  const [making, setMaking] = useState(newFor !== null);
  const [faults, setFaults] = useState<BatchRow | null>(null);
  const refreshes = [queryQrBatchList];
  const retry = useCommand(retryQrBatch, { success: '已重新开始', refreshes });
  const cancel = useCommand(cancelQrBatch, { success: '已取消', refreshes });
  const voiding = useCommand(voidQrBatch, { success: '已作废', refreshes });
  const file = useSaveFile(downloadQrBatch, { success: '已下载' });
  const can = (action: keyof typeof batchStates.transitions) => (row: BatchRow) => batchStates.canStart(action, row.state);
  const voidAll = async (row: BatchRow) => {
    const content =
      row.scanned > 0
        ? `本批次已有${row.scanned}个码被扫过，确认作废？作废后所有码立即失效且不能恢复。`
        : '作废后本批次所有码立即失效且不能恢复。';
    const facts = factsIn(queryQrBatchList.output, row, ['batchNo', 'name', 'channelName', 'quantity', 'done', 'scanned']);
    const opinion = await confirmWithOpinion({ title: '整批作废', content, facts, danger: true });
    if (opinion === null) return;
    if (row.scanned > 0) {
      const typed = await confirmWithOpinion({
        title: '再次确认',
        content: `请输入已被扫过的码数（${row.scanned}）`,
        facts,
        label: '码数',
        danger: true,
      });
      if (typed === null) return;
      if (typed.trim() !== String(row.scanned)) return toastError('码数不一致，未作废');
    }
    await voiding.run({ id: row.id, version: row.version, opinion, ...(row.scanned > 0 && { confirmScanned: row.scanned }) });
  };
  const actions: readonly RowAction<BatchRow>[] = [
    { label: '下载', when: (row) => row.state === 'READY' || row.state === 'PARTIAL', act: (row) => void file.save({ id: row.id }) },
    { label: '查看二维码', act: (row) => goTo('/commonQRcode', { batchNo: row.batchNo }) },
    { label: '失败明细', when: (row) => row.failed > 0 || row.failReason !== null, act: setFaults },
    {
      label: '重试',
      permission: rights['code.batch'],
      when: can('retry'),
      act: (row) => void retry.run({ id: row.id, version: row.version }),
    },
    {
      label: '取消',
      permission: rights['code.batch'],
      when: can('cancel'),
      danger: true,
      act: async (row) => {
        if (
          (await askTransition(
            batchStates,
            'cancel',
            `“${row.name}”`,
            factsIn(queryQrBatchList.output, row, ['batchNo', 'channelName', 'quantity', 'done']),
          )) !== null
        )
          await cancel.run({ id: row.id });
      },
    },
    { label: '整批作废', permission: rights['code.void'], when: can('void'), danger: true, act: voidAll },
  ];
  const close = () => {
    setMaking(false);
    if (newFor) goTo(path, { ...search, newFor: undefined }, { replace: true });
  };
  return (
    <>
      <ResourceList
        of={batchList}
        actions={actions}
        every={FOLLOW_MS}
        toolbar={(view) => (
          <>
            <Can permission={rights['code.batch']}>
              <Button type="primary" onClick={() => setMaking(true)}>
                批量生成
              </Button>
            </Can>
            <ExportButton call={exportQrBatchList} view={view} permission={rights['code.export']} />
          </>
        )}
      />
      <Suspense fallback={null}>{making && <BatchWizard channelId={newFor} onClose={close} />}</Suspense>
      {faults && (
        <Modal open title={`失败明细：${faults.name}`} footer={null} onCancel={() => setFaults(null)}>
          {faults.failReason && <p>{faults.failReason}</p>}
          <ul className="kq-outcomes">
            {faults.failures.map((fault) => (
              <li key={fault.seq} className="kq-failed">
                <span>第{fault.seq}个</span>
                <span>{fault.message}</span>
              </li>
            ))}
          </ul>
        </Modal>
      )}
    </>
  );
}
