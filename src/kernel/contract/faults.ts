import type * as z from 'zod/mini';
import { refusedAs } from './between.ts';
import type { FieldFault } from './envelope.ts';
import { labelAt } from './labels.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Faults that are told at most: whoever sends more of them sees enough, and their number is no work for us. */
export const MOST_FAULTS = 20;

/** Stands for "the schema has no text of its own": the text then comes from the field's name and the kind of fault. */
const UNTOLD = '';

function valueAt(value: unknown, path: Path): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Record<PropertyKey, unknown>)[key];
  }
  return here;
}

const counted = (origin: string, label: string, bound: string): string => {
  if (origin === 'string') return `${label}${bound}个字符`;
  return origin === 'array' || origin === 'set' || origin === 'map' ? `${label}${bound}项` : `${label}${bound}`;
};
const isCounted = (origin: string) => ['string', 'array', 'set', 'map'].includes(origin);

function textOf(issue: Issue, label: string, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined || value === null) return `请填写${label}`;
      return issue.expected === 'int' && typeof value === 'number' ? `${label}须为整数` : `${label}格式不正确`;
    case 'too_small':
      if (value === '' && issue.minimum === 1) return `请填写${label}`;
      return counted(issue.origin, label, `${isCounted(issue.origin) ? '至少' : '不能小于'}${String(issue.minimum)}`);
    case 'too_big':
      return counted(issue.origin, label, `${isCounted(issue.origin) ? '最多' : '不能大于'}${String(issue.maximum)}`);
    case 'invalid_format':
      return issue.format === 'date' ? `${label}格式应为YYYY-MM-DD` : `${label}格式不正确`;
    case 'invalid_value':
      return value === undefined || value === null ? `请选择${label}` : `${label}不在可选范围内`;
    case 'custom':
      return issue.params?.['calendar'] === true ? `${label}须在1900年至2199年之间` : `${label}格式不正确`;
    default:
      return `${label}格式不正确`;
  }
}

/** Of several forms that a value may have, the one that it came closest to. */
const closest = (branches: readonly (readonly Issue[])[]): readonly Issue[] =>
  branches.find((issues) => issues.every(({ path }) => path.length > 0)) ??
  branches.find((issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)) ??
  branches[0] ??
  [];

interface Sent {
  schema: z.ZodMiniType;
  body: unknown;
  /** Name of the whole, where it is the field of something. */
  label?: string;
}

function faultsOf(sent: Sent, issues: readonly Issue[], prefix: Path): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const issue of issues) {
    if (faults.length >= MOST_FAULTS) break;
    faults.push(...faultsOfIssue(sent, issue, prefix));
  }
  return faults.slice(0, MOST_FAULTS);
}

/** A name that a caller made up is shown as far as somebody reads it. */
const UNKNOWN_LETTERS = 64;

function faultsOfIssue(sent: Sent, issue: Issue, prefix: Path): FieldFault[] {
  const path = [...prefix, ...issue.path];
  const where = path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, MOST_FAULTS).map((key) => {
      const shown = key.slice(0, UNKNOWN_LETTERS);
      return { path: [...path, shown].join('.'), message: `不认识的字段：${shown}` };
    });
  }
  if (issue.message !== UNTOLD) return [{ path: where, message: issue.message }];
  if (issue.code === 'invalid_union' && valueAt(sent.body, path) !== undefined) {
    const inner = faultsOf(sent, closest(issue.errors), path);
    if (inner.length > 0) return inner;
  }
  const label = (path.length > 0 ? labelAt(sent.schema, path) : undefined) ?? sent.label;
  if (label === undefined && path.length === 0) return [{ path: where, message: '请求内容须为JSON对象' }];
  const value = valueAt(sent.body, path);
  const shown: Issue = issue.code === 'invalid_union' ? { ...issue, code: 'invalid_type', expected: 'unknown' } : issue;
  return [{ path: where, message: textOf(shown, label ?? '该项', value) }];
}

/**
 * Checks a value and says in Chinese what is wrong: in the schema's own words where it has some, else by the field's label.
 * The path names the field as it was sent, the message never does. `refusedAs`: every fault belongs to a rule with a code of its own, and
 * this is the first one's.
 */
export function checkAgainst<T extends z.ZodMiniType>(
  schema: T,
  body: unknown,
): { data: z.output<T>; faults: null } | { data: null; faults: FieldFault[]; refusedAs: string | null } {
  const result = schema.safeParse(body, { error: () => UNTOLD });
  if (result.success) return { data: result.data, faults: null };
  const { issues } = result.error;
  return { data: null, faults: faultsOf({ schema, body }, issues, []), refusedAs: issues.every(refusedAs) ? refusedAs(issues[0]!) : null };
}

/** Why the schema of one field refuses a value, as `checkAgainst` says it of a call that has the field. */
export function sentenceFor(schema: z.ZodMiniType, value: unknown, label: string): string | null {
  const result = schema.safeParse(value, { error: () => UNTOLD });
  return result.success ? null : (faultsOf({ schema, body: value, label }, result.error.issues, [])[0]?.message ?? null);
}
