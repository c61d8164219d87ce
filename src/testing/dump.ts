import { sql } from 'kysely';
import type { Db } from '#kernel/server/context.ts';

/** One table of the database and all of its rows as text, jsonb as it is written. */
export interface DumpedTable {
  /** `schema.table`, the schema left out where it is `public`. */
  table: string;
  text: string;
}

/** Every table that holds rows, those of the job queue too, as a thief of a backup would read them. */
export async function dumpTables(db: Db): Promise<DumpedTable[]> {
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(
    db,
  );
  const tables: DumpedTable[] = [];
  for (const { schema, name } of rows) {
    const dumped = await sql<{
      text: string | null;
    }>`select string_agg(t::text, chr(10)) as text from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    tables.push({ table: schema === 'public' ? name : `${schema}.${name}`, text: dumped.rows[0]?.text ?? '' });
  }
  return tables;
}

/** Whether a secret stands in the rows, as text or as the hex of its bytes; alone, not as a part of a longer number or word. */
export function stands(text: string, secret: string): boolean {
  const hex = Buffer.from(secret).toString('hex');
  for (const form of [secret, hex]) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const around = `${text[at - 1] ?? ' '}${text[at + form.length] ?? ' '}`;
      if (form === hex || !/[0-9A-Za-z]/.test(around)) return true;
    }
  }
  return false;
}
