import { Drawer, Skeleton } from 'antd';
import { useState } from 'react';
import { yuan } from '#kernel/contract/money.ts';
import { plusDays } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { TableFailure } from '#kernel/web/kit/TableState.tsx';
import { queryScanStat } from '../../contract/calls/codes.ts';
import { scanClients, scanResults } from '../../contract/dictionaries.ts';
import { HourHeat, LineChart, ScanLines, Shares } from './charts.tsx';
import { PeriodInput } from '#kernel/web/form/PeriodInput.tsx';
import { todayHere } from '#kernel/web/form/today.ts';

const COLOURS = ['#3a7bd5', '#0b7a68', '#d9822b', '#8e44ad', '#c0392b'];

/** Statistics of one code, or of several beside each other. */
export function ScanStat({ codeIds, title, onClose }: { codeIds: readonly string[]; title: string; onClose(): void }) {
  const [period, setPeriod] = useState<readonly [string, string]>([plusDays(todayHere(), -29), todayHere()]);
  const { data, error, refetch } = useData(queryScanStat, { codeIds: [...codeIds], from: period[0], to: period[1] }, { quiet: true });
  return (
    <Drawer open title={`扫码统计：${title}`} size={820} onClose={onClose} extra={<PeriodInput value={period} onChange={setPeriod} />}>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton active paragraph={{ rows: 10 }} />
      ) : (
        <>
          <div className="ch-totals">
            {[
              ['扫码次数', data.pv],
              ['扫码人数', data.uv],
              ['新访客', data.newUv],
              ['注册', data.registered],
              ['添加企微', data.contacts],
              ['订单', data.orders],
              ['支付金额（元）', yuan(data.payFen, true)],
            ].map(([label, value]) => (
              <span key={label}>
                {label}
                <b className="kq-number">{value}</b>
              </span>
            ))}
          </div>
          <Section title="按日">
            <ScanLines series={data.days} />
          </Section>
          {data.byCode.length > 1 && (
            <Section title="对比（扫码次数）">
              <LineChart
                labels={data.days.map(({ label }) => label)}
                lines={data.byCode.map((code, index) => ({
                  label: code.name,
                  colour: COLOURS[index % COLOURS.length]!,
                  values: code.days.map(({ pv }) => pv),
                }))}
              />
            </Section>
          )}
          <Section title="按星期与小时">
            <HourHeat hours={data.hours} />
          </Section>
          <div className="ch-shares">
            <Shares title="客户端" parts={data.clients} labelOf={(key) => scanClients.label(key)} />
            <Shares title="结果" parts={data.results} labelOf={(key) => scanResults.label(key)} />
          </div>
        </>
      )}
    </Drawer>
  );
}
