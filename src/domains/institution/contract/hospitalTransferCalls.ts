import { applyFilters } from './applyCalls.ts';
import { duplicateFilters, mergeFilters } from './duplicateCalls.ts';
import { institutionPermissions as may } from './permissions.ts';
import { exporting, importing } from './transfer.ts';

export const exportDuplicateHospital = exporting(
  'HospitalService',
  'exportDuplicateHospital',
  '导出疑似重复医院',
  may['hospital.export'],
  duplicateFilters,
);
export const exportHospitalAuditList = exporting(
  'HospitalService',
  'exportHospitalAuditList',
  '导出医院申请',
  may['apply.export'],
  applyFilters,
);
export const exportMergeHospitalList = exporting(
  'HospitalService',
  'exportMergeHospitalList',
  '导出合并记录',
  may['hospital.export'],
  mergeFilters,
);
export const importHospital = importing('HospitalService', 'importHospital', '导入医院', may['hospital.import']);
export const importDepartment = importing('HospitalService', 'importDepartment', '导入科室', may['hospital.import']);
