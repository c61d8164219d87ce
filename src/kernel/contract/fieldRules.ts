import type * as z from 'zod/mini';
import { brokenAt } from './between.ts';
import { sentenceFor } from './faults.ts';
import { fieldFacts, shapeOf, unwrapped } from './field.ts';

// What a schema says of a value before it is sent: forms, and imports of tables, ask it instead of writing the rule again.

/** zod/mini speaks no language of its own; what says this was given no text. */
const UNSAID = 'Invalid input';

const EMPTIES: readonly unknown[] = [undefined, '', null, []];

/** How the schema takes an empty field: nothing at all, an empty text, null or an empty list; `required` where it takes none. */
export function emptyOf(schema: z.ZodMiniType): { required: true } | { required: false; empty: unknown } {
  const empty = EMPTIES.findIndex((value) => schema.safeParse(value).success);
  return empty === -1 ? { required: true } : { required: false, empty: EMPTIES[empty] };
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/** The value as the schema wants it: an emptied field becomes its empty value. */
export function prepared(schema: z.ZodMiniType, value: unknown): unknown {
  if (!isEmpty(value)) return value;
  const taken = emptyOf(schema);
  return taken.required ? undefined : taken.empty;
}

/** How an empty field is filled: typed into, chosen from what there is, uploaded. */
type Verb = '输入' | '选择' | '上传';

/**
 * Why the schema refuses the value, in Chinese; null: it takes it.
 * @param verb how its control is filled; by its kind where nothing is said. A sentence of the schema's own for an empty field stays, unless
 * it asks to type what nobody types.
 */
export function faultOf(schema: z.ZodMiniType, value: unknown, label: string, verb?: Verb): string | null {
  const result = schema.safeParse(prepared(schema, value));
  if (result.success) return null;
  // What is there is refused as the server refuses it.
  if (!isEmpty(value)) return sentenceFor(schema, value, label);
  const message = messageIn(result.error.issues);
  const { dictionary, kind } = fieldFacts(schema) ?? {};
  if (verb !== undefined && verb !== '输入') return ownRequest(schema) ?? `请${verb}${label}`;
  if (dictionary !== undefined || kind === 'day' || kind === 'time') return `请选择${label}`;
  return kind === 'text' && message !== null ? message : `请输入${label}`;
}

/** The same of a list, without what is wrong within its items: their own fields say that. */
export function faultOfList(schema: z.ZodMiniType, value: unknown, label: string, verb: Verb): string | null {
  if (isEmpty(value)) return faultOf(schema, value, label, verb);
  const issues = schema.safeParse(value).error?.issues.filter(({ path }) => path.length === 0) ?? [];
  return issues.length === 0 ? null : (messageIn(issues) ?? `${label}格式不正确`);
}

/** The sentence of the first rule between fields that is told at this one and that a form's values break; null: none. */
export const faultBetween = (schema: z.ZodMiniType, name: string, values: Readonly<Record<string, unknown>>): string | null =>
  brokenAt(schema, name, inputFrom(schema, values));

/** The sentence in which the schema asks for what is chosen or uploaded (`请至少选择一个角色`). */
function ownRequest(schema: z.ZodMiniType): string | null {
  for (const value of EMPTIES) {
    const message = messageIn(schema.safeParse(value).error?.issues ?? []);
    if (message?.startsWith('请') && !message.startsWith('请输入')) return message;
  }
  return null;
}

function messageIn(issues: readonly z.core.$ZodIssue[]): string | null {
  const [issue] = issues;
  if (!issue) return null;
  if (issue.code === 'invalid_union' && issue.message === UNSAID) return messageIn(issue.errors[0] ?? []);
  return issue.message === UNSAID || issue.message === '' ? null : issue.message;
}

interface Limits {
  /** Characters of a text, or items of a list, at most. */
  maxLength?: number;
  least?: number;
  most?: number;
}

/** Bounds that a control can hold to while somebody types. */
export function limitsOf(schema: z.ZodMiniType): Limits {
  const inner = unwrapped(schema);
  const own: Limits = {};
  for (const check of schema.def.checks ?? []) {
    const { def } = check._zod;
    if (def.check === 'max_length' && 'maximum' in def && typeof def.maximum === 'number') own.maxLength = def.maximum;
    if (def.check === 'greater_than' && 'value' in def && typeof def.value === 'number') own.least = def.value;
    if (def.check === 'less_than' && 'value' in def && typeof def.value === 'number') own.most = def.value;
  }
  return inner ? { ...limitsOf(inner), ...own } : own;
}

/** The fields that an object schema takes, out of a record or of a form's values; emptied ones as the schema wants them. */
export function inputFrom(schema: z.ZodMiniType, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shapeOf(schema)).flatMap(([key, own]) => {
      const value = prepared(own, values[key]);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}
