import { Alert, Button, Progress, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  addScenePreview,
  previewResult,
  previewSource,
  queryScenePreview,
  queryScenePreviewRows,
  type Preview,
  type PreviewResult,
} from '../../contract/engine/previewCalls.ts';
import { queryPackageState } from '../../contract/engine/versionCalls.ts';
import '../engine/engine.css';
import type { AnyScene } from '../data.ts';
import { DayReplay } from '../replay/DayReplay.tsx';
import { ReplayPanel } from '../replay/ReplayPanel.tsx';
import { SimulationPanel } from '../replay/SimulationPanel.tsx';
import { ExplainTable } from '../runs/ExplainTable.tsx';

const rows = resource(queryScenePreviewRows, {
  routeKey: 'corpus:preview',
  rowKey: 'patientId',
  empty: '没有符合条件的患者',
  columns: [
    { key: 'patientName', width: 120, render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    'doctorName',
    'result',
    { key: 'reason', width: 240 },
  ],
});

const POLL_MS = 1_000;
const ALL = 'ALL';

/** Who would enter and why, judged by the engine's own functions; nothing is written but the answer. */
function DryRun({ scene }: { scene: AnyScene }) {
  const { scenePackageId } = scene;
  const [source, setSource] = useState<Preview['source']>('DRAFT');
  const [running, setRunning] = useState(false);
  const { data, error, loading, refetch } = useData(
    queryScenePreview,
    { scenePackageId },
    { quiet: true, every: running ? POLL_MS : false },
  );
  const isRunning = data?.state === 'RUNNING';
  if (running !== isRunning) setRunning(isRunning);
  const start = useCommand(addScenePreview, { refreshes: [queryScenePreview, queryPackageState] });
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  // Before the first run the answer is nothing.
  if (loading) return <div className="kq-loading" role="progressbar" aria-label="试运行加载中" />;
  return (
    <div className="kq-tryout">
      <div className="kq-tryout-head">
        <Segmented<Preview['source']>
          value={source}
          onChange={setSource}
          options={
            scene.state === 'RUNNING'
              ? previewSource.options.map(({ value, label }) => ({ value, label }))
              : [{ value: 'DRAFT', label: previewSource.label('DRAFT') }]
          }
        />
        <Button
          type="primary"
          disabled={start.busy || isRunning}
          loading={isRunning}
          onClick={() => void start.run({ scenePackageId, source })}
        >
          试运行
        </Button>
        <span className="kq-muted">以当前事实判断全部候选患者，写入0条</span>
      </div>
      {!data ? <Alert type="info" showIcon title="尚未试运行。提交审核前，须先对当前草稿完成一次试运行。" /> : <Result preview={data} />}
    </div>
  );
}

function Result({ preview }: { preview: Preview }) {
  const [result, setResult] = useState<PreviewResult | typeof ALL>(ALL);
  const fixed = useMemo(() => ({ previewId: preview.previewId, ...(result !== ALL && { result }) }), [preview.previewId, result]);
  if (preview.state === 'RUNNING')
    return (
      <Progress
        percent={preview.total === 0 ? 0 : Math.floor((preview.done / preview.total) * 100)}
        format={() => `${preview.done}/${preview.total}`}
      />
    );
  if (preview.state === 'FAILED') return <Alert type="error" showIcon title={preview.fault || '试运行失败，请重试'} />;
  const { counts } = preview;
  const total = counts.ENTER + counts.LIVE + counts.BLOCKED + counts.NOT;
  return (
    <>
      <p className="kq-muted">
        {previewSource.label(preview.source)}，事实截至 {showInstant(preview.asOf).slice(0, 16)}
      </p>
      <div className="kq-tiles">
        <div className="kq-tile">
          <strong>{total}</strong>候选
        </div>
        {previewResult.options.map(({ value, label }) => (
          <div key={value} className="kq-tile">
            <strong>{counts[value as PreviewResult]}</strong>
            {label}
          </div>
        ))}
      </div>
      {preview.effects.length > 0 && (
        <ul className="kq-effects" aria-label="各条件的作用">
          {preview.effects.map((effect, index) => (
            <li key={index}>
              <span>{effect.label}</span>
              <Progress
                percent={total === 0 ? 0 : Math.round(((effect.held + effect.notHeld) / total) * 100)}
                success={{ percent: total === 0 ? 0 : Math.round((effect.held / total) * 100) }}
                showInfo={false}
                size="small"
              />
              <span className="kq-muted">{`满足${effect.held} 不满足${effect.notHeld} 无数据${effect.noData}`}</span>
            </li>
          ))}
        </ul>
      )}
      <ResourceList
        of={rows}
        fixed={fixed}
        toolbar={
          <Segmented<PreviewResult | typeof ALL>
            value={result}
            onChange={setResult}
            options={[
              { value: ALL, label: '全部' },
              ...previewResult.options.map(({ value, label }) => ({ value: value as PreviewResult, label })),
            ]}
          />
        }
        expanded={(row) => <ExplainTable rows={row.explain} />}
      />
    </>
  );
}

const views = { dryRun: '试运行', replay: '近14天对比', simulation: '模拟14天', day: '历史日重放' } as const;
type View = keyof typeof views;
const viewOptions = (Object.keys(views) as View[]).map((value) => ({ value, label: views[value] }));

/** What a scene would do, before anybody publishes it: now, and in the days that are over. */
export function PreviewPanel({ scene }: { scene: AnyScene }) {
  const [view, setView] = useState<View>('dryRun');
  return (
    <>
      <Segmented<View> value={view} onChange={setView} options={viewOptions} className="kq-tryout-views" />
      {view === 'dryRun' && <DryRun scene={scene} />}
      {view === 'replay' && <ReplayPanel scenePackageId={scene.scenePackageId} />}
      {view === 'simulation' && <SimulationPanel scene={scene} />}
      {view === 'day' && <DayReplay scenePackageId={scene.scenePackageId} />}
    </>
  );
}
