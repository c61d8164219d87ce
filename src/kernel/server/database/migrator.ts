import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Instant } from '../../contract/time.ts';
import { ignoreStep, type OnStep } from '../start/steps.ts';
import { StartFailure } from '../startFailure.ts';
import { clientConfig, describeAddress, type DatabaseAddress } from './address.ts';
import { isSameMigration } from './earlierChecksums.ts';
import { migrateJobSchema } from './jobSchema.ts';
import { ensureAllPartitions } from './partitions.ts';
import { ensureAppRole, grantRights } from './roles.ts';

const OLDEST = 150_000;
/** Any number, the same in every process: two that start at once migrate one after the other. */
const LOCK = 4_732_098_115;

const MIGRATIONS = path.join(import.meta.dirname, '../../../../migrations');

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
  /** Tables named by `-- append-only: table` comments. */
  appendOnly: readonly string[];
}

/** Reads `migrations/*.sql` in the order of their names. */
export function readMigrations(folder = MIGRATIONS): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n');
      const appendOnly = [...sql.matchAll(/^--\s*append-only:\s*(.+)$/gm)].flatMap((found) =>
        (found[1] ?? '').split(/[\s,]+/).filter(Boolean),
      );
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), appendOnly };
    });
}

/** A client of the owner, after the version check. */
export async function connectOwner(address: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(address));
  client.on('error', () => {}); // a lost connection fails the next query with its own message
  try {
    await client.connect();
  } catch (error) {
    throw new StartFailure(`The database ${describeAddress(address)} cannot be entered: ${(error as Error).message}`);
  }
  const { rows } = await client.query<{ number: string; text: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as text`,
  );
  if (Number(rows[0]?.number) < OLDEST) {
    await client.end();
    throw new StartFailure(`The database ${describeAddress(address)} is PostgreSQL ${rows[0]?.text}; 15 or newer is needed.`);
  }
  return client;
}

async function pending(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  await client.query(
    'create table if not exists kernel_migration (name text primary key, checksum text not null, applied_at timestamptz not null)',
  );
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from kernel_migration');
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const [name, checksum] of applied) {
    const file = byName.get(name);
    if (!file)
      throw new StartFailure(
        `This database was migrated by a newer version of the program (${name} is not known here). Start that version.`,
      );
    if (!isSameMigration(file, checksum))
      throw new StartFailure(
        `The migration ${name} was changed after this database had run it. Restore the file; changes go into a new migration.`,
      );
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

/**
 * Brings a database to the program's schema: own tables, job queue, the application's role and its rights, month partitions.
 * Forward only; each file in one transaction of its own; safe when several processes start at once.
 * @returns the names of the files that were run.
 * @throws StartFailure for a wrong server, a changed or unknown migration, or missing rights.
 */
export async function migrate(
  address: DatabaseAddress,
  now: Instant,
  migrations: readonly Migration[] = readMigrations(),
  onStep: OnStep = ignoreStep,
): Promise<string[]> {
  const client = await connectOwner(address);
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query('set client_min_messages = warning');
    const missing = await pending(client, migrations);
    for (const migration of missing) {
      onStep({ phase: 'migrations', name: migration.name, at: migrations.indexOf(migration) + 1, of: migrations.length });
      await client.query('begin');
      try {
        await client.query(migration.sql);
        await client.query('insert into kernel_migration (name, checksum, applied_at) values ($1, $2, $3)', [
          migration.name,
          migration.checksum,
          now,
        ]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback').catch(() => {}); // a lost connection has rolled back already
        throw new StartFailure(
          `The migration ${migration.name} failed: ${describeSqlError(error, migration.sql)}. Nothing of it was kept; start again when the cause is gone.`,
          { cause: error },
        );
      }
    }
    await migrateJobSchema(client);
    await ensureAppRole(client);
    await grantRights(client, new Set(migrations.flatMap((migration) => migration.appendOnly)));
    await ensureAllPartitions(client, now);
    return missing.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function describeSqlError(error: unknown, sql: string): string {
  const { message, position, detail } = error as { message: string; position?: string; detail?: string };
  const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : '';
  return `${message}${line}${detail ? `; ${detail}` : ''}`;
}
