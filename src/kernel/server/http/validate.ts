import * as z from 'zod/mini';
import zhCN from 'zod/v4/locales/zh-CN.js';
import type { FieldFault } from '../../contract/envelope.ts';
import { platformErrors, refuse } from '../../contract/errors.ts';

// Rules without a text of their own speak Chinese too.
z.config(zhCN());

function faultsOf(issues: readonly z.core.$ZodIssue[], prefix: readonly PropertyKey[] = []): FieldFault[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: `不认识的字段：${key}` }));
    }
    if (issue.code === 'invalid_union' && issue.message === '') return faultsOf(issue.errors[0] ?? [], path);
    return [{ path: path.join('.'), message: issue.message }];
  });
}

/**
 * Checks what a caller sent against the call's schema.
 * @throws Refusal SCM90020 with one fault per field.
 */
export function checkInput(schema: z.ZodMiniType, body: unknown): unknown {
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw refuse(platformErrors.MALFORMED, { fields: faultsOf(result.error.issues) });
}
