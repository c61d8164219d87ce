import * as z from 'zod/mini';
import { access, call } from '../../../kernel/contract/call.ts';
import { exportFields, exportQueued } from '../../../kernel/contract/exporting.ts';
import { importFields, importStarted } from '../../../kernel/contract/importing.ts';
import { field } from '../../../kernel/contract/field.ts';
import type { PermissionDeclaration } from '../../../kernel/contract/permission.ts';

/** An export of a list, filtered as the list is. */
export const exporting = <const O extends string, S extends z.core.$ZodShape>(
  service: string,
  operation: O,
  label: string,
  permission: PermissionDeclaration,
  filters: S,
) =>
  call({
    host: 'admin',
    service,
    operation,
    shape: 'file',
    kind: 'command',
    log: 'EXPORT',
    label,
    access: access.permission(permission),
    input: z.strictObject({ ...filters, ...exportFields }),
    output: exportQueued,
  });

/** An import of a table. */
export const importing = <const O extends string>(service: string, operation: O, label: string, permission: PermissionDeclaration) =>
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
