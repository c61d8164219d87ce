import { Alert, Button, Progress, Segmented } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { refresh, useCommand, useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addSceneReplay,
  querySceneReplay,
  querySceneReplayRows,
  touchChange,
  type Replay,
  type ReplayedDay,
  type TouchChangeCode,
} from '../../contract/engine/replayCalls.ts';
import { queryPackageState } from '../../contract/engine/versionCalls.ts';
import '../engine/engine.css';

const rows = resource(querySceneReplayRows, {
  routeKey: 'corpus:replay',
  rowKey: 'seq',
  empty: '没有变化的触达',
  columns: [
    { key: 'patientName', width: 90, render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    { key: 'doctorName', width: 80 },
    { key: 'change', width: 80 },
    { key: 'label', width: 120 },
    { key: 'beforeAt', width: 165 },
    { key: 'afterAt', width: 165 },
    // All of it within a screen of 1280 beside the menu; on a larger one the room goes here.
    { key: 'why', width: 285 },
  ],
});

const POLL_MS = 1_000;
const ALL = 'ALL';
const changes = touchChange.options.map(({ value, label }) => ({ value: value as TouchChangeCode, label }));

interface ReplayPanelProps {
  scenePackageId: string;
  /** Absent: the present draft. */
  versionId?: string;
  /** Beside a decision: without the title's explanation. */
  brief?: boolean;
}

/** What a changed scene would have done in the last days, patient by patient, against what is in force. */
export function ReplayPanel({ scenePackageId, versionId, brief = false }: ReplayPanelProps) {
  const asked = { scenePackageId, ...(versionId !== undefined && { versionId }) };
  const [running, setRunning] = useState(false);
  const { data, error, loading, refetch } = useData(querySceneReplay, asked, { quiet: true, every: running ? POLL_MS : false });
  const isRunning = data?.state === 'RUNNING';
  const start = useCommand(addSceneReplay, { refreshes: [querySceneReplay, queryPackageState] });
  if (running !== isRunning) setRunning(isRunning);
  const isDone = data?.state === 'DONE';
  // What stands in the way of handing it in is asked again when it is there.
  useEffect(() => {
    if (isDone) void refresh(queryPackageState);
  }, [isDone]);
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (loading) return <div className="kq-loading" role="progressbar" aria-label="对比加载中" />;
  return (
    <div className="kq-tryout">
      <div className="kq-tryout-head">
        <Button
          type={data ? 'default' : 'primary'}
          disabled={start.busy || isRunning}
          loading={isRunning}
          onClick={() => void start.run(asked)}
        >
          {data ? '重新对比' : '对比近14天'}
        </Button>
        {!brief && (
          <span className="kq-muted">以近14天当时的患者事实与时钟，重放原版与新版，逐个患者比较会多发、少发、改期的触达；写入0条</span>
        )}
      </div>
      {!data ? (
        <Alert type="info" showIcon title="尚未对比。提交审核与发布前，须先看到新版在近14天会对哪些患者多发、少发或改期。" />
      ) : (
        <Result replay={data} />
      )}
    </div>
  );
}

const dayColumns = [
  { key: 'day', title: '日期', width: 120 },
  { key: 'before', title: '原版发送', kind: 'number', width: 100 },
  { key: 'after', title: '新版发送', kind: 'number', width: 100 },
  { key: 'added', title: '新增', kind: 'number', width: 90 },
  { key: 'dropped', title: '取消', kind: 'number', width: 90 },
  {
    key: 'recorded',
    title: '有事实记录的患者',
    width: 160,
    align: 'right',
    value: (row: ReplayedDay) => (row.recorded === row.persons ? `${row.persons}` : `${row.recorded} / ${row.persons}`),
  },
] as const;

function Result({ replay }: { replay: Replay }) {
  const [change, setChange] = useState<TouchChangeCode | typeof ALL>(ALL);
  const fixed = useMemo(() => ({ previewId: replay.replayId, ...(change !== ALL && { change }) }), [replay.replayId, change]);
  if (replay.state === 'RUNNING')
    return (
      <Progress
        percent={replay.total === 0 ? 0 : Math.floor((replay.done / replay.total) * 100)}
        format={() => `${replay.done}/${replay.total}`}
      />
    );
  if (replay.state === 'FAILED') return <Alert type="error" showIcon title={replay.fault || '对比失败，请重试'} />;
  const { counts, real, entered } = replay;
  const missing = replay.days.filter(({ recorded, persons }) => recorded < persons).length;
  return (
    <>
      {!replay.isCurrent && <Alert type="warning" showIcon title="生效版本已变化，此结果不再有效，请重新对比。" />}
      {missing > 0 && (
        <Alert
          type="warning"
          showIcon
          title={`${missing}天有患者没有当日的事实记录，这些日子无法判断，不作推测；能判断的照常比较，判断不了的列为“未知”。`}
        />
      )}
      <p className="kq-muted">
        {`${replay.fromDay} 至 ${replay.toDay}，${replay.baseSeq === null ? '此前没有生效版本' : `对比 V${replay.baseSeq}`}，${showInstant(replay.createdAt).slice(0, 16)} 生成`}
        {real.sent > 0 && `；实际发送${real.sent}条，重放一致${real.matched}条`}
      </p>
      <div className="kq-tiles">
        <div className="kq-tile">
          <strong>{replay.persons}</strong>涉及患者
        </div>
        <div className="kq-tile">
          <strong>{`${entered.before} → ${entered.after}`}</strong>进入人次
        </div>
        {changes.map(({ value, label }) => (
          <div key={value} className="kq-tile">
            <strong>{counts[value]}</strong>
            {label}
          </div>
        ))}
        <div className="kq-tile">
          <strong>{counts.SAME}</strong>不变
        </div>
      </div>
      <DataTable rowKey="day" rows={replay.days} columns={dayColumns} height="auto" empty="没有日期" />
      {replay.isCut && <Alert type="info" showIcon title="变化很多，下面只列出前20000条；上面的计数是全部。" />}
      <ResourceList
        of={rows}
        fixed={fixed}
        toolbar={
          <Segmented<TouchChangeCode | typeof ALL>
            value={change}
            onChange={setChange}
            options={[{ value: ALL, label: '全部' }, ...changes]}
          />
        }
      />
    </>
  );
}
