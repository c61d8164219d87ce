import * as z from 'zod/mini';
import { field, fieldFacts } from './field.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Stored<T> = undefined extends T ? Exclude<T, undefined> | null : T;
type Answered<T extends Shape> = { [Key in keyof T]: z.ZodMiniType<Stored<z.output<T[Key]>>> };

/** What a value of this input looks like once it is stored: without defaults and conversions; what may be left out is null there. */
function stored(schema: z.ZodMiniType): z.ZodMiniType {
  if (schema instanceof z.ZodMiniPipe) {
    const { out } = schema.def;
    return out instanceof z.ZodMiniTransform || !(out instanceof z.ZodMiniType) ? z.unknown() : stored(out);
  }
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniReadonly) return innerOf(schema.def.innerType);
  if (schema instanceof z.ZodMiniNullable) return z.nullable(innerOf(schema.def.innerType));
  if (schema instanceof z.ZodMiniOptional) return z.nullable(innerOf(schema.def.innerType));
  return schema;
}

const innerOf = (schema: unknown): z.ZodMiniType => (schema instanceof z.ZodMiniType ? stored(schema) : z.unknown());

/**
 * The output fields of what is entered with these input fields, under the same labels: a row or a detail that shows
 * what a form took names each field once, in the form's contract.
 */
export function answered<const T extends Shape>(inputs: T): Answered<T> {
  const made = Object.entries(inputs).map(([key, schema]) => {
    const facts = fieldFacts(schema);
    const output = stored(schema);
    if (!facts) return [key, output];
    const { label, text, ...more } = facts;
    return [key, field(label, output, { ...more, ...(text && { text }) })];
  });
  // Each output has the type of its input's checked value by construction.
  return Object.fromEntries(made) as Answered<T>;
}

/** The same of a record that may go without each of them yet. */
export function answeredOrNull<const T extends Shape>(inputs: T) {
  const made = Object.entries<z.ZodMiniType>(answered(inputs)).map(([key, schema]) => {
    const facts = fieldFacts(schema);
    return [key, facts ? field(facts.label, z.nullable(schema)) : z.nullable(schema)];
  });
  return Object.fromEntries(made) as { [Key in keyof T]: z.ZodMiniType<Stored<z.output<T[Key]>> | null> };
}
