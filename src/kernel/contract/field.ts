import * as z from 'zod/mini';
import { dictionaryOf, type AnyDictionary } from './dictionary.ts';
import type { SensitiveKind } from './masking.ts';

/** How a value is shown, written into tables and read from them. Rates are basis points, money is fen. */
export type FieldKind = 'text' | 'number' | 'money' | 'rate' | 'day' | 'month' | 'time' | 'flag' | 'image' | 'dict' | 'dicts';

/** What everybody says of a field: forms, tables, details, exports, import templates and refusals read it here. */
export interface FieldFacts {
  label: string;
  kind: FieldKind;
  /** The codes of `dict` and `dicts`. */
  dictionary?: AnyDictionary;
  /** Pixels of its column; default by kind. */
  width?: number;
  /** Sensitive: masked for who may not read it, and in exports unless plain. */
  mask?: SensitiveKind;
  /** An example of a right value, for empty inputs and import templates. */
  example?: string;
  /** The value in words, where it is neither a text nor a code: several things, a pair. */
  text?(value: unknown): string;
}

type Given = Partial<Omit<FieldFacts, 'label' | 'text'>>;

const fields = z.registry<FieldFacts>();
/** A schema that narrows another by checks is of its kind: registries look at what it came from. */
const kinds = z.registry<{ kind: FieldKind }>();

/** A schema that represents one kind of value wherever it is used (`instant`, `fen`). */
export function ofKind<S extends z.ZodMiniType>(kind: FieldKind, schema: S): S {
  kinds.add(schema, { kind });
  return schema;
}

/** The schema inside a wrapper (optional, nullable, default, what a pipe answers); null: it wraps nothing. */
export function unwrapped(schema: z.ZodMiniType): z.ZodMiniType | null {
  if (schema instanceof z.ZodMiniPipe) return schema.def.out instanceof z.ZodMiniTransform ? asMini(schema.def.in) : asMini(schema.def.out);
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniDefault ||
    schema instanceof z.ZodMiniReadonly
  ) {
    return asMini(schema.def.innerType);
  }
  return null;
}

const asMini = (schema: unknown): z.ZodMiniType | null => (schema instanceof z.ZodMiniType ? schema : null);

function derived(schema: z.ZodMiniType): Pick<FieldFacts, 'kind' | 'dictionary'> {
  const own = fields.get(schema);
  if (own) return { kind: own.kind, ...(own.dictionary && { dictionary: own.dictionary }) };
  const dictionary = dictionaryOf(schema);
  if (dictionary) return { kind: 'dict', dictionary };
  const known = kinds.get(schema);
  if (known) return { kind: known.kind };
  const inner = unwrapped(schema);
  if (inner) return derived(inner);
  if (schema instanceof z.ZodMiniArray) {
    const element = asMini(schema.def.element);
    const { dictionary } = element ? derived(element) : {};
    return dictionary ? { kind: 'dicts', dictionary } : { kind: 'text' };
  }
  // `several`: a list of codes, or one of them
  if (schema instanceof z.ZodMiniUnion) return derivedOfUnion(schema.def.options.map(asMini));
  if (schema instanceof z.ZodMiniBoolean) return { kind: 'flag' };
  return { kind: schema instanceof z.ZodMiniNumber ? 'number' : 'text' };
}

function derivedOfUnion(options: readonly (z.ZodMiniType | null)[]): Pick<FieldFacts, 'kind' | 'dictionary'> {
  const found = options.map((option) => (option ? derived(option) : { kind: 'text' as const }));
  return found.find(({ kind }) => kind === 'dicts' || kind === 'flag') ?? found[0] ?? { kind: 'text' };
}

/**
 * A field of a call: its schema with its Chinese label and what else is to be known of it. Kind and dictionary follow
 * from the schema where nothing else is said.
 * @returns the same schema with facts of its own; `text` and other labelled schemas may be shared, each use is labelled for itself.
 */
export function field<S extends z.ZodMiniType>(label: string, schema: S, more: Given & { text?(value: z.output<S>): string } = {}): S {
  const { text, ...given } = more;
  const inherited = fieldFacts(schema);
  const own = schema.clone();
  // The registry keeps facts of all schemas in one table; the caller passes a value of this very schema.
  const facts: FieldFacts = {
    ...inherited,
    ...derived(schema),
    ...given,
    label,
    ...(text && { text: (value) => text(value as z.output<S>) }),
  };
  fields.add(own, facts);
  return own;
}

/** What is known of this very schema, not of what it wraps. */
export const ownFacts = (schema: z.core.$ZodType): FieldFacts | undefined => fields.get(schema);

/** What is known of a field, also through what wraps it; undefined: nobody labelled it. */
export function fieldFacts(schema: z.ZodMiniType): FieldFacts | undefined {
  const own = fields.get(schema);
  if (own) return own;
  const inner = unwrapped(schema);
  return inner ? fieldFacts(inner) : undefined;
}

/** The fields of an object schema, through what wraps it; none where it is no object. */
export function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> {
  if (schema instanceof z.ZodMiniObject) return schema.shape as Readonly<Record<string, z.ZodMiniType>>;
  const inner = unwrapped(schema);
  return inner ? shapeOf(inner) : {};
}

/**
 * Facts of one field of an object schema, of an object within it by its path (`patient.name`). @throws where the contract does not label
 * it: a page or an export names a field that nobody declared.
 */
export function factsOf(schema: z.ZodMiniType, key: string): FieldFacts {
  const own = key.split('.').reduce<z.ZodMiniType | undefined>((within, part) => within && shapeOf(within)[part], schema);
  const facts = own && fieldFacts(own);
  if (!facts) throw new Error(`The contract labels no field ${key}`);
  return facts;
}

/** A value in words, as cells of tables and sheets show it. */
export function shownValue(facts: FieldFacts, value: unknown): unknown {
  if (facts.text && value !== null && value !== undefined) return facts.text(value);
  if (facts.kind === 'dicts' && Array.isArray(value))
    return value.map((code) => facts.dictionary?.label(String(code)) ?? String(code)).join('、');
  return value;
}

/** The keys of a shape as their own union: columns of a select, fields of a form. */
export const keysOf = <const T extends Readonly<Record<string, unknown>>>(shape: T) => Object.keys(shape) as Extract<keyof T, string>[];

/** The named fields of a record: `picked(hospital, hospitalFactKeys)` is what its form begins with. */
export function picked<T extends object, K extends keyof T>(record: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const some: Partial<Pick<T, K>> = {};
  for (const key of keys) some[key] = record[key];
  return some;
}

/** Every one of the fields that `keys` names; it holds all of them, as `keysOf` of a shape does. */
export const allOf = <T extends object, K extends keyof T>(record: T, keys: readonly K[]) => picked(record, keys) as Pick<T, K>;

/** The record without the named fields. */
export const without = <T extends object, K extends keyof T>(record: T, keys: readonly K[]) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.some((one) => one === key))) as Omit<T, K>;
