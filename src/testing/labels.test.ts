import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { rulesOf } from '#kernel/contract/between.ts';
import type { Call } from '#kernel/contract/call.ts';
import { checkAgainst } from '#kernel/contract/faults.ts';
import { fieldFacts, shapeOf } from '#kernel/contract/field.ts';
import { faultBetween, faultOf as faultInForm, isEmpty } from '#kernel/contract/fieldRules.ts';
import { fieldsWithin, labelAt, labelOf } from '#kernel/contract/labels.ts';
import type { TestStaff } from './staff.ts';
import { startTestApp, type TestApp } from './testApp.ts';

// Every field that a caller can send has a Chinese name on its schema, and refusals speak of fields by these names.
let app: TestApp;
let calls: readonly Call[];
let everybody: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  calls = app.kernel.registry.calls;
  everybody = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
});
afterAll(() => app.close());

/** What `id` is called without a name of its own; a field that names another record says which. */
const NAMELESS_ID = '编号';

type Schema = z.core.$ZodType;
const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** A body of the schema's shape with `leaf` at each end; null where a schema has no parts. */
function bodyOf(schema: Schema, leaf: unknown): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, bodyOf(field, leaf) ?? leaf]));
    case 'array':
      return bodyOf(def.element, leaf) === null ? null : [bodyOf(def.element, leaf)];
    case 'record':
      return null;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return bodyOf(def.innerType, leaf);
    case 'pipe':
      return bodyOf(def.in, leaf);
    case 'union':
      return def.options.map((option) => bodyOf(option, leaf)).find((body) => body !== null) ?? null;
    default:
      return null;
  }
}

/** Wrong in turn: absent, of no type that a field takes, of the wrong one, and the right type beyond all bounds. */
const bodies = (schema: Schema): readonly unknown[] => {
  const shape = defOf(schema);
  const keys = shape.type === 'object' ? Object.keys(shape.shape) : [];
  const leaves: readonly unknown[] = [null, { wrong: 1 }, [{ wrong: 1 }], -1.5, '？'.repeat(9_000), 'x', true, [], ''];
  return [{}, ...leaves.flatMap((leaf) => [Object.fromEntries(keys.map((key) => [key, leaf])), bodyOf(schema, leaf)])];
};

/** Words of the checker's own language, and keys of ours. */
const CHECKER = /\b(invalid|expected|received|undefined|null|string|number|boolean|object|array|int|NaN)\b/i;
const UNKNOWN_KEY = /^不认识的字段：/;

function faultOf(call: Call, fault: { path: string; message: string }): string | null {
  const { path, message } = fault;
  if (UNKNOWN_KEY.test(message)) return null;
  const keys = path.split('.').filter((key) => /[a-z]/i.test(key));
  const named = keys.some((key) => new RegExp(`(^|[^A-Za-z0-9])${key.replace(/[^\w]/g, '.')}([^A-Za-z0-9]|$)`).test(message));
  const isChinese = /\p{Script=Han}/u.test(message) && !CHECKER.test(message) && !message.includes('该项');
  return named || !isChinese ? `${call.name} ${path}: ${message}` : null;
}

describe('every field of every call', () => {
  it('has a name of its own on its schema', () => {
    const nameless = calls.flatMap((call) =>
      fieldsWithin(call.input)
        .filter(({ path, schema }) => {
          const label = labelOf(schema);
          return label === undefined || !/\p{Script=Han}|^[A-Z]/u.test(label) || (label === NAMELESS_ID && path.at(-1) !== 'id');
        })
        .map(({ path }) => `${call.name} ${path.join('.')}`),
    );
    expect(nameless).toEqual([]);
  });

  it('is refused by its name, never by its key, whatever is wrong with it', () => {
    const faults = calls.flatMap((call) =>
      bodies(call.input).flatMap((body) => (checkAgainst(call.input, body).faults ?? []).map((fault) => faultOf(call, fault))),
    );
    expect([...new Set(faults.filter((fault) => fault !== null))]).toEqual([]);
  });

  it('is refused so over HTTP too', async () => {
    const wrong: string[] = [];
    const open = calls.filter(({ access, restricted }) => !['signed', 'participant', 'public'].includes(access.kind) && !restricted);
    let asked = 0;
    for (const call of open) {
      const body = bodyOf(call.input, { wrong: 1 });
      if (call.method === 'GET' || typeof body !== 'object' || body === null || Object.keys(body).length === 0) continue;
      const { envelope } = await app.send(call, body, { as: everybody });
      if (envelope.code !== 'SCM90020') wrong.push(`${call.name} answers ${envelope.code}`);
      wrong.push(...(envelope.fields ?? []).flatMap((fault) => faultOf(call, fault) ?? []));
      asked += 1;
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(400);
  });
});

const asMini = (schema: unknown): readonly z.ZodMiniType[] => (schema instanceof z.ZodMiniType ? [schema] : []);

/** Every object schema within an input that says something between its fields. */
function ruledWithin(schema: z.ZodMiniType): readonly z.ZodMiniType[] {
  if (schema instanceof z.ZodMiniObject) {
    const inner = Object.values(shapeOf(schema)).flatMap(ruledWithin);
    return rulesOf(schema).length > 0 ? [schema, ...inner] : inner;
  }
  const { def } = schema;
  const parts = ['element', 'innerType', 'in', 'out'].flatMap((key) => (key in def ? asMini(def[key as keyof typeof def]) : []));
  return parts.flatMap(ruledWithin);
}

const MOMENTS = ['2026-01-01', '2026-06-30', '2026-01-01T00:00:00.000Z', '2026-06-30T08:00:00.000Z', '09:00', '10:30'];
const PLAIN: readonly unknown[] = [
  undefined,
  null,
  '',
  true,
  false,
  0,
  1,
  5,
  50,
  9_999,
  30_000_000,
  120_000_000,
  '1234567890123456789',
  '1',
  'x',
  'CN',
  'H5',
  [],
  ['1'],
  ['1', '2', '3', '4', '5', '6'],
  ...MOMENTS,
];

/** Values that the field takes by itself, as different from each other as can be. */
function valuesOf(schema: z.ZodMiniType): readonly unknown[] {
  const facts = fieldFacts(schema);
  const codes = facts?.dictionary?.options.map(({ value }) => value) ?? [];
  const ends = [0, 1, 50, 72].flatMap((length) => [Array.from({ length }, (_, index) => String(index + 1))]);
  const own = [facts?.example, ...codes, ...codes.map((code) => [code]), [...codes], ...literalsOf(schema)];
  return [...own, ...PLAIN, ...ends].filter((value) => schema.safeParse(value).success).slice(0, 40);
}

/** The words of an enumeration that is no dictionary. */
function literalsOf(schema: z.ZodMiniType): readonly unknown[] {
  if (schema instanceof z.ZodMiniEnum) return Object.values(schema.def.entries);
  const { def } = schema;
  return ['innerType', 'out'].flatMap((key) => (key in def ? asMini(def[key as keyof typeof def]).flatMap(literalsOf) : []));
}

const combined = (keys: readonly string[], shape: Readonly<Record<string, z.ZodMiniType>>): readonly Record<string, unknown>[] =>
  keys.reduce<readonly Record<string, unknown>[]>(
    (all, key) => all.flatMap((some) => valuesOf(shape[key]!).map((value) => ({ ...some, [key]: value }))),
    [{}],
  );

describe('what a form refuses', () => {
  it('it refuses with the sentence of the server, field by field', () => {
    const leaves: readonly unknown[] = [{ wrong: 1 }, [{ wrong: 1 }], -1.5, '？'.repeat(9_000), 'x', true];
    const told = calls.flatMap(({ name, input }) =>
      Object.entries(shapeOf(input)).flatMap(([key, schema]) =>
        leaves.flatMap((leaf) => {
          const own = checkAgainst(input, { [key]: leaf }).faults?.find(({ path }) => path === key || path.startsWith(`${key}.`));
          const form = isEmpty(leaf) ? null : faultInForm(schema, leaf, labelOf(schema) ?? key);
          return (own?.message ?? null) === form ? [] : [`${name} ${key}: ${own?.message} / ${form}`];
        }),
      ),
    );
    expect(told).toEqual([]);
  });

  it('it refuses with the sentence of the server, between fields', async () => {
    const wrong: string[] = [];
    let rules = 0;
    for (const call of calls)
      for (const schema of ruledWithin(call.input))
        for (const { reads, at } of rulesOf(schema)) {
          rules += 1;
          const broken = combined(reads, shapeOf(schema)).find((values) => faultBetween(schema, at, values) !== null);
          if (!broken) {
            wrong.push(`${call.name} ${at}: nothing breaks the rule`);
            continue;
          }
          const form = faultBetween(schema, at, broken);
          const said = (faults: readonly { path: string; message: string }[] | undefined | null) =>
            faults?.find(({ path }) => path === at)?.message;
          if (said(checkAgainst(schema, broken).faults) !== form) wrong.push(`${call.name} ${at}: ${form}`);
          if (schema !== call.input || call.method === 'GET' || ['signed', 'participant'].includes(call.access.kind)) continue;
          const { envelope } = await app.send(call, broken, { as: everybody });
          if (said(envelope.fields) !== form)
            wrong.push(`${call.name} ${at}: ${form}, and answers ${envelope.code} ${said(envelope.fields)}`);
        }
    expect(wrong).toEqual([]);
    expect(rules).toBeGreaterThan(60);
  });
});

it('finds a name through everything that may stand around it', () => {
  const { input } = calls.find(({ operation }) => operation === 'addPharmaCompany')!;
  expect(labelAt(input, ['pvContact', 'email'])).toBe('药物警戒联系邮箱');
  expect(labelAt(input, ['roles', 0])).toBe('角色');
  expect(labelAt(input, ['nowhere'])).toBeUndefined();
});
