import type * as z from 'zod/mini';
import { fieldFacts, type FieldFacts, type FieldKind } from '../../contract/field.ts';
import { emptyOf, faultOf, limitsOf } from '../../contract/fieldRules.ts';
import type { ImportCell, ImportCellType, ImportColumn } from './importer.ts';

type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** A field of the call by its key, the same with other words for a table, or a column of the table's own. */
type ImportColumnChoice<T extends Shape> =
  | (keyof T & string)
  | (Partial<ImportColumn> & { key: keyof T & string; label?: string })
  | ImportColumn;

const types: Readonly<Record<FieldKind, ImportCellType>> = {
  text: 'text',
  number: 'int',
  money: 'money',
  rate: 'bp',
  day: 'day',
  time: 'text',
  flag: 'dict',
  image: 'text',
  dict: 'dict',
  dicts: 'text',
};

const typeOf = ({ kind, mask }: FieldFacts): ImportCellType => (mask === 'mobile' || mask === 'idNo' ? mask : types[kind]);

function ofField(key: string, schema: z.ZodMiniType): ImportColumn | null {
  const facts = fieldFacts(schema);
  if (!facts) return null;
  const { maxLength } = limitsOf(schema);
  return {
    key,
    label: facts.label,
    type: typeOf(facts),
    required: emptyOf(schema).required,
    ...(maxLength !== undefined && { maxLength }),
    ...(facts.dictionary && { dictionary: facts.dictionary }),
    ...(facts.example && { example: facts.example }),
    ...(facts.mask && { sensitive: true }),
    // A cell with several codes is a text that its importer reads. JSON has no big integers, and neither have the calls.
    ...(facts.kind !== 'dicts' && {
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
  const key = typeof choice === 'string' ? choice : choice.key;
  const schema = fields[key];
  const own = schema ? ofField(key, schema) : null;
  if (typeof choice === 'string') {
    if (!own) throw new Error(`The contract labels no field ${key}`);
    return own;
  }
  if (own) return { ...own, ...choice };
  if (choice.label === undefined || choice.type === undefined) throw new Error(`The column ${key} has neither label nor type`);
  return { ...choice, label: choice.label, type: choice.type };
}
