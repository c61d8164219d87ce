import { Segmented, Skeleton } from 'antd';
import { useState } from 'react';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { showRate } from '#kernel/web/kit/values.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { ChannelsPicker } from '#kernel/web/kit/pickers.tsx';
import { usePage } from '#kernel/web/tabs/page.tsx';
import { queryChannelFunnel, type FunnelRow, type FunnelStep } from '../../contract/calls/attribution.ts';
import { subjectTypes } from '../../contract/dictionaries.ts';
import { stepLabels } from './attributionList.tsx';
import './funnel.css';

type Subject = 'DOCTOR' | 'PATIENT';

/** One funnel: a bar per step, its width the share of the largest step, with the rate from the step before. */
function Chart({ row, subjectType, onStep }: { row: FunnelRow; subjectType: Subject; onStep(step: FunnelStep): void }) {
  const most = Math.max(1, ...row.steps.map(({ n }) => n));
  return (
    <section className="dr-funnel">
      <h4 title={row.channelName}>{row.channelName}</h4>
      {row.steps.map(({ step, n, rateBp }) => {
        const label = stepLabels[subjectType][step];
        const bar = (
          <>
            <span className="dr-funnel-bar" style={{ width: `${Math.max(3, (n / most) * 100)}%` }} />
            <b className="kq-number">{n}</b>
          </>
        );
        return (
          <div key={step} className="dr-funnel-step">
            <span>{label}</span>
            {step === 'SCANNED' ? (
              <div className="dr-funnel-track">{bar}</div>
            ) : (
              <button
                type="button"
                className="dr-funnel-track"
                title={`查看${label}的${subjectTypes.label(subjectType)}`}
                onClick={() => onStep(step)}
              >
                {bar}
              </button>
            )}
            <span className="kq-muted kq-number">{rateBp === null ? '' : showRate(rateBp)}</span>
          </div>
        );
      })}
    </section>
  );
}

/** 渠道漏斗: who was brought in a period, and how far they have come since. */
export function Funnel() {
  const { path } = usePage();
  const [subjectType, setSubjectType] = useState<Subject>('PATIENT');
  const [period, setPeriod] = useState<readonly [Day, Day]>(() => [plusDays(todayHere(), -89), todayHere()]);
  const [channelIds, setChannelIds] = useState<readonly string[] | null>(null);
  const [from, to] = period;
  const { data, error, refetch } = useData(
    queryChannelFunnel,
    { subjectType, from, to, ...(channelIds?.length && { channelIds: [...channelIds] }) },
    { quiet: true },
  );
  const show = (row: FunnelRow) => (step: FunnelStep) =>
    goTo(path, {
      tab: subjectType === 'PATIENT' ? 'patients' : '',
      step: step === 'REGISTERED' ? undefined : step,
      from,
      to,
      ...(row.channelId === '0'
        ? { organic: 'true' }
        : row.channelId !== null
          ? { channelId: row.channelId }
          : channelIds?.length === 1
            ? { channelId: channelIds[0] }
            : {}),
    });
  return (
    <div className="kq-pad">
      <div className="dr-funnel-bar-row">
        <Segmented
          options={subjectTypes.options.map(({ value, label }) => ({ value, label }))}
          value={subjectType}
          onChange={setSubjectType}
        />
        <PeriodInput aria-label="归属时间" value={period} onChange={setPeriod} />
        <div style={{ width: 280 }}>
          <ChannelsPicker aria-label="渠道" value={channelIds} placeholder="全部渠道" onChange={setChannelIds} />
        </div>
        <span className="kq-muted">
          点击环节查看名单；归属时间 {from} 至 {to}
        </span>
      </div>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 8 }} />
      ) : (
        <div className="dr-funnels">
          {data.map((row) => (
            <Chart key={`${row.channelId}${row.channelName}`} row={row} subjectType={subjectType} onStep={show(row)} />
          ))}
        </div>
      )}
    </div>
  );
}
