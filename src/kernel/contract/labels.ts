import type * as z from 'zod/mini';
import { field, ownFacts } from './field.ts';

type Schema = z.core.$ZodType;

/** What is inside a wrapper (optional, default, pipe, array …), where the name may be kept. */
function within(schema: Schema): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
    case 'success':
    case 'promise':
      return [def.innerType];
    case 'pipe':
      return [def.in, def.out];
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    case 'lazy':
      return [def.getter()];
    default:
      return [];
  }
}

/** The name of a field, looked for through its wrappers; a list answers to the name of its items. */
export function labelOf(schema: Schema): string | undefined {
  const own = ownFacts(schema)?.label;
  if (own !== undefined) return own;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const inner = def.type === 'array' ? [def.element] : within(schema);
  for (const one of inner) {
    const label = labelOf(one);
    if (label !== undefined) return label;
  }
  return undefined;
}

/** Gives a schema the name that another one has. */
export const namedAs = <T extends z.ZodMiniType>(origin: Schema, schema: T): T => {
  const label = labelOf(origin);
  return label === undefined ? schema : field(label, schema);
};

/** Names of the fields of a shape, for differences, conflicts and titles of columns. @throws when one has none. */
export function labelsOf<S extends Readonly<Record<string, Schema>>>(shape: S): { readonly [K in keyof S]: string } {
  const names = Object.entries(shape).map(([key, schema]) => {
    const label = labelOf(schema);
    if (label === undefined) throw new Error(`${key} has no label`);
    return [key, label] as const;
  });
  return Object.fromEntries(names) as { [K in keyof S]: string };
}

/** The schemas that a key of this schema's value may have. */
function below(schema: Schema, key: PropertyKey): readonly Schema[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const field = def.shape[String(key)];
      return field ? [field] : [];
    }
    case 'array':
      return [def.element];
    case 'tuple': {
      const item = def.items[Number(key)] ?? def.rest;
      return item ? [item] : [];
    }
    case 'record':
    case 'map':
      return [def.valueType];
    case 'set':
      return [def.valueType];
    default:
      return within(schema).flatMap((one) => below(one, key));
  }
}

/** The name of what a path leads to, else of the nearest thing around it that has one. */
export function labelAt(schema: Schema, path: readonly PropertyKey[]): string | undefined {
  let here: readonly Schema[] = [schema];
  let nearest: string | undefined;
  for (const key of path) {
    here = here.flatMap((one) => below(one, key));
    nearest = here.map(labelOf).find((label) => label !== undefined) ?? nearest;
  }
  return nearest;
}

/** Every field of a schema with its path; `*` matches any key or place. */
export function fieldsWithin(schema: Schema, path: readonly string[] = []): { path: readonly string[]; schema: Schema }[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) => [
        { path: [...path, key], schema: field },
        ...fieldsWithin(field, [...path, key]),
      ]);
    case 'array':
      return fieldsWithin(def.element, [...path, '*']);
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])].flatMap((item) => fieldsWithin(item, [...path, '*']));
    case 'record':
      return fieldsWithin(def.valueType, [...path, '*']);
    default:
      return within(schema).flatMap((one) => fieldsWithin(one, path));
  }
}
