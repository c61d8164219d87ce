import { PageParts } from '../../../../kernel/web/kit/PageParts.tsx';
import { Hospitals } from './Hospitals.tsx';
import { Merges } from './Merges.tsx';
import { Pairs } from './Pairs.tsx';
import { Quality } from './Quality.tsx';
import { StandardDepartments } from './StandardDepartments.tsx';

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
