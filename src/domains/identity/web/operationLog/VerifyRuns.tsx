import { Button, Progress } from 'antd';
import { lazy, useState } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { TableEmpty, TableFailure } from '#kernel/web/kit/TableState.tsx';
import { Dict, Time } from '#kernel/web/kit/values.tsx';
import { queryVerifyRunList, verifyOperationLog } from '../../contract/calls/logs.ts';
import { verifyRunStates } from '../../contract/states.ts';

const LogDrawer = lazy(async () => ({ default: (await import('./LogDrawer.tsx')).LogDrawer }));
type Run = OutputOf<typeof queryVerifyRunList>;

const ASK_WHILE_RUNNING_MS = 1500;
const grouped = (count: number) => count.toLocaleString('en-US');
const noTitles: ReadonlyMap<string, string> = new Map();

/** 发起校验 and the verifications so far, with progress and result. */
export function VerifyRuns() {
  const today = todayHere();
  const [range, setRange] = useState<[Day, Day]>([plusDays(today, -6), today]);
  const [running, setRunning] = useState(true);
  const layers = useLayers();
  const show = (id: string) => layers.open((close) => <LogDrawer id={id} titles={noTitles} onClose={close} />);
  const { rows, error, refetch } = useList(
    queryVerifyRunList,
    { pageNo: 1, pageSize: 20 },
    { quiet: true, every: running ? ASK_WHILE_RUNNING_MS : false },
  );
  const someRun = rows?.some((row) => row.state === 'RUNNING') ?? false;
  if (rows && someRun !== running) setRunning(someRun);
  const start = useCommand(verifyOperationLog, { success: SERVER_MESSAGE, refreshes: [queryVerifyRunList] });
  return (
    <section>
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <PeriodInput aria-label="校验日期" value={range} onChange={setRange} />
          <Button
            type="primary"
            disabled={start.busy || someRun}
            loading={start.flying}
            onClick={() => void start.run({ from: range[0], to: range[1] })}
          >
            发起校验
          </Button>
        </div>
      </div>
      <div className="id-scroll">
        {error ? (
          <TableFailure error={error} onRetry={() => void refetch()} />
        ) : !rows?.length ? (
          <TableEmpty loading={rows === undefined}>尚未校验过，选择日期后点击“发起校验”</TableEmpty>
        ) : (
          rows.map((run) => <RunCard key={run.id} run={run} onOpen={show} />)
        )}
      </div>
      {layers.shown}
    </section>
  );
}

function RunCard({ run, onOpen }: { run: Run; onOpen(id: string): void }) {
  return (
    <div className="id-run">
      <div className="id-run-head">
        <span>
          {run.fromDay.slice(0, 10)} 至 {run.toDay.slice(0, 10)} <Dict of={verifyRunStates.dictionary} code={run.state} />
        </span>
        <span className="kq-muted">
          {run.displayName ?? '系统'} <Time at={run.createdAt} />
        </span>
      </div>
      {run.state === 'RUNNING' && (
        <Progress size="small" status="active" percent={run.total ? Math.floor((run.checked / run.total) * 100) : 0} />
      )}
      {run.state === 'OK' && <p>一致，共校验 {grouped(run.checked)} 条</p>}
      {run.state === 'BROKEN' && (
        <p className="kq-danger">
          第 {run.brokenSeq ? grouped(Number(run.brokenSeq)) : '—'} 条起不一致：{run.brokenReason ?? '原因未知'}{' '}
          {run.brokenLogId && (
            <button type="button" className="kq-link" onClick={() => onOpen(run.brokenLogId!)}>
              查看该条
            </button>
          )}
        </p>
      )}
    </div>
  );
}
