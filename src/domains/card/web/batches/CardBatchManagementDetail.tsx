import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Button, Progress, Tabs } from 'antd';
import { lazy, Suspense } from 'react';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { ledgerPanelPlace } from '#kernel/web/kit/ledgerPanelPlace.ts';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { Slot } from '#kernel/web/slots.tsx';
import { useAddress, usePageTitle } from '#kernel/web/tabs/page.tsx';
import { batchDetails, type BatchDetails } from '../../contract/calls/batches.ts';
import { cardPermissions as may } from '../../contract/permissions.ts';
import { batchMachine } from '../../contract/typeDictionaries.ts';
import { termLabels } from '../../contract/terms.ts';
import '../cards/cards.css';
import { useBatchActions } from './useBatchActions.tsx';
import { termWords } from './termWords.ts';

const EditBatch = lazy(async () => ({ default: (await import('./BatchForms.tsx')).EditBatch }));
const CardsOfBatch = lazy(async () => ({ default: (await import('./CardsOfBatch.tsx')).CardsOfBatch }));
const address = { batchId: param.optional() };

/** 制卡→发放→激活→使用→用完. */
function Funnel({ steps }: { steps: BatchDetails['funnel'] }) {
  const most = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <dl className="card-funnel">
      {steps.map(({ label, count }) => (
        <div key={label}>
          <dt>{label}</dt>
          <i style={{ width: `${(count / most) * 100}%` }} />
          <dd>
            {count} 张（{Math.round((count / most) * 100)}%）
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What became of the value: of the stock its face, of what was granted what it is now; the parts are the whole, and say so. */
function ValueBar({ amounts }: { amounts: BatchDetails['amounts'] }) {
  const parts = [
    { label: '未发', fen: amounts.unsold, color: '#c9d1db' },
    { label: '可用', fen: amounts.available, color: '#0b7a72' },
    { label: '预占', fen: amounts.held, color: '#e0a100' },
    { label: '已核销', fen: amounts.spent, color: '#1e4a8a' },
    { label: '过期', fen: amounts.expired, color: '#9a3412' },
    { label: '作废与撤回', fen: amounts.voidedStock + amounts.takenBack, color: '#6b7280' },
    ...(amounts.moved === 0 ? [] : [{ label: amounts.moved > 0 ? '换卡转出' : '换卡转入', fen: amounts.moved, color: '#7c5cbf' }]),
  ];
  const sum = parts.reduce((total, { fen }) => total + fen, 0);
  const should = amounts.unsold + amounts.voidedStock + amounts.granted;
  const whole = Math.max(
    1,
    parts.reduce((total, { fen }) => total + Math.max(0, fen), 0),
  );
  const fits = sum === should;
  return (
    <>
      <div className="card-bar" role="img" aria-label="金额去向">
        {parts.map(({ label, fen, color }) => (
          <i key={label} style={{ width: `${(Math.max(0, fen) / whole) * 100}%`, background: color }} />
        ))}
      </div>
      <ul className="card-legend">
        {parts.map(({ label, fen, color }) => (
          <li key={label}>
            <i style={{ background: color }} />
            {label} {yuan(Math.abs(fen), true)} 元
          </li>
        ))}
        <li>
          {fits ? (
            <CheckCircleFilled className="card-ok" aria-label="相符" />
          ) : (
            <CloseCircleFilled className="card-near" aria-label="不符" />
          )}{' '}
          {fits ? '各项合计与账务相符' : `各项合计 ${yuan(sum, true)} 元，账务应为 ${yuan(should, true)} 元，请在“异常数据”中检查`}
          ：未发及作废面额 {yuan(amounts.unsold + amounts.voidedStock, true)} 元，累计发放 {yuan(amounts.granted, true)} 元
        </li>
      </ul>
    </>
  );
}

type Taken = BatchDetails['exports'][number];
const exportColumns: readonly Column<Taken>[] = [
  { key: 'action', title: '操作', width: 140, value: ({ action }) => (action === 'EXPORT' ? '导出卡密' : '查看文件密码') },
  { key: 'userName', title: '操作人', width: 110 },
  { key: 'at', title: '时间', kind: 'time' },
  { key: 'ip', title: '地址', width: 140 },
  { key: 'opinion', title: '说明', width: 260 },
];

function Making({ data }: { data: BatchDetails }) {
  const percent = data.quantity === 0 ? 0 : Math.floor((data.generatedCount / data.quantity) * 100);
  return (
    <Section>
      <Progress percent={percent} status={data.status === 'GENERATING' ? 'active' : percent === 100 ? 'success' : 'normal'} />
      <p>
        已制 {grouped(data.generatedCount)} 张，共 {grouped(data.quantity)} 张
        {data.status === 'GENERATING' && '；制卡在后台进行，中断后自动从断点继续，失败的任务在“任务中心”重试'}
      </p>
    </Section>
  );
}

function Rules({ data }: { data: BatchDetails }) {
  const shown = Object.entries(termLabels).flatMap(([key, label]) => {
    const value = termWords(key, data.terms);
    return value === null ? [] : [{ label, value, wide: value.length > 24 }];
  });
  return <Facts title={`规则版本 ${data.ruleVersion}`} facts={shown} />;
}

function Content({ batchId }: { batchId: string }) {
  const { data, error, loading, refetch } = useData(batchDetails, { batchId }, { quiet: true });
  const layers = useLayers();
  const holds = useMay();
  const actions = useBatchActions(layers);
  usePageTitle(data && `批次 ${data.batchNo}`);
  const isDraft = data?.status === 'DRAFT' || data?.status === 'REJECTED';
  return (
    <DetailLayout
      title={data?.batchNo}
      state={data && <Dict of={batchMachine.dictionary} code={data.status} />}
      subtitle={data && `${data.typeName} · ${data.quantity} 张 · ${yuan(data.totalAmount, true)} 元`}
      loading={loading}
      error={error}
      onRetry={() => void refetch()}
      actions={
        data && (
          <>
            {isDraft && holds(may['batch.edit']) && (
              <Button onClick={() => layers.open((close) => <EditBatch id={batchId} onClose={close} />)}>修改</Button>
            )}
            {actions
              .filter(({ when, permission }) => (when?.(data) ?? true) && (permission === undefined || holds(permission)))
              .map(({ label, danger, act }) => (
                <Button key={label} danger={danger ?? false} onClick={() => void act(data)}>
                  {label}
                </Button>
              ))}
          </>
        )
      }
    >
      {data && (
        <>
          <Facts
            facts={factsIn(batchDetails.output, data, [
              'typeName',
              'kind',
              'medium',
              { key: 'quantity', value: `${data.quantity} 张` },
              { key: 'faceAmount', value: `${yuan(data.faceAmount, true)} 元` },
              { key: 'bonusAmount', value: `${yuan(data.bonusAmount, true)} 元` },
              'createdBy',
              'submittedBy',
              'approvedBy',
              { label: '卡密导出', value: `${data.exportCount} 次` },
              { label: '用途', value: data.purpose, wide: true },
            ])}
          />
          <Section title="卡片去向">
            <Funnel steps={data.funnel} />
          </Section>
          {data.kind === 'STORED_VALUE' && (
            <Section title="金额去向">
              <ValueBar amounts={data.amounts} />
            </Section>
          )}
          <Tabs
            items={[
              {
                key: 'cards',
                label: '卡明细',
                children: (
                  <Suspense fallback={null}>
                    <CardsOfBatch batchId={batchId} />
                  </Suspense>
                ),
              },
              { key: 'trail', label: '审批记录', children: <AuditTimeline rows={data.trail} machine={batchMachine} /> },
              { key: 'making', label: '制卡任务', children: <Making data={data} /> },
              {
                key: 'exports',
                label: `导出记录（${data.exports.length}）`,
                children: <DataTable rows={data.exports} columns={exportColumns} rowKey="at" empty="还没有导出过" />,
              },
              {
                key: 'ledger',
                label: '账务',
                children: (
                  <Slot
                    of={ledgerPanelPlace}
                    props={{ book: 'CARD', scope: { ownerType: 'cardBatch', ownerId: batchId }, tabs: ['entries', 'accounts'] }}
                  />
                ),
              },
              { key: 'rules', label: '规则快照', children: <Rules data={data} /> },
            ]}
          />
        </>
      )}
      <Suspense fallback={null}>{layers.shown}</Suspense>
    </DetailLayout>
  );
}

/** /cardBatchManagementDetail 发卡批次详情 `?batchId=`. */
export default function CardBatchManagementDetail() {
  const [{ batchId }] = useAddress(address);
  if (!batchId)
    return (
      <div className="kq-empty">
        缺少单据编号<PageLink to="/cardBatchManagement">返回发卡批次</PageLink>
      </div>
    );
  return <Content key={batchId} batchId={batchId} />;
}
