import { Segmented } from 'antd';
import { useState } from 'react';
import type { InputOf } from '#kernel/contract/call.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { showRate } from '#kernel/web/kit/values.tsx';
import { corpusPermissions } from '../../contract/permissions.ts';
import { exportFollowStat, queryFollowFunnel, queryFollowStat, statGroup, type StatRow } from '../../contract/stats/calls.ts';
import type { AnyScene } from '../data.ts';
import './stats.css';

type Funnel = Pick<StatRow, 'planned' | 'sent' | 'read' | 'replied' | 'converted' | 'readBp' | 'repliedBp' | 'convertedBp'>;

/** 计划→发送→阅读→回复→转化: a bar per step, its width the share of what was planned. */
function FunnelBars({ funnel }: { funnel: Funnel }) {
  const steps = [
    ['计划', funnel.planned, null],
    ['发送', funnel.sent, null],
    ['阅读', funnel.read, funnel.readBp],
    ['回复', funnel.replied, funnel.repliedBp],
    ['转化', funnel.converted, funnel.convertedBp],
  ] as const;
  const most = Math.max(1, funnel.planned);
  return (
    <ul className="kq-follow-funnel" aria-label="随访漏斗">
      {steps.map(([label, n, bp]) => (
        <li key={label}>
          <span>{label}</span>
          <span className="kq-follow-track">
            <span className="kq-follow-bar" style={{ width: `${(n / most) * 100}%` }} />
            <b className="kq-number">{n}</b>
          </span>
          <span className="kq-muted kq-number">{bp === null ? '' : showRate(bp)}</span>
        </li>
      ))}
    </ul>
  );
}

const HEIGHT = 120;
const STEP = 28;
const lines = [
  ['sent', '发送'],
  ['read', '阅读'],
  ['replied', '回复'],
  ['converted', '转化'],
] as const;

/** How the days of a period went: one line for each step after the sending. */
function Trend({ rows }: { rows: readonly StatRow[] }) {
  const most = Math.max(1, ...rows.map(({ sent }) => sent));
  const width = Math.max(1, rows.length - 1) * STEP;
  const points = (key: (typeof lines)[number][0]) =>
    rows.map((row, index) => `${index * STEP},${HEIGHT - (row[key] / most) * HEIGHT}`).join(' ');
  return (
    <figure className="kq-follow-trend" aria-label="随访趋势">
      <figcaption>
        {lines.map(([key, label]) => (
          <span key={key} className={`kq-trend-${key}`}>
            {label}
          </span>
        ))}
        <span className="kq-muted">{`${rows[0]!.label} 至 ${rows.at(-1)!.label}，最高一天发送${most}条`}</span>
      </figcaption>
      <svg viewBox={`-4 -4 ${width + 8} ${HEIGHT + 8}`} preserveAspectRatio="none" role="img" aria-label="按日期的发送、阅读、回复与转化">
        <line x1="0" y1={HEIGHT} x2={width} y2={HEIGHT} className="kq-trend-base" />
        {lines.map(([key]) => (
          <polyline key={key} points={points(key)} className={`kq-trend-${key}`} vectorEffect="non-scaling-stroke" />
        ))}
      </svg>
    </figure>
  );
}

const WIDTH = 88;
const number = (key: 'planned' | 'sent' | 'read' | 'replied' | 'converted' | 'skipped' | 'failed', title: string) =>
  ({ key, title, kind: 'number', width: WIDTH }) as const;
const rate = (key: 'readBp' | 'repliedBp' | 'convertedBp', title: string) =>
  ({ key, title, width: WIDTH, align: 'right', value: (row: StatRow) => showRate(row[key]) }) as const;
const columns = [
  { key: 'label', title: '统计项', width: 240 },
  number('planned', '计划'),
  number('sent', '发送'),
  number('read', '阅读'),
  number('replied', '回复'),
  number('converted', '转化'),
  number('skipped', '跳过'),
  number('failed', '失败'),
  rate('readBp', '阅读率'),
  rate('repliedBp', '回复率'),
  rate('convertedBp', '转化率'),
] as const;
const choices = statGroup.options.filter(({ value }) => value !== 'scene').map(({ value, label }) => ({ value, label: `按${label}` }));

/** 数据 of one scene: how its touches of a period went, in all and counted by day, item, material or version. */
export function StatPanel({ scene }: { scene: AnyScene }) {
  const [[from, to], setPeriod] = useState<readonly [string, string]>(() => [plusDays(todayHere(), -29), todayHere()]);
  const [groupBy, setGroupBy] = useState<InputOf<typeof queryFollowStat>['groupBy']>('day');
  const asked = { from, to, sceneId: scene.id };
  const funnel = useData(queryFollowFunnel, asked, { quiet: true });
  const { data, error, loading, refetch } = useData(queryFollowStat, { ...asked, groupBy }, { quiet: true });
  return (
    <div className="kq-follow-stat">
      <div className="kq-follow-stat-head">
        <PeriodInput value={[from, to]} onChange={setPeriod} />
        <Segmented options={choices} value={groupBy} onChange={setGroupBy} />
        <ExportButton
          call={exportFollowStat}
          view={{ filters: { ...asked, groupBy }, ...(data && { total: data.length }) }}
          permission={corpusPermissions['corpus.export']}
        />
        <span className="kq-muted">按计划发送日期统计，已取消的不计；比率以已发送为准</span>
      </div>
      {funnel.error ? (
        <TableFailure error={funnel.error} onRetry={() => void funnel.refetch()} />
      ) : (
        funnel.data && <FunnelBars funnel={funnel.data} />
      )}
      {groupBy === 'day' && data && data.length > 1 && <Trend rows={data} />}
      <DataTable
        rowKey="key"
        rows={data}
        columns={columns}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
        height="auto"
        empty="这段时间没有到期的随访消息"
      />
    </div>
  );
}
