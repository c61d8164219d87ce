import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { queryOrderSum } from '../../contract/calls/orders.ts';
import { orderMachine } from '../../contract/orderStates.ts';
import { AfterSales } from '../afterSales/AfterSales.tsx';
import { Orders } from './Orders.tsx';

const ALL = {};
const All = () => <Orders fixed={ALL} />;
const ofStates = orderMachine.dictionary.options.map(({ value, label }) => {
  const fixed = { state: [value] };
  return { key: value, label, content: () => <Orders fixed={fixed} /> };
});
const parts = [{ key: 'ALL', label: '全部', content: All }, ...ofStates, { key: 'afterSales', label: '售后', content: AfterSales }];
const EVERY_MS = 60_000;

/** /orderManagement 订单管理: orders by their state, and what came back of them. */
export default function OrderManagement() {
  const { data } = useData(queryOrderSum, {}, { quiet: true, every: EVERY_MS });
  return (
    <PageParts
      parts={parts.map(({ key, label, content }) => ({
        key,
        content,
        label: data && key !== 'afterSales' ? `${label}（${data.counts[key] ?? 0}）` : label,
      }))}
    />
  );
}
