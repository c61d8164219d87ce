import * as z from 'zod/mini';
import { access, call } from '#kernel/contract/call.ts';
import { importFields, importStarted } from '#kernel/contract/importing.ts';
import { markPermissions as may } from '../permissions.ts';

export const MARK_BINDING_IMPORTER = 'content.markBinding';

export const importMarkBinding = call({
  host: 'admin',
  service: 'MarkService',
  operation: 'importMarkBinding',
  kind: 'command',
  shape: 'data',
  log: 'IMPORT',
  label: '导入打标记录',
  access: access.permission(may['mark.bind']),
  input: z.strictObject(importFields),
  output: importStarted,
});
