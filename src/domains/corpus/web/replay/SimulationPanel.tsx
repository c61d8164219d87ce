import { Alert, Button, InputNumber, Progress, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { showInstant, timeSlots } from '#kernel/contract/time.ts';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { PatientLink } from '#kernel/web/kit/PatientLink.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { previewSource } from '../../contract/engine/previewCalls.ts';
import {
  addSceneSimulation,
  exportSceneSimulationList,
  MOST_SIMULATED_DAYS,
  querySceneSimulation,
  querySceneSimulationList,
  simulatedOutcome,
  type SimulatedOutcome,
  type Simulation,
} from '../../contract/engine/simulationCalls.ts';
import '../engine/engine.css';
import { corpusPermissions } from '../../contract/permissions.ts';
import type { AnyScene } from '../data.ts';

const rows = resource(querySceneSimulationList, {
  routeKey: 'corpus:simulation',
  rowKey: 'seq',
  empty: '这些天没有触达',
  columns: [
    { key: 'patientName', width: 110, render: (row) => <PatientLink patientId={row.patientId}>{row.patientName}</PatientLink> },
    { key: 'doctorName', width: 110 },
    'outcome',
    { key: 'label', width: 150 },
    'dueAt',
    'at',
    { key: 'why', width: 260 },
  ],
});

const POLL_MS = 1_000;
const ALL = 'ALL';
const outcomes = simulatedOutcome.options.map(({ value, label }) => ({ value: value as SimulatedOutcome, label }));

/** The days to come by the engine's own functions, from where everybody stands now. */
export function SimulationPanel({ scene }: { scene: AnyScene }) {
  const { scenePackageId } = scene;
  const [source, setSource] = useState<Simulation['source']>('DRAFT');
  const [days, setDays] = useState(MOST_SIMULATED_DAYS);
  const [running, setRunning] = useState(false);
  const { data, error, loading, refetch } = useData(
    querySceneSimulation,
    { scenePackageId },
    { quiet: true, every: running ? POLL_MS : false },
  );
  const isRunning = data?.state === 'RUNNING';
  if (running !== isRunning) setRunning(isRunning);
  const start = useCommand(addSceneSimulation, { refreshes: [querySceneSimulation] });
  if (error && !data) return <TableFailure error={error} onRetry={() => void refetch()} />;
  if (loading) return <div className="kq-loading" role="progressbar" aria-label="模拟加载中" />;
  return (
    <div className="kq-tryout">
      <div className="kq-tryout-head">
        <Segmented<Simulation['source']>
          value={source}
          onChange={setSource}
          options={
            scene.state === 'RUNNING'
              ? previewSource.options.map(({ value, label }) => ({ value, label }))
              : [{ value: 'DRAFT', label: previewSource.label('DRAFT') }]
          }
        />
        <InputNumber
          min={1}
          max={MOST_SIMULATED_DAYS}
          precision={0}
          value={days}
          onChange={(value) => value && setDays(value)}
          suffix="天"
        />
        <Button
          type="primary"
          disabled={start.busy || isRunning}
          loading={isRunning}
          onClick={() => void start.run({ scenePackageId, source, days })}
        >
          开始模拟
        </Button>
        <span className="kq-muted">从现在的随访实例出发，事实只随日期变化，假定无人回复；草稿按运行中患者全部迁移计算；写入0条</span>
      </div>
      {!data ? (
        <Alert type="info" showIcon title="尚未模拟。模拟会给出未来每天每个时段会发送、暂缓、跳过的触达。" />
      ) : (
        <Result simulation={data} />
      )}
    </div>
  );
}

function Result({ simulation }: { simulation: Simulation }) {
  const [outcome, setOutcome] = useState<SimulatedOutcome | typeof ALL>(ALL);
  const fixed = useMemo(() => ({ previewId: simulation.previewId, ...(outcome !== ALL && { outcome }) }), [simulation.previewId, outcome]);
  if (simulation.state === 'RUNNING')
    return (
      <Progress
        percent={simulation.total === 0 ? 0 : Math.floor((simulation.done / simulation.total) * 100)}
        format={() => `${simulation.done}/${simulation.total}`}
      />
    );
  if (simulation.state === 'FAILED') return <Alert type="error" showIcon title={simulation.fault || '模拟失败，请重试'} />;
  const { counts } = simulation;
  return (
    <>
      <p className="kq-muted">
        {`${previewSource.label(simulation.source)}，自 ${showInstant(simulation.asOf).slice(0, 16)} 起${simulation.days}天，候选${simulation.total}人`}
      </p>
      <div className="kq-tiles">
        <div className="kq-tile">
          <strong>{simulation.runs}</strong>进行中
        </div>
        <div className="kq-tile">
          <strong>{simulation.entered}</strong>将进入
        </div>
        {outcomes.map(({ value, label }) => (
          <div key={value} className="kq-tile">
            <strong>{counts[value]}</strong>
            {label}
          </div>
        ))}
        <div className="kq-tile">
          <strong>{simulation.atCap}</strong>触达已满的患者·天（全部场景）
        </div>
      </div>
      <HeatMap simulation={simulation} />
      <ResourceList
        of={rows}
        fixed={fixed}
        toolbar={(view) => (
          <>
            <Segmented<SimulatedOutcome | typeof ALL>
              value={outcome}
              onChange={setOutcome}
              options={[{ value: ALL, label: '全部' }, ...outcomes]}
            />
            <ExportButton call={exportSceneSimulationList} view={view} permission={corpusPermissions['corpus.export']} />
          </>
        )}
      />
    </>
  );
}

/** Touches by day and half hour: the darker the more; a mark where all scenes together send more than goes out in a minute. */
function HeatMap({ simulation: { slots, perMinute } }: { simulation: Simulation }) {
  if (slots.length === 0) return null;
  const days = [...new Set(slots.map(({ day }) => day))].toSorted();
  const at = new Map(slots.map((slot) => [`${slot.day} ${slot.slot}`, slot]));
  const most = Math.max(1, ...slots.map(({ sent, held, skipped }) => sent + held + skipped));
  return (
    <div className="kq-heat-scroll">
      <table className="kq-heat" aria-label="按日期与时段的触达">
        <thead>
          <tr>
            <th>日期</th>
            {timeSlots.map((slot) => (
              <th key={slot}>{slot}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day}>
              <th>{day.slice(5)}</th>
              {timeSlots.map((time) => {
                const slot = at.get(`${day} ${time}`);
                const n = slot ? slot.sent + slot.held + slot.skipped : 0;
                const isOver = slot !== undefined && slot.all > perMinute;
                return (
                  <td
                    key={time}
                    className={isOver ? 'kq-heat-over' : undefined}
                    style={
                      n === 0
                        ? undefined
                        : { background: `color-mix(in srgb, var(--kq-primary) ${10 + Math.round((n / most) * 60)}%, transparent)` }
                    }
                    title={
                      slot
                        ? `发送${slot.sent} 暂缓${slot.held} 跳过或取消${slot.skipped}；全部场景发送${slot.all}${isOver ? `，超过每分钟${perMinute}条` : ''}`
                        : undefined
                    }
                  >
                    {n === 0 ? '' : n}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
