import { todayHere } from '#kernel/web/form/today.ts';
import { Checkbox, Skeleton } from 'antd';
import { useState } from 'react';
import { plusDays } from '#kernel/contract/time.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryIndicatorCodes, queryIndicatorTrend } from '../../contract/calls/ehr.ts';
import { Choice } from '../shared/Choice.tsx';
import { TrendChart } from './TrendChart.tsx';

const MOST = 6;
const SPANS = { 半年: 183, '1年': 366, '3年': 1096 } as const;
type Span = keyof typeof SPANS;

/** 趋势: courses of the chosen values, each over its reference band, with the medicines that began and ended. */
export function Trend({ patientId }: { patientId: string }) {
  const [span, setSpan] = useState<Span>('1年');
  const [picked, setPicked] = useState<string[] | null>(null);
  const known = useData(queryIndicatorCodes, { patientId }, { quiet: true });
  const codes = picked ?? (known.data ?? []).slice(0, 2).map(({ code }) => code);
  const to = todayHere();
  const trend = useData(
    queryIndicatorTrend,
    { patientId, codes, from: plusDays(to, -SPANS[span]), to },
    { quiet: true, enabled: codes.length > 0 },
  );
  if (known.error) return <TableFailure error={known.error} onRetry={() => void known.refetch()} />;
  if (!known.data) return <Skeleton active paragraph={{ rows: 3 }} />;
  if (known.data.length === 0) return <p className="pa-empty">还没有可以画趋势的指标；报告核对解读后显示</p>;
  return (
    <div className="pa-card" aria-label="指标趋势">
      <div className="pa-toolbar">
        <Checkbox.Group
          value={codes}
          onChange={(next) => setPicked(next)}
          options={known.data.map(({ code, name, count }) => ({
            value: code,
            label: `${name}（${count}）`,
            disabled: codes.length >= MOST && !codes.includes(code),
          }))}
        />
        <span className="pa-toolbar-end">
          <Choice<Span>
            label="时段"
            value={span}
            onChange={setSpan}
            options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: value }))}
          />
        </span>
      </div>
      {codes.length === 0 ? (
        <p className="pa-empty">请选择指标，最多{MOST}项</p>
      ) : trend.error ? (
        <TableFailure error={trend.error} onRetry={() => void trend.refetch()} />
      ) : trend.data ? (
        trend.data.series.map((one) => (
          <TrendChart key={one.code} series={one} touches={trend.data!.touches} from={plusDays(to, -SPANS[span])} to={to} />
        ))
      ) : (
        <Skeleton active paragraph={{ rows: 3 }} />
      )}
    </div>
  );
}
