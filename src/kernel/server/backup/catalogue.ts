import type pg from 'pg';
import type { Manifest, StoredTable } from './manifest.ts';

/** The product's tables and the job queue's. */
const SCHEMAS = ['public', 'pgboss'];

export type Table = Pick<StoredTable, 'schema' | 'name' | 'columns' | 'partition'>;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const nameOf = ({ schema, name }: { schema: string; name: string }) => `${quoted(schema)}.${quoted(name)}`;
export const columnsOf = ({ columns }: Pick<Table, 'columns'>) => columns.map(quoted).join(', ');

/** Every table that holds rows, with the columns that are written (those that PostgreSQL computes are not). */
export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ schema: string; name: string; columns: string[]; of: string | null; bound: string | null }>(
    `select n.nspname as schema, c.relname as name, p.relname as of, pg_get_expr(c.relpartbound, c.oid) as bound,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     join pg_namespace n on n.oid = c.relnamespace
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class p on p.oid = i.inhparent
     where c.relkind = 'r' and n.nspname = any($1) order by 1, 2`,
    [SCHEMAS],
  );
  return rows.map(({ schema, name, columns, of, bound }) => ({
    schema,
    name,
    columns: columns ?? [],
    partition: of !== null && bound !== null ? { of, bound } : null,
  }));
}

/** Current value of every sequence. */
export async function sequencesOf(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select schemaname as schema, sequencename as name from pg_sequences where schemaname = any($1) order by 1, 2`,
    [SCHEMAS],
  );
  const all: Manifest['sequences'] = [];
  for (const { schema, name } of rows) {
    const found = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${nameOf({ schema, name })}`,
    );
    all.push({ schema, name, lastValue: found.rows[0]!.last, isCalled: found.rows[0]!.called });
  }
  return all;
}

/** Foreign keys, as the statements that make them again. */
export async function foreignKeysOf(client: pg.ClientBase): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query<{ schema: string; table: string; name: string; definition: string }>(
    `select n.nspname as schema, t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
     where c.contype = 'f' and c.conparentid = 0 and n.nspname = any($1) order by 1, 2, 3`,
    [SCHEMAS],
  );
  return rows.map(({ schema, table, name, definition }) => ({
    table: nameOf({ schema, name: table }),
    name: quoted(name),
    definition,
  }));
}

export async function jobSchemaVersion(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version');
  return Number(rows[0]?.version);
}
