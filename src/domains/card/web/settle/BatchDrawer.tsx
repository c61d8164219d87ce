import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Drawer, Skeleton } from 'antd';
import { useMemo } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import {
  auditSettlementBatch,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  submitSettlementBatch,
  voidSettlementBatch,
} from '../../contract/calls/settlement.ts';
import { settlementChecks } from '../../contract/useDictionaries.ts';
import { settlementBatchMachine } from '../../contract/useStates.ts';
import { BillList } from './Bills.tsx';
import '../use/use.css';

const refreshes = [querySettlementBatchList, querySettlementBatchDetail, querySettlementBillList];
/** A change above this is worth a look. */
const MUCH_PERCENT = 30;

/** One settlement batch: checks, bills, its story, and how it differs from the one before. */
export function BatchDrawer({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useData(querySettlementBatchDetail, { batchId: id }, { quiet: true });
  const submit = useCommand(submitSettlementBatch, { success: '提交成功!', refreshes });
  const audit = useCommand(auditSettlementBatch, { success: '复核完成!', refreshes });
  const cancel = useCommand(voidSettlementBatch, { success: '已作废', refreshes });
  const fixed = useMemo(() => ({ batchId: id }), [id]);
  const batch = data?.batch;
  const act = async (action: keyof typeof settlementBatchMachine.transitions, opinion: string) => {
    if (!batch) return;
    const base = { batchId: id, version: batch.version };
    if (action === 'submit') await submit.run(base);
    else if (action === 'approve' || action === 'reject') await audit.run({ ...base, decision: action, opinion });
    else if (action === 'void') await cancel.run({ ...base, opinion });
  };
  const barred = batch
    ? (Object.keys(settlementBatchMachine.transitions) as (keyof typeof settlementBatchMachine.transitions)[]).filter(
        (action) => !batch.allowedActions.includes(action),
      )
    : [];
  return (
    <Drawer
      open
      title={batch ? `结算批次 ${batch.batchNo}` : '结算批次'}
      size="min(1180px, 94vw)"
      onClose={onClose}
      footer={
        batch && (
          <div className="kq-detail-actions">
            <StateActions
              machine={settlementBatchMachine}
              state={batch.state}
              facts={factsIn(querySettlementBatchDetail.output.shape.batch, batch, [
                'batchNo',
                'direction',
                'billCount',
                'lineCount',
                'gross',
                'net',
                'maker',
              ])}
              onAction={act}
              without={barred}
            />
          </div>
        )
      }
    >
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !batch || !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <Facts
            facts={factsIn(querySettlementBatchDetail.output.shape.batch, batch, [
              { key: 'state', value: <Dict of={settlementBatchMachine.dictionary} code={batch.state} /> },
              'direction',
              'kind',
              'bizLine',
              { label: '期间', value: `${batch.periodFrom} 至 ${batch.periodTo}` },
              'cutoffAt',
              'gross',
              'reversal',
              'fee',
              'net',
              'confirmed',
              'settled',
              'maker',
              'auditor',
            ])}
          />
          {data.checks.length > 0 && (
            <Section title="结算检查">
              <ul className="card-rules">
                {data.checks.map((one) => (
                  <li key={one.check} className={one.ok ? undefined : 'kq-danger'}>
                    {one.ok ? <CheckCircleFilled aria-label="通过" className="card-ok" /> : <CloseCircleFilled aria-label="不通过" />}
                    <span>{settlementChecks.label(one.check)}</span>
                    <span>{one.message}</span>
                    {one.numbers.length > 0 && <span>{one.numbers.slice(0, 10).join('、')}</span>}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <Section title="结算单">
            <BillList fixed={fixed} routeKey="storedCardBatchManage.batchBills" />
          </Section>
          <Section title="与上期比较">
            <table className="card-table">
              <thead>
                <tr>
                  <th>结算对象</th>
                  <th>产品</th>
                  <th className="card-right">上期（元）</th>
                  <th className="card-right">本期（元）</th>
                  <th className="card-right">变化</th>
                </tr>
              </thead>
              <tbody>
                {data.compared.map((one) => (
                  <tr key={`${one.counterpartyName}:${one.productCode ?? ''}`}>
                    <td>{one.counterpartyName}</td>
                    <td>{one.productCode ?? '—'}</td>
                    <td className="card-right">{one.before === null ? '—' : yuan(one.before, true)}</td>
                    <td className="card-right">{yuan(one.now, true)}</td>
                    <td className={`card-right ${Math.abs(one.changePercent ?? 0) > MUCH_PERCENT ? 'kq-danger' : ''}`}>
                      {one.changePercent === null ? '首次' : `${one.changePercent > 0 ? '+' : ''}${one.changePercent}%`}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Section>
          <Section title="操作轨迹">
            <ul className="card-rules">
              {data.timeline.map((one) => (
                <li key={one.id}>
                  <Time at={one.at} />
                  <b>{one.label}</b>
                  <span>{one.displayName}</span>
                  <span>{one.opinion}</span>
                </li>
              ))}
            </ul>
          </Section>
        </>
      )}
    </Drawer>
  );
}
