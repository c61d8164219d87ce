import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type pg from 'pg';
import { getConstructionPlans, getMigrationPlans } from 'pg-boss';

const SCHEMA = 'pgboss';

/** The schema version that the installed pg-boss works with. */
function expectedVersion(): number {
  let folder = path.dirname(createRequire(import.meta.url).resolve('pg-boss'));
  while (path.basename(folder) !== 'pg-boss') folder = path.dirname(folder);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { pgboss: { schema: number } };
  return manifest.pgboss.schema;
}

/** Creates or lifts the job queue's own tables, so that the application's role needs no right to change tables. */
export async function migrateJobSchema(client: pg.ClientBase): Promise<void> {
  const found = await client.query<{ table: string | null }>(`select to_regclass('${SCHEMA}.version')::text as table`);
  if (!found.rows[0]?.table) {
    await client.query(getConstructionPlans(SCHEMA));
    return;
  }
  const { rows } = await client.query<{ version: number }>(`select version from ${SCHEMA}.version`);
  const version = Number(rows[0]?.version);
  if (version < expectedVersion()) await client.query(getMigrationPlans(SCHEMA, version));
}
