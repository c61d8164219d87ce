import * as z from 'zod/mini';
import { fieldFacts, unwrapped, type FieldFacts, type FieldKind } from '../../contract/field.ts';
import { emptyOf, faultOf, limitsOf } from '../../contract/fieldRules.ts';
import type { ImportCell, ImportCellType, ImportColumn } from './importer.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/**
 * A field of the call by its key, the same with other words for a table, a column that fills a field of another key (`from`), or a column
 * of the table's own.
 */
type ImportColumnChoice<T extends Shape> =
  | (keyof T & string)
  | (Partial<ImportColumn> & { key: keyof T & string })
  | (Partial<ImportColumn> & { key: string; from: keyof T & string })
  | ImportColumn;

const types: Readonly<Record<FieldKind, ImportCellType>> = {
  text: 'text',
  number: 'int',
  money: 'money',
  rate: 'bp',
  day: 'day',
  month: 'text',
  time: 'text',
  flag: 'dict',
  image: 'text',
  dict: 'dict',
  dicts: 'text',
};

const typeOf = ({ kind, mask }: FieldFacts): ImportCellType => (mask === 'mobile' || mask === 'idNo' ? mask : types[kind]);

/** Several values stand in one cell as a text, which its importer reads. */
const isList = (schema: z.ZodMiniType): boolean => {
  const inner = unwrapped(schema);
  return schema instanceof z.ZodMiniArray || (inner !== null && isList(inner));
};

/** The text as the schema keeps it; one that it refuses stays, and is a fault. */
function formedBy(schema: z.ZodMiniType, text: string): string {
  const read = schema.safeParse(text);
  return read.success && typeof read.data === 'string' ? read.data : text;
}

function ofField(key: string, schema: z.ZodMiniType): ImportColumn | null {
  const facts = fieldFacts(schema);
  if (!facts) return null;
  const { maxLength } = isList(schema) ? {} : limitsOf(schema);
  return {
    key,
    label: facts.label,
    type: typeOf(facts),
    required: emptyOf(schema).required,
    ...(maxLength !== undefined && { maxLength }),
    ...(facts.dictionary && { dictionary: facts.dictionary }),
    ...(facts.example && { example: facts.example }),
    ...(facts.mask && { sensitive: true }),
    ...(facts.kind === 'text' && !isList(schema) && { form: (text: string) => formedBy(schema, text) }),
    // A list and a yes are words in a cell. JSON has no big integers, and neither have the calls.
    ...(!isList(schema) &&
      facts.kind !== 'dicts' &&
      facts.kind !== 'flag' && {
        check: (value: ImportCell) => faultOf(schema, typeof value === 'bigint' ? Number(value) : value, facts.label),
      }),
  };
}

type KeyOf<C> = C extends string ? C : C extends { key: infer Key extends string } ? Key : never;

/** Columns of an import whose cells follow the rules of a call's fields: label, type, length, dictionary and check are the call's. */
export function importColumns<const T extends Shape, const C extends ImportColumnChoice<T>>(
  fields: T,
  choices: readonly C[],
): (ImportColumn & { key: KeyOf<C> })[] {
  return choices.map((choice) => ({ ...columnOf(fields, choice), key: (typeof choice === 'string' ? choice : choice.key) as KeyOf<C> }));
}

function columnOf<T extends Shape>(fields: T, choice: ImportColumnChoice<T>): ImportColumn {
  const { from, ...said } = typeof choice === 'string' ? { key: choice, from: undefined } : { from: undefined, ...choice };
  const { key } = said;
  const schema = fields[from ?? key];
  const own = schema ? ofField(key, schema) : null;
  if (own) return { ...own, ...said };
  if (typeof choice === 'string' || from !== undefined) throw new Error(`The contract labels no field ${from ?? key}`);
  if (choice.label === undefined || choice.type === undefined) throw new Error(`The column ${key} has neither label nor type`);
  return { ...choice, label: choice.label, type: choice.type };
}
