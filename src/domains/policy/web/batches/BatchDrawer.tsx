import { Alert, Button, Drawer, Progress, Tabs } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { showInstant } from '#kernel/contract/time.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { refresh, useData } from '#kernel/web/http/queries.ts';
import { RowActions } from '#kernel/web/kit/RowActions.tsx';
import { StepBar } from '#kernel/web/kit/StepBar.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { batchMachine } from '../../contract/batchDictionaries.ts';
import { queryInsuredBatchDetail, queryInsuredBatchRowList, type BatchDetail } from '../../contract/calls/batches.ts';
import { BatchChecks } from './BatchChecks.tsx';
import { BatchRows } from './BatchRows.tsx';
import { ImpactPart } from './ImpactPart.tsx';
import { saveResult } from './saveResult.ts';
import { BATCH_STEPS, stepOf } from './steps.ts';
import { UndoPart } from './UndoPart.tsx';
import { useBatchActions } from './useBatchActions.ts';

const RUNNING: ReadonlySet<string> = new Set(['PARSING', 'APPLYING', 'UNDOING']);
const EVERY_MS = 2_000;

interface Props {
  batchId: string;
  onClose(): void;
  onShow(batch: { id: string }): void;
}

/** A list, at the step where it stands: its errors, what it would do, and how it is taken back. */
export function BatchDrawer({ batchId, onClose, onShow }: Props) {
  const [every, setEvery] = useState<number | false>(false);
  const query = useData(queryInsuredBatchDetail, { batchId }, { quiet: true, every });
  const { data } = query;
  const runs = data !== undefined && (RUNNING.has(data.state) || !data.listsFresh);
  const actions = useBatchActions((id) => onShow({ id }));
  const ran = useRef(false);
  useEffect(() => {
    setEvery(runs ? EVERY_MS : false);
    // What ran is done: its rows are others now.
    if (ran.current && !runs) void refresh(queryInsuredBatchRowList);
    ran.current = runs;
  }, [runs]);
  return (
    <Drawer
      open
      size="100%"
      title={data ? `清单批次 ${data.batchNo}` : '清单批次'}
      onClose={onClose}
      destroyOnHidden
      extra={data && <RowActions row={data} actions={actions} />}
    >
      {query.error ? (
        <TableFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : !data ? (
        <Waiting for={query} />
      ) : (
        <PartOfPage>
          <StepBar steps={BATCH_STEPS} current={stepOf(data.state)} failed={data.state === 'HAS_ERROR' || data.state === 'APPLY_FAILED'} />
          <Running batch={data} />
          <BatchFacts batch={data} />
          <Tabs
            size="small"
            destroyOnHidden
            // the step where the list stands
            defaultActiveKey={data.state === 'PREVIEW' || data.state === 'PENDING_AUDIT' ? 'impact' : 'rows'}
            key={data.state}
            items={[
              {
                key: 'rows',
                label: '清单明细',
                children: (
                  <>
                    <BatchChecks batch={data} />
                    <BatchRows batch={data} />
                  </>
                ),
              },
              ...(data.state === 'PREVIEW' || data.state === 'PENDING_AUDIT'
                ? [{ key: 'impact', label: '影响分析与提交', children: <ImpactPart batch={data} /> }]
                : []),
              ...(data.state === 'APPLIED' ? [{ key: 'undo', label: '撤销', children: <UndoPart batch={data} onShow={onShow} /> }] : []),
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={batchMachine} /> },
            ]}
          />
        </PartOfPage>
      )}
    </Drawer>
  );
}

/** What runs in the background, and what it left behind. */
function Running({ batch }: { batch: BatchDetail }) {
  const before = useRef<{ rows: number; at: number } | null>(null);
  const speed = useRef(0);
  if (batch.state === 'PARSING' && before.current?.rows !== batch.parsedRows) {
    const now = Date.now();
    if (before.current)
      speed.current = Math.round(((batch.parsedRows - before.current.rows) * 1_000) / Math.max(1, now - before.current.at));
    before.current = { rows: batch.parsedRows, at: now };
  }
  if (batch.state === 'PARSING')
    return (
      <Alert type="info" showIcon title={`校验中：已校验${batch.parsedRows}行${speed.current > 0 ? `，约${speed.current}行/秒` : ''}`} />
    );
  if (batch.state === 'APPLYING')
    return (
      <Progress percent={Math.floor((batch.appliedRows * 100) / Math.max(1, batch.changingRows))} format={(done) => `生效中 ${done}%`} />
    );
  if (batch.state === 'UNDOING') return <Alert type="info" showIcon title="整批撤销中" />;
  if (batch.failure !== null) return <Alert type="error" showIcon title={batch.failure} />;
  if (!batch.listsFresh)
    return <Alert type="info" showIcon title={batch.state === 'UNDONE' ? '批次已撤销，列表刷新中' : '批次已生效，列表刷新中'} />;
  return null;
}

function BatchFacts({ batch }: { batch: BatchDetail }) {
  const policies = batch.policies.map(({ policyNo }) => policyNo);
  return (
    <Facts
      columns={3}
      facts={factsIn(queryInsuredBatchDetail.output, batch, [
        { key: 'state', value: <Dict of={batchMachine.dictionary} code={batch.state} /> },
        'insurerName',
        { label: '保单', value: policies.slice(0, 3).join('、') + (policies.length > 3 ? ` 等${policies.length}张` : '') || '—' },
        'mode',
        'templateName',
        'defaultEffectiveOn',
        {
          label: '文件',
          value: (
            <>
              {batch.fileName}{' '}
              {batch.totalRows > 0 && (
                <Button type="link" size="small" onClick={() => void saveResult(batch.id, 'ALL')}>
                  下载校验结果
                </Button>
              )}
            </>
          ),
        },
        {
          label: '行数',
          value: `总${batch.totalRows}，新增${batch.addRows}，变更${batch.modifyRows}，减员${batch.removeRows}，无变化${batch.sameRows}，错误${batch.errorRows}，已剔除${batch.excludedRows}`,
          wide: true,
        },
        { key: 'premiumDeltaFen', value: `${yuan(batch.premiumDeltaFen, true)}元` },
        { label: '经办/审核', value: [batch.maker, batch.checker].filter((one) => one !== null).join(' / ') },
        { key: 'appliedAt', value: batch.appliedAt === null ? '—' : showInstant(batch.appliedAt) },
        ...(batch.renewsPolicyNo === null ? [] : [{ label: '续保自保单', value: batch.renewsPolicyNo }]),
        ...(batch.reverseOfBatchNo === null ? [] : [{ label: '冲正批次', value: batch.reverseOfBatchNo }]),
        ...(batch.undoneAt === null
          ? []
          : [{ label: '撤销', value: `${showInstant(batch.undoneAt)} ${batch.undoReason ?? ''}`, wide: true }]),
      ])}
    />
  );
}
