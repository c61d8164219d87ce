import * as z from 'zod/mini';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';
import { institutionPermissions as may } from './permissions.ts';

const hospitals = declareService('HospitalService');
const stores = declareService('DrugstoreService');
/** An import of a table. */
const table = {
  log: 'IMPORT',
  input: {
    ...importFields,
    rowMode: field('导入方式', z._default(z.enum(['ADD_ONLY', 'UPSERT'], '导入方式不正确'), 'UPSERT')),
  },
  output: importStarted,
} as const;

export const importHospital = hospitals.act({ ...table, operation: 'importHospital', label: '导入医院', access: may['hospital.import'] });
export const importDepartment = hospitals.act({
  ...table,
  operation: 'importDepartment',
  label: '导入科室',
  access: may['hospital.import'],
});
export const importDrugstore = stores.act({ ...table, operation: 'importDrugstore', label: '导入药店', access: may['store.import'] });
export const importStoreGoods = stores.act({
  ...table,
  operation: 'importStoreGoods',
  label: '导入门店商品价格',
  access: may['store.import'],
});
