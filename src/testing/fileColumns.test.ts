import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from './testApp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ demonstration: true });
});
afterAll(() => app.close());

interface Column {
  table: string;
  column: string;
  list: boolean;
}

/** Columns that name files, by their names: those of the file store itself are its own. */
async function fileColumns(): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.table_name as "table", c.column_name as "column", c.data_type = 'ARRAY' as list
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.table_schema = 'public' and c.table_name not like 'files\_%'
      and (c.column_name ~ '(^|_)file_ids?$' or c.column_name = 'attachment_ids') and c.data_type in ('bigint', 'ARRAY')
    order by 1, 2`.execute(app.db);
  return rows;
}

it('every file that a record of the demonstration names is one, and is used by a record of that domain', async () => {
  const columns = await fileColumns();
  expect(columns.length).toBeGreaterThan(20);
  const faults: string[] = [];
  for (const { table, column, list } of columns) {
    const id = list ? sql`unnest(x.${sql.ref(column)})` : sql`x.${sql.ref(column)}`;
    const { rows } = await sql<{ id: string }>`
      select v.id::text from (select ${id} as id from ${sql.table(table)} x) v
      where v.id is not null and not exists (
        select from files_file_object f left join files_file_link l on l.file_id = f.id
        where f.id = v.id and (split_part(l.owner_type, '.', 1) = split_part(${table}, '_', 1)
          -- What the product wrote itself for a record is kept by its retention.
          or (f.created_by is null and f.retain_until is not null)))
      limit 3`.execute(app.db);
    if (rows.length > 0) faults.push(`${table}.${column}: ${rows.map((row) => row.id).join(', ')}`);
  }
  expect(faults).toEqual([]);
});
