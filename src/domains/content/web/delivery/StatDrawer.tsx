import { Drawer, Tabs } from 'antd';
import { useState } from 'react';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { columnsOf } from '#kernel/web/list/columnsOf.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { showRate } from '#kernel/web/kit/values.tsx';
import { statGroups, type DeliveryKind } from '../../contract/delivery/dictionaries.ts';
import { markPermissions } from '../../contract/marks/permissions.ts';
import { exportContentStat, queryContentStat, type StatRow } from '../../contract/stats/calls.ts';
import './delivery.css';
import { grouped } from '#kernel/contract/money.ts';

const DAYS = 30;
const WIDTH = 860;
const MOST = 366;
type Group = (typeof statGroups.codes)[number];
const ofOne: readonly Group[] = ['day', 'hour', 'region'];
const columns = columnsOf<StatRow>(queryContentStat.output, ['label', 'impressions', 'viewers', 'clicks', 'ctrBp', 'closes', 'perViewer']);

interface StatDrawerProps {
  kind: DeliveryKind;
  /** One delivery; absent: all of the kind. */
  of?: { id: string; name: string };
  onClose(): void;
}

/** 数据: what was shown and clicked, day by day, by hour, region, place and delivery. */
export function StatDrawer({ kind, of, onClose }: StatDrawerProps) {
  const [period, setPeriod] = useState<readonly [Day, Day]>([plusDays(todayHere(), 1 - DAYS), todayHere()]);
  const [groupBy, setGroupBy] = useState<Group>('day');
  const filters = { kind, from: period[0], to: period[1], groupBy, ...(of && { ids: [of.id] }) };
  const { data, error, fetching, refetch } = useData(queryContentStat, { ...filters, pageNo: 1, pageSize: MOST }, { quiet: true });
  const rows = data?.rows;
  const most = Math.max(1, ...(rows ?? []).map(({ impressions }) => impressions));
  const sum = (key: 'impressions' | 'clicks' | 'viewers') => (rows ?? []).reduce((all, row) => all + row[key], 0);
  const shown = sum('impressions');
  return (
    <Drawer open size={WIDTH} title={of ? `投放数据：${of.name}` : '投放数据'} onClose={onClose} destroyOnHidden>
      <div className="kq-toolbar">
        <PeriodInput value={period} onChange={setPeriod} />
        <ExportButton call={exportContentStat} view={{ filters, total: data?.total ?? 0 }} permission={markPermissions['content.export']} />
      </div>
      <p className="dl-sum">
        曝光 <b className="kq-number">{grouped(shown)}</b>　曝光人次 <b className="kq-number">{grouped(sum('viewers'))}</b>　点击{' '}
        <b className="kq-number">{grouped(sum('clicks'))}</b>　点击率{' '}
        <b className="kq-number">{showRate(shown === 0 ? null : Math.round((sum('clicks') * 10_000) / shown))}</b>
      </p>
      <Tabs
        size="small"
        activeKey={groupBy}
        onChange={(key) => setGroupBy(statGroups.codes.find((code) => code === key) ?? 'day')}
        items={statGroups.options.filter(({ value }) => !of || ofOne.includes(value)).map(({ value, label }) => ({ key: value, label }))}
      />
      {(groupBy === 'day' || groupBy === 'hour') && rows && rows.length > 0 && (
        <>
          <div className="dl-trend" role="img" aria-label={`曝光${statGroups.label(groupBy)}趋势`}>
            <small>{grouped(most)}</small>
            {rows.map(({ id, label, impressions }) => (
              <span key={id} title={`${label}：曝光${grouped(impressions)}`} style={{ height: `${(impressions / most) * 100}%` }} />
            ))}
          </div>
          <div className="dl-axis">
            <span>{rows[0]?.label}</span>
            <span>{rows.at(-1)?.label}</span>
          </div>
        </>
      )}
      <DataTable
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="该时间内没有曝光"
        height="auto"
      />
    </Drawer>
  );
}
