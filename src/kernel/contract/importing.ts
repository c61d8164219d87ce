import * as z from 'zod/mini';
import { id, idOut } from './fields.ts';
import { field } from './field.ts';

/** Spread into the input of a domain's own `import…` call, beside the form of its page. */
export const importFields = {
  /** File uploaded with the purpose `IMPORT`. */
  fileId: field('导入文件', id),
  mode: field('导入方式', z._default(z.enum(['ALL_OR_NOTHING', 'VALID_ONLY'], '导入方式不正确'), 'ALL_OR_NOTHING')),
};

/** Output of an import call: the task whose check has begun. */
export const importStarted = z.strictObject({ importTaskId: idOut, batchNo: z.string() });
