import { todayHere } from '#kernel/web/form/today.ts';
import { Alert, Button, Select } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { grouped, yuan } from '#kernel/contract/money.ts';
import { plusDays, showInstant } from '#kernel/contract/time.ts';
import MonthInput from '#kernel/web/form/MonthInput.tsx';
import { saveFile } from '#kernel/web/files/saveFile.ts';
import { useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { RegionsPicker } from '#kernel/web/kit/pickers.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Waiting } from '#kernel/web/kit/TableState.tsx';
import { showRate } from '#kernel/web/kit/values.tsx';
import { param } from '#kernel/web/router/address.ts';
import { divisionName } from '#kernel/web/session/divisions.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { productLines } from '../../contract/businessLines.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import { controlPermissions, statPermissions } from '../../contract/permissions.ts';
import { queryProductOptions } from '../../contract/products/options.ts';
import {
  comparisons,
  exportStatistics,
  LAG_WARNING_SECONDS,
  queryAgeing,
  queryLossRatio,
  queryOverview,
  queryRank,
  queryReasonTop,
  queryTrend,
  type ExportView,
  type OverviewFigures,
} from '../../contract/statistics/calls.ts';
import { ChartCard } from './ChartCard.tsx';
import {
  ageingChart,
  claimChart,
  enrolmentChart,
  lossChart,
  rankChart,
  reasonChart,
  regionTable,
  savingChart,
  waterfallChart,
} from './charts.ts';
import './statistics.css';

const FigureHits = lazy(async () => ({ default: (await import('../controls/Hits.tsx')).FigureHits }));

const thisMonth = () => todayHere().slice(0, 7);
function monthsBefore(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const index = year * 12 + number - 1 - by;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** First and last day of a span of months. */
const hitDays = (from: string, to: string) => ({ from: `${from}-01`, to: plusDays(`${monthsBefore(to, -1)}-01`, -1) });

const address = {
  from: param.text(),
  to: param.text(),
  insurerIds: param.several(),
  productLines: param.several(),
  productIds: param.several(),
  adcodes: param.several(),
  compare: param.oneOf(['PREV', 'YOY']),
};

const MINUTES_OF_HOUR = 60;
const hours = (minutes: number | null) => (minutes === null ? '—' : `${(minutes / MINUTES_OF_HOUR).toFixed(1)}小时`);

type Key = keyof OverviewFigures;
const cards: readonly { key: Key; label: string; show(figures: OverviewFigures): string; snapshot?: boolean }[] = [
  { key: 'applies', label: '入组申请数', show: ({ applies }) => grouped(applies) },
  { key: 'passBp', label: '入组通过率', show: ({ passBp }) => showRate(passBp) },
  { key: 'insured', label: '在保人数', show: ({ insured }) => grouped(insured) },
  { key: 'claims', label: '理赔申请数', show: ({ claims }) => grouped(claims) },
  { key: 'claimedFen', label: '申报金额', show: ({ claimedFen }) => `¥${yuan(claimedFen, true)}` },
  { key: 'approvedFen', label: '核赔金额', show: ({ approvedFen }) => `¥${yuan(approvedFen, true)}` },
  { key: 'paidFen', label: '已付金额', show: ({ paidFen }) => `¥${yuan(paidFen, true)}` },
  { key: 'paidRatioBp', label: '已付赔付率', show: ({ paidRatioBp }) => showRate(paidRatioBp) },
  { key: 'incurredRatioBp', label: '已发生赔付率', show: ({ incurredRatioBp }) => showRate(incurredRatioBp) },
  { key: 'workMinutes', label: '平均核定时长', show: ({ workMinutes }) => hours(workMinutes) },
  { key: 'openClaims', label: '在途件数', show: ({ openClaims }) => grouped(openClaims), snapshot: true },
  { key: 'overdueClaims', label: '超时件数', show: ({ overdueClaims }) => grouped(overdueClaims), snapshot: true },
];

function changeOf(now: number | null, before: number | null): string {
  if (now === null || before === null || before === 0) return '—';
  const share = ((now - before) / Math.abs(before)) * 100;
  return share === 0 ? '持平' : `${share > 0 ? '↑' : '↓'} ${Math.abs(share).toFixed(1)}%`;
}

/** /dataStatistics 数据统计. */
export default function DataStatistics() {
  const [params, setParams] = useAddress(address);
  const may = useMay();
  const layers = useLayers();
  const [province, setProvince] = useState<string | null>(null);
  const to = params.to || thisMonth();
  const from = params.from || monthsBefore(to, 5);
  const lines = useMemo(() => productLines.codes.filter((line) => params.productLines.includes(line)), [params.productLines]);
  const filter = useMemo(
    () => ({
      from,
      to,
      ...(params.insurerIds.length > 0 && { insurerIds: [...params.insurerIds] }),
      ...(lines.length > 0 && { productLines: lines }),
      ...(params.productIds.length > 0 && { productIds: [...params.productIds] }),
      ...(params.adcodes.length > 0 && { adcodes: [...params.adcodes] }),
    }),
    [from, to, params.insurerIds, lines, params.productIds, params.adcodes],
  );
  const fresh = { fresh: 60_000, quiet: true } as const;
  const overview = useData(queryOverview, { ...filter, compare: params.compare }, fresh);
  const trend = useData(queryTrend, filter, fresh);
  const loss = useData(queryLossRatio, filter, fresh);
  const insurers = useData(queryRank, { ...filter, groupBy: 'INSURER' }, fresh);
  const products = useData(queryRank, { ...filter, groupBy: 'PRODUCT' }, fresh);
  const drugs = useData(queryRank, { ...filter, groupBy: 'DRUG' }, fresh);
  const regions = useData(
    queryRank,
    province === null ? { ...filter, groupBy: 'PROVINCE' } : { ...filter, groupBy: 'CITY', within: province },
    fresh,
  );
  const ageing = useData(queryAgeing, filter, fresh);
  const reasons = useData(queryReasonTop, filter, fresh);
  const insurerOptions = useData(queryProductOptions, { type: 'INSURER' }, fresh);
  const productOptions = useData(queryProductOptions, { type: 'PRODUCT' }, fresh);

  const exporting = (view: ExportView) => void saveFile(exportStatistics, { ...filter, view });
  // One chart keeps its drawing as long as its answer is the same.
  const drawn = {
    enrolment: useMemo(() => trend.data && enrolmentChart(trend.data), [trend.data]),
    claim: useMemo(() => trend.data && claimChart(trend.data), [trend.data]),
    loss: useMemo(() => loss.data && lossChart(loss.data), [loss.data]),
    insurers: useMemo(() => insurers.data && rankChart(insurers.data, '保司'), [insurers.data]),
    products: useMemo(() => products.data && rankChart(products.data, '产品'), [products.data]),
    drugs: useMemo(() => drugs.data && rankChart(drugs.data, '药品'), [drugs.data]),
    regions: useMemo(() => regions.data && regionTable(regions.data, province === null ? '省份' : '城市'), [regions.data, province]),
    ageing: useMemo(() => ageing.data && ageingChart(ageing.data), [ageing.data]),
    reasons: useMemo(() => reasons.data && reasonChart(reasons.data), [reasons.data]),
    waterfall: useMemo(() => reasons.data && waterfallChart(reasons.data), [reasons.data]),
    savings: useMemo(() => reasons.data && savingChart(reasons.data), [reasons.data]),
  };
  const showHits = (index: number) => {
    const mode = reasons.data?.savings[index]?.mode;
    if (!mode) return;
    const wish = {
      mode: [mode],
      ...hitDays(from, to),
      testUser: false,
      ...(filter.insurerIds && { insurerId: filter.insurerIds }),
      ...(filter.productLines && { productLine: filter.productLines }),
      ...(filter.productIds && { productId: filter.productIds }),
      ...(filter.adcodes && { adcode: filter.adcodes }),
    };
    layers.open((close) => <FigureHits wish={wish} title={`${controlModeWords.label(mode)} ${from}至${to}`} onClose={close} />);
  };
  const stand = overview.data;
  const options = (found: typeof insurerOptions) => (found.data ?? []).map(({ value, label }) => ({ value, label }));
  return (
    <div className="kq-list">
      <div className="stat-bar" role="search">
        <label>
          统计月份 <MonthInput aria-label="开始月份" value={from} max={to} onChange={(month) => setParams({ from: month })} />
        </label>
        <label>
          至 <MonthInput aria-label="结束月份" value={to} min={from} onChange={(month) => setParams({ to: month })} />
        </label>
        <Select<string[]>
          mode="multiple"
          aria-label="保司"
          placeholder="全部保司"
          style={{ minWidth: 150 }}
          optionFilterProp="label"
          maxTagCount="responsive"
          value={[...params.insurerIds]}
          options={options(insurerOptions)}
          onChange={(insurerIds) => setParams({ insurerIds })}
        />
        <Select<string[]>
          mode="multiple"
          aria-label="业务线"
          placeholder="全部业务线"
          style={{ minWidth: 150 }}
          maxTagCount="responsive"
          value={[...lines]}
          options={productLines.options.map(({ value, label }) => ({ value: String(value), label }))}
          onChange={(chosen) => setParams({ productLines: chosen })}
        />
        <Select<string[]>
          mode="multiple"
          aria-label="产品"
          placeholder="全部产品"
          style={{ minWidth: 170 }}
          optionFilterProp="label"
          maxTagCount="responsive"
          value={[...params.productIds]}
          options={options(productOptions)}
          onChange={(productIds) => setParams({ productIds })}
        />
        <div style={{ minWidth: 180 }}>
          <RegionsPicker
            aria-label="地区"
            value={[...params.adcodes]}
            onChange={(adcodes) => setParams({ adcodes: adcodes ?? [] })}
            placeholder="全部地区"
          />
        </div>
        <Select
          aria-label="对比"
          style={{ width: 90 }}
          value={params.compare}
          options={comparisons.options.map(({ value, label }) => ({ value, label }))}
          onChange={(compare) => setParams({ compare })}
        />
        <Button
          onClick={() => setParams({ from: '', to: '', insurerIds: [], productLines: [], productIds: [], adcodes: [], compare: 'PREV' })}
        >
          重置
        </Button>
        <Can permission={statPermissions['stat.export']}>
          <Button type="primary" onClick={() => exporting('ALL')}>
            导出全部
          </Button>
        </Can>
      </div>
      {stand && stand.lagSeconds > LAG_WARNING_SECONDS && (
        <Alert
          type="warning"
          showIcon
          title={`数据截至 ${showInstant(stand.dataAsOf)}，已滞后${Math.round(stand.lagSeconds / 60)}分钟，请稍后再看`}
        />
      )}
      {stand && stand.lagSeconds <= LAG_WARNING_SECONDS && <p className="kq-muted">数据截至 {showInstant(stand.dataAsOf)}，不含测试用户</p>}
      {!stand && <Waiting for={overview} />}
      {stand && (
        <div className="stat-figures">
          {cards.map(({ key, label, show, snapshot }) => (
            <div key={key} className="stat-figure">
              <small>{label}</small>
              <b>{show(stand.now)}</b>
              <small>
                {snapshot ? '当前时点' : `${comparisons.label(params.compare)} ${changeOf(stand.now[key], stand.before?.[key] ?? null)}`}
              </small>
            </div>
          ))}
        </div>
      )}
      <div className="stat-charts">
        <ChartCard title="入组趋势" view="ENROLMENT" of={trend} chart={drawn.enrolment} onExport={exporting} />
        <ChartCard title="理赔趋势" view="CLAIM" of={trend} chart={drawn.claim} onExport={exporting} />
        <ChartCard
          title="赔付率"
          view="LOSS"
          of={loss}
          chart={drawn.loss}
          onExport={exporting}
          wide
          note="已赚保费按保障天数累计；未决赔款含已核未付和在途件预估"
        />
        <ChartCard
          title="保司排行"
          view="INSURER"
          of={insurers}
          chart={drawn.insurers}
          onExport={exporting}
          onPick={(index) => setParams({ insurerIds: [insurers.data?.rows[index]?.key ?? ''] })}
          pickable={(index) => insurers.data?.rows[index]?.key !== ''}
        />
        <ChartCard
          title="产品排行"
          view="PRODUCT"
          of={products}
          chart={drawn.products}
          onExport={exporting}
          onPick={(index) => {
            const key = products.data?.rows[index]?.key;
            if (key) setParams({ productIds: [key] });
          }}
        />
        <ChartCard title="药品排行" view="DRUG" of={drugs} chart={drawn.drugs} onExport={exporting} />
        <ChartCard
          title={province === null ? '地区分布' : `地区分布 · ${divisionName(province)}`}
          view="PROVINCE"
          of={regions}
          chart={drawn.regions}
          onExport={exporting}
          onPick={province === null ? (index) => setProvince(regions.data?.rows[index]?.key ?? null) : undefined}
          pickable={(index) => regions.data?.rows[index]?.key !== ''}
          extra={
            province !== null && (
              <Button size="small" type="link" onClick={() => setProvince(null)}>
                返回全国
              </Button>
            )
          }
        />
        <ChartCard
          title="在途账龄"
          view="AGEING"
          of={ageing}
          chart={drawn.ageing}
          onExport={exporting}
          note="超过30天的为超法定核定时限30日"
        />
        <ChartCard title="核减原因" view="REASON" of={reasons} chart={drawn.reasons} onExport={exporting} />
        <ChartCard title="申报到已付" view="WATERFALL" of={reasons} chart={drawn.waterfall} onExport={exporting} wide />
        <ChartCard
          title="控费节省"
          view="SAVING"
          of={reasons}
          chart={drawn.savings}
          onExport={exporting}
          wide
          onPick={may(controlPermissions['control.view']) ? showHits : undefined}
        />
      </div>
      {layers.shown}
    </div>
  );
}
