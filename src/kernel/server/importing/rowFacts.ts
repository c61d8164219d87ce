import type * as z from 'zod/mini';
import { isEmpty } from '../../contract/fieldRules.ts';
import type { ParsedRow } from './importer.ts';

/**
 * What the filled cells of a row say, as the fields of the call take it. An empty cell says nothing, and neither does one
 * that its field refuses: the check of the column says so.
 * @param keys the columns of the template that are fields of the call
 */
export function rowFacts<S extends Readonly<Record<string, z.ZodMiniType>>, K extends keyof S & string>(
  fields: S,
  keys: readonly K[],
  { record }: Pick<ParsedRow, 'record'>,
): { [Key in K]?: z.output<S[Key]> } {
  const facts: { [Key in K]?: z.output<S[Key]> } = {};
  for (const key of keys) {
    const cell = record[key];
    if (isEmpty(cell)) continue;
    const read = fields[key]!.safeParse(typeof cell === 'bigint' ? Number(cell) : cell);
    if (read.success) facts[key] = read.data as z.output<S[K]>;
  }
  return facts;
}

/** The same where the row replaces the stored values: an empty cell is null. */
export const rowValues = <S extends Readonly<Record<string, z.ZodMiniType>>, K extends keyof S & string>(
  fields: S,
  keys: readonly K[],
  row: Pick<ParsedRow, 'record'>,
) => {
  const facts = rowFacts(fields, keys, row);
  return Object.fromEntries(keys.map((key) => [key, facts[key] ?? null])) as { [Key in K]: Exclude<z.output<S[Key]>, undefined> | null };
};

/** The columns of a template that are fields of the call under the same key. */
export const fieldColumns = <Column extends string, K extends string>(columns: readonly { key: Column }[], keys: readonly K[]) =>
  keys.filter((key): key is Extract<K, Column> => columns.some((column) => (column.key as string) === key));
