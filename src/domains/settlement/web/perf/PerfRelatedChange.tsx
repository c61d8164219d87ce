import { lazy } from 'react';
import { PageParts, type PagePart } from '#kernel/web/kit/PageParts.tsx';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { Changes } from './Changes.tsx';

const Imports = lazy(async () => ({ default: (await import('./Imports.tsx')).Imports }));

const parts: readonly PagePart[] = [
  { key: 'changes', label: '变更单', permission: may['perf.view'], content: Changes },
  { key: 'imports', label: '导入记录', permission: may['perf.audit'], content: Imports },
];

/** /perfRelatedChange 绩效关系变更. */
export default function PerfRelatedChange() {
  return <PageParts parts={parts} />;
}
