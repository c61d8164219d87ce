import { sql } from 'kysely';
import type { Db, Tx } from '../context.ts';

/** `lngE6` → `lng_e6`, as the columns are called. */
const columnOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Inserts many rows of one shape with one parameter; a statement with a parameter per value takes many times as long to
 * build and to send. Values are JSON: numbers, texts (also of bigint, numeric, date, timestamptz), arrays, objects for jsonb.
 * @param fields of the inserted rows that are answered
 */
export async function insertRecords<Field extends string = never>(
  db: Db | Tx,
  table: string,
  rows: readonly object[],
  fields: readonly Field[] = [],
): Promise<Record<Field, string>[]> {
  const [first] = rows;
  if (!first) return [];
  const columns = Object.keys(first).map((field) => [field, columnOf(field)] as const);
  const records = JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map(([field, column]) => [column, (row as Readonly<Record<string, unknown>>)[field]]))),
    (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
  );
  const names = sql.join(columns.map(([, column]) => sql.ref(column)));
  const answer = fields.length > 0 ? sql` returning ${sql.join(fields.map((field) => sql.ref(columnOf(field))))}` : sql``;
  const { rows: inserted } = await sql<Record<Field, string>>`
    insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(null::${sql.table(table)}, ${records}::jsonb)${answer}`.execute(db);
  return inserted;
}
