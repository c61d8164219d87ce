import { Drawer, Select } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { daysBetween, plusDays, type Day } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { NOTHING, showRate } from '#kernel/web/kit/values.tsx';
import { queryDeskList } from '../../../contract/calls/desks.ts';
import { queryDutyBoard } from '../../../contract/calls/queue.ts';
import { exportConsultStat, queryConsultStat, type StatRow } from '../../../contract/calls/stats.ts';
import { consultationPermissions as may } from '../../../contract/permissions.ts';
import { spanText } from '../desk/sla.ts';

const DutyBoard = lazy(async () => ({ default: (await import('./DutyBoard.tsx')).DutyBoard }));
const StatChart = lazy(async () => ({ default: (await import('./StatChart.tsx')).StatChart }));

const MOST_DAYS = 92;
const groupings = [
  { value: 'day', label: '按日' },
  { value: 'assistant', label: '按医助' },
  { value: 'desk', label: '按导诊台' },
] as const;
type GroupBy = (typeof groupings)[number]['value'];
const seconds = (value: number | null) => (value === null ? NOTHING : value);

export const columns: readonly { key: keyof StatRow; label: string; show(row: StatRow): string | number }[] = [
  { key: 'taken', label: '接入数', show: (row) => row.taken },
  { key: 'firstReplyMedianSec', label: '首次响应中位数(秒)', show: (row) => seconds(row.firstReplyMedianSec) },
  { key: 'firstReplyP90Sec', label: '首次响应90%(秒)', show: (row) => seconds(row.firstReplyP90Sec) },
  { key: 'overSlaBp', label: '超时率', show: (row) => showRate(row.overSlaBp) },
  {
    key: 'handleAverageSec',
    label: '平均处理时长',
    show: (row) => (row.handleAverageSec === null ? NOTHING : spanText(row.handleAverageSec)),
  },
  { key: 'transferBp', label: '转接率', show: (row) => showRate(row.transferBp) },
  { key: 'ended', label: '结束问诊数', show: (row) => row.ended },
  { key: 'goodRateBp', label: '好评率', show: (row) => showRate(row.goodRateBp) },
];

/** 接待数据: figures per day, assistant or desk, their chart, and who is on duty now. */
export function StatDrawer({ onClose }: { onClose(): void }) {
  const today = todayHere();
  const [tab, setTab] = useState<'figures' | 'board'>('figures');
  const [[from, to], setPeriod] = useState<readonly [Day, Day]>([plusDays(today, -6), today]);
  const [groupBy, setGroupBy] = useState<GroupBy>('day');
  const [assistantId, setAssistantId] = useState<string>();
  const [deskId, setDeskId] = useState<string>();
  const [metric, setMetric] = useState<keyof StatRow>('taken');
  const people = useData(queryDutyBoard, {}, { quiet: true, fresh: 60_000 });
  const desks = useData(queryDeskList, {}, { quiet: true, fresh: 60_000 });
  const fault = daysBetween(from, to) >= MOST_DAYS ? `最多查看${MOST_DAYS}天` : null;
  const filters = { from, to, groupBy, ...(assistantId ? { assistantId } : {}), ...(deskId ? { deskId } : {}) };
  const stat = useData(queryConsultStat, filters, { quiet: true, enabled: fault === null && tab === 'figures' });
  return (
    <Drawer open size={1080} title="接待数据" onClose={onClose}>
      <nav className="im-tabs im-stat-tabs" role="tablist">
        <button type="button" role="tab" aria-selected={tab === 'figures'} onClick={() => setTab('figures')}>
          接待指标
        </button>
        <button type="button" role="tab" aria-selected={tab === 'board'} onClick={() => setTab('board')}>
          在岗看板
        </button>
      </nav>
      {tab === 'board' ? (
        <Suspense fallback={<div className="kq-loading" />}>
          <DutyBoard />
        </Suspense>
      ) : (
        <>
          <div className="im-stat-filters">
            <PeriodInput value={[from, to]} onChange={setPeriod} />
            <Select size="small" aria-label="统计维度" value={groupBy} options={[...groupings]} onChange={setGroupBy} />
            <Select
              size="small"
              allowClear
              placeholder="全部医助"
              value={assistantId}
              options={(people.data ?? []).map(({ assistantId: value, name }) => ({ value, label: name }))}
              onChange={setAssistantId}
            />
            <Select
              size="small"
              allowClear
              placeholder="全部导诊台"
              value={deskId}
              options={(desks.data ?? []).map(({ id, deskName }) => ({ value: id, label: deskName }))}
              onChange={setDeskId}
            />
            <ExportButton
              call={exportConsultStat}
              view={{ filters, ...(stat.data ? { total: stat.data.length } : {}) }}
              permission={may['chat.supervise']}
            />
          </div>
          {fault ? (
            <p className="kq-danger">{fault}</p>
          ) : stat.error ? (
            <TableFailure error={stat.error} onRetry={() => void stat.refetch()} />
          ) : !stat.data ? (
            <p className="im-none">加载中…</p>
          ) : stat.data.length === 0 ? (
            <p className="im-none">该时段没有接待数据</p>
          ) : (
            <>
              <p className="im-metrics">
                {columns.map(({ key, label }) => (
                  <button key={key} type="button" aria-pressed={metric === key} onClick={() => setMetric(key)}>
                    {label}
                  </button>
                ))}
              </p>
              <Suspense fallback={<div className="kq-loading" />}>
                <StatChart rows={stat.data} metric={columns.find(({ key }) => key === metric)!} />
              </Suspense>
              <div className="im-scroll">
                <table className="im-table im-numbers">
                  <thead>
                    <tr>
                      <th>{groupings.find(({ value }) => value === groupBy)!.label.slice(1)}</th>
                      {columns.map(({ key, label }) => (
                        <th key={key}>{label}</th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {stat.data.map((row) => (
                      <tr key={row.key}>
                        <td>{row.label}</td>
                        {columns.map(({ key, show }) => (
                          <td key={key} className="kq-number">
                            {show(row)}
                          </td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )}
        </>
      )}
    </Drawer>
  );
}
