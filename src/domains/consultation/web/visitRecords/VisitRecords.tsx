import { useData } from '../../../../kernel/web/http/queries.ts';
import { PageParts } from '../../../../kernel/web/kit/PageParts.tsx';
import { queryVisitRecordSums, type visitTabs } from '../../contract/calls/visits.ts';
import { Visits } from './Visits.tsx';

const labels: Record<(typeof visitTabs)[number], string> = {
  all: '全部',
  waiting: '待接诊',
  serving: '问诊中',
  draft: '待完善小结',
  confirm: '待医生确认',
  archived: '已归档',
  closed: '退诊与超时',
};
const parts = (Object.keys(labels) as (typeof visitTabs)[number][]).map((key) => {
  const fixed = { tab: key };
  return { key, label: labels[key], content: () => <Visits fixed={fixed} /> };
});
const EVERY_MS = 60_000;

/** /visitRecords 就诊记录: every inquiry with its medical summary. */
export default function VisitRecords() {
  const { data } = useData(queryVisitRecordSums, {}, { quiet: true, every: EVERY_MS });
  return (
    <PageParts parts={parts.map((part) => ({ ...part, label: data ? `${part.label}（${data.tabCounts[part.key]}）` : part.label }))} />
  );
}
