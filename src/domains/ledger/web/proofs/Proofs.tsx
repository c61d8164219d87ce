import { Button, Card } from 'antd';
import { lazy, useEffect, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmWithOpinion, ask } from '#kernel/web/feedback/dialogs.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { refresh, useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict, Money, Time } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { books, findingCodes } from '../../contract/books.ts';
import {
  explainLedgerFinding,
  exportLedgerFindingList,
  queryLedgerBookState,
  queryLedgerFindingList,
  queryLedgerProofList,
  rebuildLedgerProjection,
  runLedgerProof,
  type FindingRow,
} from '../../contract/calls/proofs.ts';
import { ledgerPermissions as may } from '../../contract/permissions.ts';
import { proofStates } from '../../contract/states.ts';
import { usePanel } from '../panel.ts';

const AdjustmentForm = lazy(async () => ({ default: (await import('../adjustments/AdjustmentForm.tsx')).AdjustmentForm }));
const AssignDialog = lazy(async () => ({ default: (await import('./FindingDialogs.tsx')).AssignDialog }));
const ResolveDialog = lazy(async () => ({ default: (await import('./FindingDialogs.tsx')).ResolveDialog }));
const PeriodsDrawer = lazy(async () => ({ default: (await import('./ProofDrawers.tsx')).PeriodsDrawer }));
const ProofsDrawer = lazy(async () => ({ default: (await import('./ProofDrawers.tsx')).ProofsDrawer }));
const TrialDrawer = lazy(async () => ({ default: (await import('./ProofDrawers.tsx')).TrialDrawer }));
const EVERY_MS = 2_000;
const findingCalls = [queryLedgerFindingList, queryLedgerBookState, queryLedgerProofList];

const findings = resource(queryLedgerFindingList, {
  routeKey: 'ledger.findings',
  empty: '没有平衡差异',
  filters: ['status', 'findingCode'],
  columns: [
    { key: 'findingNo', required: true },
    { key: 'findingCode', plain: true },
    'object',
    'expectedFen',
    'actualFen',
    'differenceFen',
    'ownerUserName',
    { key: 'advice', title: '处理建议', width: 150, value: adviceOf },
    'resolution',
    { key: 'adjustNo', hidden: true },
    'createdAt',
    { key: 'closedAt', hidden: true },
    'status',
  ],
});

function adviceOf({ status, allowedActions }: FindingRow): string {
  if (status === 'RESOLVED' || status === 'IGNORED') return '—';
  return allowedActions.includes('rebuild') ? '重建余额投影' : '核对后制作调账';
}

/** What a book looks like: proven when, balanced or not, and the button that proves it again. */
function BookCard() {
  const { book } = usePanel();
  const [watching, setWatching] = useState(false);
  const state = useData(queryLedgerBookState, {}, { quiet: true, every: watching ? EVERY_MS : false });
  const run = useCommand(runLedgerProof, { refreshes: [queryLedgerBookState], onSuccess: () => setWatching(true) });
  const mine = state.data?.find((one) => one.book === book);
  const running = mine?.runningSince !== null && mine?.runningSince !== undefined;
  useEffect(() => {
    // The tables below show what the proof found.
    if (running) setWatching(true);
    else if (watching) {
      setWatching(false);
      void refresh(queryLedgerFindingList, queryLedgerProofList);
    }
  }, [running, watching]);
  if (state.error) return <TableFailure error={state.error} onRetry={() => void state.refetch()} />;
  const last = mine?.last;
  return (
    <Card
      size="small"
      title={
        <>
          {books.label(book)} {last && <Dict of={proofStates} code={last.status} />}
        </>
      }
      extra={
        <Can permission={may['proof.manage']}>
          <Button
            type="primary"
            size="small"
            loading={running || run.flying}
            disabled={running || run.busy}
            onClick={() => void run.run({ book })}
          >
            {running ? '检查中' : '立即检查'}
          </Button>
        </Can>
      }
    >
      {last ? (
        <div className="kq-ledger-sums">
          <span>
            最近检查 <Time at={last.finishedAt} />
          </span>
          <span>
            借方 <Money fen={last.debitTotalFen} /> {last.debitTotalFen === last.creditTotalFen ? '=' : '≠'} 贷方{' '}
            <Money fen={last.creditTotalFen} />
          </span>
          <span>
            账户{last.accountsChecked}个，分录{last.entriesChecked}条
          </span>
          <span title={last.digest ?? ''}>摘要 {last.digest?.slice(0, 16) ?? '—'}</span>
          <span className={mine.openFindings > 0 ? 'kq-danger' : undefined}>待处理差异{mine.openFindings}项</span>
        </div>
      ) : (
        <span className="kq-muted">{state.data ? '尚未检查' : '加载中…'}</span>
      )}
    </Card>
  );
}

/** Tab 平衡检查: whether the book agrees with itself, and what is to be mended. */
export function Proofs() {
  const { book } = usePanel();
  const layers = useLayers();
  const explain = useCommand(explainLedgerFinding, { success: '操作成功!', refreshes: findingCalls });
  const rebuild = useCommand(rebuildLedgerProjection, { success: '操作成功!', refreshes: findingCalls });
  const allows = (action: string) => (row: FindingRow) => row.allowedActions.includes(action);
  const facts = (row: FindingRow) =>
    factsIn(queryLedgerFindingList.output, row, ['findingNo', 'findingCode', 'object', 'expectedFen', 'actualFen', 'differenceFen']);
  const actions: readonly RowAction<FindingRow>[] = [
    {
      label: '重建余额投影',
      when: allows('rebuild'),
      act: async (row) => {
        const { id, version, object } = row;
        if (
          await ask({
            title: '重建余额投影',
            content: `将按已入账的分录、预占和批次变动重新计算“${object}”的余额，原余额被覆盖并记入操作日志，是否继续?`,
            facts: facts(row),
            danger: true,
          })
        )
          await rebuild.run({ id, version });
      },
    },
    {
      label: '制作调账',
      permission: may['adjust.make'],
      when: (row) => allows('resolve')(row) && !allows('rebuild')(row),
      act: (row) =>
        layers.open((close) => (
          <AdjustmentForm
            of={null}
            begin={{
              accountNo: row.accountNo,
              amountFen: amountOf(row),
              reason: `修复平衡差异${row.findingNo}：${findingCodes.label(row.findingCode)}`,
            }}
            onClose={close}
          />
        )),
    },
    { label: '指派', when: allows('assign'), act: (row) => layers.open((close) => <AssignDialog of={row} onClose={close} />) },
    { label: '处理完成', when: allows('resolve'), act: (row) => layers.open((close) => <ResolveDialog of={row} onClose={close} />) },
    {
      label: '说明并关闭',
      danger: true,
      when: allows('explain'),
      act: async (row) => {
        const { id, version } = row;
        const opinion = await confirmWithOpinion({
          title: '说明并关闭',
          content: '差异不作账务处理，仅记录说明后关闭。',
          facts: facts(row),
          label: '说明',
          danger: true,
        });
        if (opinion !== null) await explain.run({ id, version, opinion });
      },
    },
  ];
  return (
    <>
      <BookCard />
      <ResourceList
        of={findings}
        fixed={{ book }}
        actions={actions}
        toolbar={(view) => (
          <>
            <ExportButton call={exportLedgerFindingList} view={view} permission={may['proof.view']} />
            <Button onClick={() => layers.open((close) => <ProofsDrawer onClose={close} />)}>检查记录</Button>
            <Button onClick={() => layers.open((close) => <TrialDrawer onClose={close} />)}>试算平衡表</Button>
            <Button onClick={() => layers.open((close) => <PeriodsDrawer onClose={close} />)}>会计期间</Button>
          </>
        )}
      />
      {layers.shown}
    </>
  );
}

/** The difference without its sign; which side it belongs on is for the maker to say. */
const amountOf = ({ differenceFen }: FindingRow): number | null =>
  differenceFen === null || differenceFen === '0' ? null : Math.abs(Number(differenceFen));
