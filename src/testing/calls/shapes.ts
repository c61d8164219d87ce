import type * as z from 'zod/mini';

// Bodies made from the schema of a call alone: right ones at the ends of what it takes, and wrong ones at each of their places.

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;
const takes = (schema: Schema, value: unknown): boolean => (schema as z.ZodMiniType).safeParse(value).success;

/** Which end of what a field takes. */
export type End = 'least' | 'most';

const LETTERS = [
  9_000, 4_000, 2_000, 1_000, 600, 500, 300, 255, 200, 128, 120, 100, 80, 64, 60, 50, 40, 32, 30, 20, 16, 11, 10, 8, 6, 4, 2, 1,
];
const FORMS = [
  'f47ac10b-58cc-4372-a567-0e02b2c3d479',
  '13800000000',
  '110101199001011237',
  '91310000MA1FL0000A',
  'https://example.com/a',
  'a@example.com',
  '08:30',
  '#1677ff',
  'C34.1',
  'A1',
  '张三',
  '110101',
  '国药准字H20000001',
  'a',
  '1',
];
/** In the order in which they are offered: the first that a field takes stands in the body. What none should take comes first. */
const TEXTS: Readonly<Record<End, readonly string[]>> = {
  least: ['0000-01-01', '0000-01-01T00:00:00Z', '0000-01', '1900-01-01', '1900-01-01T00:00:00+08:00', '1900-01', '1', '%', ...FORMS],
  most: [
    '9999-12-31',
    '9999-12-31T23:59:59-12:00',
    '9999-12',
    '2199-12-31',
    '2199-12-31T23:59:59.999+08:00',
    '2199-12',
    '9223372036854775807',
    ...LETTERS.map((letters) => String.raw`%_\'":;`.repeat(letters).slice(0, letters)),
    ...FORMS,
  ],
};
const SIZES = [
  Number.MAX_SAFE_INTEGER,
  2 ** 31 - 1,
  2 ** 15 - 1,
  999_999_999,
  10_000_000,
  1_000_000,
  100_000,
  9_999,
  999,
  365,
  100,
  60,
  23,
  10,
  5,
  2,
];
const NUMBERS: Readonly<Record<End, readonly number[]>> = {
  least: [...SIZES.map((size) => -size), -1, 0, 1, 2, 5, 10, 100],
  most: [...SIZES, 1, 0],
};

const first = (schema: Schema, values: readonly unknown[]): unknown => values.find((value) => takes(schema, value));

/** A value that the schema takes, as near to one of its ends as can be guessed; undefined: none was found. */
function valueAt(schema: Schema, end: End): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).flatMap(([key, field]) => {
          const value = valueAt(field, end);
          return value === undefined ? [] : [[key, value]];
        }),
      );
    case 'array': {
      const item = valueAt(def.element, end);
      return first(schema, [[item], [item, item], []]);
    }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return valueAt(def.innerType, end);
    case 'union':
      return def.options.map((option) => valueAt(option, end)).find((value) => value !== undefined && takes(schema, value));
    case 'enum':
      return Object.values(def.entries).at(end === 'least' ? 0 : -1);
    case 'literal':
      return def.values.at(end === 'least' ? 0 : -1);
    case 'boolean':
      return end === 'most';
    case 'record':
      return {};
    case 'pipe': {
      const within = valueAt(def.in, end);
      return takes(schema, within) ? within : first(schema, [...TEXTS[end], ...NUMBERS[end]]);
    }
    default:
      return first(schema, [...NUMBERS[end], ...TEXTS[end], null]);
  }
}

export const bodyAt = (schema: z.ZodMiniType, end: End): unknown => valueAt(schema, end) ?? {};

/** What no field, or the wrong one, takes. */
export const WRONG: readonly unknown[] = [
  [],
  [[[[]]]],
  null,
  'x',
  1,
  1.5,
  true,
  {},
  { wrong: { wrong: [] } },
  '0000-01-01',
  '9999-12-31',
  '2026-02-30',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
  '2026-01-01T00:00:00+23:59',
  '0000-01',
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  1e300,
  '9223372036854775808',
];

/** Every place of a value: the value itself, what its objects and the first of its lists hold. */
export function placesOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Array.isArray(value) ? value.slice(0, 1).map((one, at): [number, unknown] => [at, one]) : Object.entries(value);
  return [path, ...inside.flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

/** The value with something else at one place. */
export function withAt(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((one, at) => (at === key ? withAt(one, rest, other) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [name, name === key ? withAt(inner, rest, other) : inner]),
  );
}

export const readAt = (value: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((within, key) => (typeof within === 'object' && within !== null ? Reflect.get(within, key) : undefined), value);

/** Places at which two bodies differ from what is asked: for lists of faults. */
export const shownAt = (path: readonly (string | number)[], value: unknown) =>
  `${path.join('.') || '(body)'} = ${JSON.stringify(readAt(value, path))}`;
