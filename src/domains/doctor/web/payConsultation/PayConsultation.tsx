import { useData } from '#kernel/web/http/queries.ts';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { queryPayConsultationSum } from '../../contract/calls/consultOrders.ts';
import { consultOrderMachine } from '../../contract/orderStates.ts';
import { Orders } from './Orders.tsx';

const ALL = {};
const OVERDUE = { queue: 'OVERDUE' } as const;
const AUDIT = { queue: 'REFUND_AUDIT' } as const;
const All = () => <Orders fixed={ALL} />;
const Overdue = () => <Orders fixed={OVERDUE} />;
const Audit = () => <Orders fixed={AUDIT} />;
const ofStates = consultOrderMachine.dictionary.options.map(({ value, label }) => {
  const fixed = { state: [value] };
  return { key: value, label, content: () => <Orders fixed={fixed} /> };
});
const parts = [
  { key: 'ALL', label: '全部', content: All },
  ...ofStates,
  { key: 'OVERDUE', label: '接诊超时', content: Overdue },
  { key: 'REFUND_AUDIT', label: '待复核退款', content: Audit },
];
const EVERY_MS = 60_000;

/** /payConsultation 付费咨询: orders by state, what is overdue, and refunds that wait for a second person. */
export default function PayConsultation() {
  const { data } = useData(queryPayConsultationSum, {}, { quiet: true, every: EVERY_MS });
  return (
    <PageParts
      parts={parts.map(({ key, label, content }) => ({ key, content, label: data ? `${label}（${data.tabs[key] ?? 0}）` : label }))}
    />
  );
}
