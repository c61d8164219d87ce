import { PageParts } from '../../../../kernel/web/kit/PageParts.tsx';
import { onDemand } from '../shared/onDemand.tsx';
import { Hospitals } from './Hospitals.tsx';

// Each further part is fetched when its tab is opened.
const Merges = onDemand(async () => (await import('./Merges.tsx')).Merges);
const Pairs = onDemand(async () => (await import('./Pairs.tsx')).Pairs);
const Quality = onDemand(async () => (await import('./Quality.tsx')).Quality);
const StandardDepartments = onDemand(async () => (await import('./StandardDepartments.tsx')).StandardDepartments);

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
