import { Alert, Button } from 'antd';
import { yuan } from '#kernel/contract/money.ts';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { Money } from '#kernel/web/kit/values.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { auditInsuredBatch, queryInsuredBatchImpact, type BatchDetail, type BatchImpact } from '../../contract/calls/batches.ts';
import { batchReads } from './useBatchActions.ts';
import '../shared/policy.css';
import './batches.css';

type Used = BatchImpact['contracts'][number];
const usedColumns: readonly Column<Used>[] = [
  { key: 'refNo', title: '单号', width: 170 },
  { key: 'name', title: '被保人', width: 110 },
  { key: 'rowNo', title: '行号', width: 80 },
  { key: 'day', title: '日期', kind: 'day' },
  { key: 'reason', title: '影响', width: 260 },
];
type Plan = BatchImpact['premium'][number];
const planColumns: readonly Column<Plan>[] = [
  { key: 'planCode', title: '计划', width: 120 },
  { key: 'collectFen', title: '补收', kind: 'money' },
  { key: 'refundFen', title: '退费', kind: 'money' },
];

function UsedList({ title, uses }: { title: string; uses: readonly Used[] }) {
  return uses.length === 0 ? null : (
    <Section title={`${title}（${uses.length}）`}>
      <DataTable columns={usedColumns} rows={uses} rowKey="refNo" height="auto" />
    </Section>
  );
}

const Card = ({ label, value }: { label: string; value: string | number }) => (
  <div>
    <span className="kq-muted">{label}</span>
    <b>{value}</b>
  </div>
);

/** What a list would do to cover, money, contracts and claims; it is handed in with exactly this. */
export function ImpactPart({ batch }: { batch: BatchDetail }) {
  const query = useData(queryInsuredBatchImpact, { batchId: batch.id }, { quiet: true });
  const submit = useCommand(auditInsuredBatch, { success: '提交成功!', refreshes: batchReads });
  const { data } = query;
  if (query.error) return <TableFailure error={query.error} onRetry={() => void query.refetch()} />;
  if (!data) return <Waiting for={query} />;
  const { impact, impactHash } = data;
  const { rows } = impact;
  const changing = rows.add + rows.modify + rows.remove;
  const facts = [
    { label: '批次号', value: batch.batchNo },
    { label: '新增', value: `${rows.add}人` },
    { label: '变更', value: `${rows.modify}人` },
    { label: '减员', value: `${rows.remove}人` },
    { label: '保费变化', value: <Money fen={impact.premiumDeltaFen} unit /> },
  ];
  const handIn = async () => {
    const who = impact.auditReasons.length === 0 ? '提交后立即生效。' : `提交后由他人审核：${impact.auditReasons.join('；')}。`;
    const opinion = await confirmWithOpinion({
      title: '提交生效',
      content: who,
      facts,
      label: '说明',
      opinion: impact.backdatedRows > 0 ? 'required' : 'optional',
    });
    if (opinion === null) return;
    let confirmRepeat = false;
    if (impact.sameFileBatchNo !== null) {
      const content = `该文件已在批次${impact.sameFileBatchNo}中生效，仅剩${changing}处差异将生效，请确认`;
      if (!(await ask({ title: '重复文件', content, facts }))) return;
      confirmRepeat = true;
    }
    await submit.run({ batchId: batch.id, version: batch.version, action: 'submit', impactHash, opinion, confirmRepeat });
  };
  return (
    <>
      {impact.stale && <Alert type="warning" showIcon title="校验后该保单有新的批单，请重新校验清单" />}
      {impact.blocking.length > 0 && <Alert type="error" showIcon title="有被保人在减员日之后已获赔付，请重新校验清单" />}
      {impact.auditReasons.length > 0 && <Alert type="info" showIcon title={`需要他人审核：${impact.auditReasons.join('；')}`} />}
      <div className="pol-cards">
        <Card label="新增" value={rows.add} />
        <Card label="变更" value={rows.modify} />
        <Card label="减员" value={rows.remove} />
        <Card label="无变化" value={rows.same} />
        <Card label="已剔除" value={rows.excluded} />
        <Card label="追溯生效" value={impact.backdatedRows === 0 ? '无' : `${impact.backdatedRows}行，最早${impact.earliestDay ?? '—'}`} />
        <Card label="保费变化" value={`${yuan(impact.premiumDeltaFen, true)}元`} />
      </div>
      {impact.premium.length > 0 && (
        <Section title="保费影响">
          <DataTable columns={planColumns} rows={impact.premium} rowKey="planCode" height="auto" />
        </Section>
      )}
      <UsedList title="阻断项" uses={impact.blocking} />
      <UsedList title="受影响的签约" uses={impact.contracts} />
      <UsedList title="受影响的在途理赔" uses={impact.openClaims} />
      {batch.state === 'PREVIEW' && batch.allowedActions.includes('submit') && (
        <div className="pol-actions">
          <Button
            type="primary"
            loading={submit.flying}
            disabled={changing === 0 || impact.stale || impact.blocking.length > 0 || impact.warnRows > 0}
            onClick={() => void handIn()}
          >
            提交生效
          </Button>
          {changing === 0 && <span className="kq-muted">没有可生效的变化</span>}
          {impact.warnRows > 0 && <span className="kq-muted">还有{impact.warnRows}条提示未确认，请在“清单明细”中确认</span>}
        </div>
      )}
    </>
  );
}
