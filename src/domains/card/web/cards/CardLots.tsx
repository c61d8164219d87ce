import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { Section } from '#kernel/web/detail/DetailLayout.tsx';
import type { CardDetails } from '../../contract/calls/cards.ts';
import { fundingModes, funders, lotKinds } from '../../contract/dictionaries.ts';

type Lot = CardDetails['lots'][number];
const lots: readonly Column<Lot>[] = [
  { key: 'lotNo', title: '资金批', width: 190 },
  { key: 'kind', title: '类型', kind: 'dict', dictionary: lotKinds, plain: true, width: 70 },
  { key: 'amount', title: '金额（元）', kind: 'money' },
  { key: 'used', title: '已用（元）', kind: 'money' },
  { key: 'held', title: '预占（元）', kind: 'money' },
  { key: 'left', title: '剩余（元）', kind: 'money' },
  {
    key: 'expireAt',
    title: '失效日期',
    width: 170,
    kind: 'custom',
    render: ({ expireAt, nearest, expired }) => {
      if (expireAt === null) return '长期';
      const day = plusDays(dayOf(expireAt), -1);
      if (expired) return <span className="kq-muted">{day} 已过期</span>;
      return nearest ? <span className="card-near">{day} 最先到期</span> : day;
    },
  },
  { key: 'funder', title: '出资方', width: 90, value: ({ funder }) => (funder ? funders.label(funder) : '—') },
  { key: 'fundingMode', title: '结算方式', width: 110, value: ({ fundingMode }) => (fundingMode ? fundingModes.label(fundingMode) : '—') },
];
export const Lots = ({ rows }: { rows: readonly Lot[] }) => <DataTable rows={rows} columns={lots} rowKey="lotId" empty="卡内没有资金" />;

type Benefit = CardDetails['times'][number];
const times: readonly Column<Benefit>[] = [
  { key: 'benefitName', title: '权益', width: 200 },
  { key: 'left', title: '剩余次数', kind: 'number' },
  { key: 'held', title: '预占次数', kind: 'number' },
  { key: 'used', title: '已用次数', kind: 'number' },
  { key: 'perMonthMax', title: '每月最多', width: 100, value: ({ perMonthMax }) => perMonthMax ?? '不限' },
];
type Entry = CardDetails['entries'][number];
const moves: readonly Column<Entry>[] = [
  { key: 'at', title: '时间', kind: 'time' },
  { key: 'label', title: '摘要', width: 110 },
  { key: 'kindLabel', title: '权益', width: 180 },
  { key: 'income', title: '增加', kind: 'number' },
  { key: 'outgo', title: '减少', kind: 'number' },
  { key: 'balance', title: '剩余', kind: 'number' },
];
export const Times = ({ rows, entries }: { rows: readonly Benefit[]; entries: readonly Entry[] }) => (
  <>
    <DataTable rows={rows} columns={times} rowKey="benefitId" empty="卡内没有次数" />
    <Section title="最近变动">
      <DataTable rows={entries} columns={moves} rowKey="id" empty="还没有变动" />
    </Section>
  </>
);
