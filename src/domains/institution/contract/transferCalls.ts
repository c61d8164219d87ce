import * as z from 'zod/mini';
import { access, call } from '../../../kernel/contract/call.ts';
import { exportFields, exportQueued } from '../../../kernel/contract/exporting.ts';
import { importFields, importStarted } from '../../../kernel/contract/importing.ts';
import type { PermissionDeclaration } from '../../../kernel/contract/permission.ts';
import { applyFilters } from './applyCalls.ts';
import { duplicateFilters, mergeFilters } from './duplicateCalls.ts';
import { hospitalFilters } from './hospitalCalls.ts';
import { chainFilters, goodsFilters, licenceFilters } from './licenceCalls.ts';
import { institutionPermissions as may } from './permissions.ts';
import { changeFilters, storeFilters } from './storeCalls.ts';

const exporting = <const O extends string, S extends z.core.$ZodShape>(service: string, operation: O, label: string, permission: PermissionDeclaration, filters: S) =>
  call({
    host: 'admin', service, operation, shape: 'file', kind: 'command', log: 'EXPORT', label, timeout: 50_000, access: access.permission(permission),
    input: z.strictObject({ ...filters, ...exportFields }), output: exportQueued,
  });
export const exportHospitalList = exporting('HospitalService', 'exportHospitalList', '导出医院', may['hospital.export'], hospitalFilters);
export const exportDuplicateHospital = exporting('HospitalService', 'exportDuplicateHospital', '导出疑似重复医院', may['hospital.export'], duplicateFilters);
export const exportHospitalAuditList = exporting('HospitalService', 'exportHospitalAuditList', '导出医院申请', may['apply.export'], applyFilters);
export const exportDrugstoreList = exporting('DrugstoreService', 'exportDrugstoreList', '导出药店', may['store.export'], storeFilters);
export const exportStoreGoodsList = exporting('DrugstoreService', 'exportStoreGoodsList', '导出门店商品价格', may['store.export'], goodsFilters);
export const exportChainList = exporting('DrugstoreService', 'exportChainList', '导出连锁总部', may['store.export'], chainFilters);
export const exportMergeHospitalList = exporting('HospitalService', 'exportMergeHospitalList', '导出合并记录', may['hospital.export'], mergeFilters);
export const exportStoreChangeList = exporting('DrugstoreService', 'exportStoreChangeList', '导出药店变更', may['store.export'], changeFilters);
export const exportLicenceList = exporting('DrugstoreService', 'exportLicenceList', '导出到期证照', may['store.export'], licenceFilters);

const importing = <const O extends string>(service: string, operation: O, label: string, permission: PermissionDeclaration) =>
  call({
    host: 'admin', service, operation, shape: 'data', kind: 'command', log: 'IMPORT', label, access: access.permission(permission),
    input: z.strictObject({ ...importFields, rowMode: z._default(z.enum(['ADD_ONLY', 'UPSERT'], '导入方式不正确'), 'UPSERT') }), output: importStarted,
  });
export const importHospital = importing('HospitalService', 'importHospital', '导入医院', may['hospital.import']);
export const importDepartment = importing('HospitalService', 'importDepartment', '导入科室', may['hospital.import']);
export const importDrugstore = importing('DrugstoreService', 'importDrugstore', '导入药店', may['store.import']);
export const importStoreGoods = importing('DrugstoreService', 'importStoreGoods', '导入门店商品价格', may['store.import']);
