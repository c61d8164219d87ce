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
    return [{ path: path.join('.'), message: messageOf(issue, path.join('.')) }];
  });
}

/** The locale's own text of a wrong type names types in English; callers and operators get the field instead. */
function messageOf(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('无效输入')) return issue.message;
  if (path === '') return '请求内容须为JSON对象';
  return issue.message.endsWith('undefined') ? `缺少字段：${path}` : `字段格式不正确：${path}`;
}

/** PostgreSQL stores neither NUL nor half a surrogate pair, in text as in jsonb. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The value as the database can keep it: what it would refuse is shown as U+FFFD. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : value.toWellFormed().replaceAll('\0', '\uFFFD');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storable(inner)]));
}

/** Paths of all texts, keys included, that the database would refuse. */
function unstorableIn(value: unknown, path: readonly string[] = []): string[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [path.join('.')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (isStorable(key) ? unstorableIn(inner, [...path, key]) : [path.join('.')]));
}

/**
 * Checks what a caller sent against the call's schema.
 * @throws Refusal SCM90020 with one fault per field.
 */
export function checkInput(schema: z.ZodMiniType, body: unknown): unknown {
  const unstorable = unstorableIn(body);
  if (unstorable.length > 0) {
    throw refuse(platformErrors.MALFORMED, {
      fields: unstorable.map((path) => ({ path, message: '内容含有无法保存的字符，请删除后重试' })),
    });
  }
  const result = schema.safeParse(body ?? {});
  if (result.success) return result.data;
  throw refuse(platformErrors.MALFORMED, { fields: faultsOf(result.error.issues) });
}
