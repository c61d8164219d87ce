import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { field } from '#kernel/contract/field.ts';
import type { PermissionDeclaration } from '#kernel/contract/permission.ts';
import { institutionPermissions as may } from './permissions.ts';

/** An import of a table. */
const importing = <const O extends string>(service: string, operation: O, label: string, permission: PermissionDeclaration) =>
  call({
    host: 'admin',
    service,
    operation,
    shape: 'data',
    kind: 'command',
    log: 'IMPORT',
    label,
    access: access.permission(permission),
    input: z.strictObject({
      ...importFields,
      rowMode: field('导入方式', z._default(z.enum(['ADD_ONLY', 'UPSERT'], '导入方式不正确'), 'UPSERT')),
    }),
    output: importStarted,
  });

export const importHospital = importing('HospitalService', 'importHospital', '导入医院', may['hospital.import']);
export const importDepartment = importing('HospitalService', 'importDepartment', '导入科室', may['hospital.import']);
export const importDrugstore = importing('DrugstoreService', 'importDrugstore', '导入药店', may['store.import']);
export const importStoreGoods = importing('DrugstoreService', 'importStoreGoods', '导入门店商品价格', may['store.import']);
