import { resource } from '#kernel/web/list/ResourceList.tsx';
import { queryCheckList, queryFindingDetail, queryFindingList, queryFindingTotal, queryRunList } from '../../contract/calls/abnormal.ts';
import { insurerFilter } from '../shared/filters.ts';
import '../shared/policy.css';

/** What is read again after a finding moved or checks ran. */
export const findingRefreshes = [queryFindingList, queryFindingDetail, queryFindingTotal, queryCheckList, queryRunList];

const columns = [
  { key: 'checkCode', plain: true, required: true },
  'severity',
  'subject',
  'expected',
  'actual',
  'insurerName',
  'owner',
  'firstSeenAt',
  'timesSeen',
  'dueAt',
  { key: 'lastSeenAt', hidden: true },
  'state',
] as const;
const filters = [
  'checkCode',
  'severity',
  insurerFilter,
  'policyNo',
  { kind: 'days', names: ['firstSeenFrom', 'firstSeenTo'], label: '首次发现' },
  'overdue',
] as const;

export const allFindings = resource(queryFindingList, {
  routeKey: 'abnormalPolicyData',
  empty: '没有异常数据，每日 02:30 自动检查',
  filters: [...filters, 'state'],
  columns,
});
/** The state is what the tab says. */
export const findingsOfTab = resource(queryFindingList, {
  routeKey: 'abnormalPolicyData.tab',
  empty: '没有异常数据，每日 02:30 自动检查',
  filters,
  columns,
});
export const runs = resource(queryRunList, {
  routeKey: 'abnormalPolicyData.runs',
  empty: '还没有运行过检查',
  columns: [{ key: 'startedAt', required: true }, 'finishedAt', 'startedBy', 'checkCount', 'found', 'added', 'cleared'],
});
