import { lazy } from 'react';
import { PageParts } from '#kernel/web/kit/PageParts.tsx';
import { Hospitals } from './Hospitals.tsx';

// Each further part is fetched when its tab is opened.
const Merges = lazy(async () => ({ default: (await import('./Merges.tsx')).Merges }));
const Pairs = lazy(async () => ({ default: (await import('./Pairs.tsx')).Pairs }));
const Quality = lazy(async () => ({ default: (await import('./Quality.tsx')).Quality }));
const StandardDepartments = lazy(async () => ({ default: (await import('./StandardDepartments.tsx')).StandardDepartments }));

const parts = [
  { key: 'hospitals', label: '医院维护', content: Hospitals },
  { key: 'duplicates', label: '疑似重复', content: Pairs },
  { key: 'merges', label: '合并记录', content: Merges },
  { key: 'quality', label: '数据质量', content: Quality },
  { key: 'departments', label: '科室字典', content: StandardDepartments },
];

/** /hospitalManagementMaintenance: the workbench of data keepers. */
export default function HospitalMaintenance() {
  return <PageParts parts={parts} />;
}
