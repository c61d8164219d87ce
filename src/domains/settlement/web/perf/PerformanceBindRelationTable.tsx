import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Relations } from './Relations.tsx';

const Unbound = lazy(async () => ({ default: (await import('./Unbound.tsx')).Unbound }));
const Statistics = lazy(async () => ({ default: (await import('./Statistics.tsx')).Statistics }));
const Periods = lazy(async () => ({ default: (await import('./Periods.tsx')).Periods }));

const parts: readonly PagePart[] = [
  { key: 'relations', label: '绑定关系', permission: may['perf.view'], content: Relations },
  { key: 'unbound', label: '未绑定医生', permission: may['perf.view'], content: Unbound },
  { key: 'statistics', label: '业绩归属', permission: may['perf.view'], content: Statistics },
  { key: 'periods', label: '绩效月', permission: may['perf.view'], content: Periods },
];

/** /performanceBindRelationTable 绩效绑定关系. */
export default function PerformanceBindRelationTable() {
  return <PageParts parts={parts} />;
}
