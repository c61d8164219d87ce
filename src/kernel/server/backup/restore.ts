import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { dayOf, type Instant } from '../../contract/time.ts';
import type { DatabaseAddress } from '../database/address.ts';
import { connectOwner, migrate, readMigrations, type Migration } from '../database/migrator.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import { StartFailure } from '../startFailure.ts';
import { DiskStorage } from '../storage/diskStorage.ts';
import type { ObjectStorage } from '../storage/objectStorage.ts';
import { columnsOf, foreignKeysOf, jobSchemaVersion, nameOf, tablesOf } from './catalogue.ts';
import { manifest, storedFile, type Manifest, type OnBackupStep, type StoredFile, type StoredTable } from './manifest.ts';

interface RestoreOptions {
  address: DatabaseAddress;
  storage: ObjectStorage;
  secrets: Secrets;
  folder: string;
  now: Instant;
  onStep?: OnBackupStep;
}

/** What a folder's backup says of itself. @throws StartFailure where it is no finished backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, 'backup.json');
  if (!existsSync(file)) throw new StartFailure(`${folder} holds no finished backup: it has no backup.json.`);
  const read = manifest.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (!read.success) throw new StartFailure(`${file} cannot be read by this version of the program.`);
  return read.data;
}

/** @throws StartFailure where the key is not the backup's. */
export function requireBackupKey({ keyId, keyCheck }: Pick<Manifest, 'keyId' | 'keyCheck'>, secrets: Secrets | null): void {
  if (secrets?.checkValue === keyCheck) return;
  throw new StartFailure(
    `The backup was encrypted with the key ${keyId}, which is not the present one. Set KANGQIAO_KEY to that key, or put its file into secrets/master.key of the data folder.`,
  );
}

const damaged = (what: string) => new StartFailure(`The backup is damaged: ${what}. Nothing of it was kept.`);

/** The program's migrations that the backup has run. */
function migrationsOf({ migrations }: Manifest): Migration[] {
  const known = new Map(readMigrations().map((migration) => [migration.name, migration]));
  return migrations.map(({ name, checksum }) => {
    const own = known.get(name);
    if (own?.checksum !== checksum)
      throw new StartFailure(
        `The backup was made by a newer version of the program (${name} is not known here). Restore it with that version.`,
      );
    return own;
  });
}

async function requireEmpty(client: pg.Client, storage: ObjectStorage): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('public', 'pgboss') limit 1`,
  );
  if (rows[0])
    throw new StartFailure(`The database is not empty (it has the table ${rows[0].name}). A backup is restored into an empty one.`);
  for await (const key of storage.keys())
    throw new StartFailure(`The file storage is not empty (${key}). A backup is restored into an empty one.`);
}

async function fill(client: pg.Client, folder: string, table: StoredTable): Promise<void> {
  const hash = createHash('sha256');
  const source = createReadStream(path.join(folder, 'tables', table.file));
  source.on('data', (chunk) => hash.update(chunk));
  const into = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
  try {
    await pipeline(source, createGunzip(), into);
  } catch (error) {
    throw damaged(`${table.file}: ${(error as Error).message}`);
  }
  if (hash.digest('hex') !== table.sha256) throw damaged(`${table.file} is not what was written`);
  if (into.rowCount !== table.rows) throw damaged(`${table.file} has ${into.rowCount} rows instead of ${table.rows}`);
}

/** All rows in one transaction; foreign keys are made again when all are there, which checks them. */
async function fillTables(client: pg.Client, { folder, onStep }: RestoreOptions, made: Manifest): Promise<void> {
  const tables = made.tables.filter(({ schema, name }) => !(schema === 'pgboss' && name === 'version'));
  await client.query('begin');
  const foreignKeys = await foreignKeysOf(client);
  for (const { table, name } of foreignKeys) await client.query(`alter table ${table} drop constraint ${name}`);
  const known = new Set((await tablesOf(client)).map(nameOf));
  for (const table of tables) {
    if (table.partition && !known.has(nameOf(table)))
      await client.query(
        `create table ${nameOf(table)} partition of ${nameOf({ schema: table.schema, name: table.partition.of })} ${table.partition.bound}`,
      );
  }
  for (const table of tables) await client.query(`alter table ${nameOf(table)} disable trigger user`);
  await client.query(`truncate ${tables.map(nameOf).join(', ')}`);
  for (const [index, table] of tables.entries()) {
    onStep?.({ doing: 'tables', name: table.name, at: index + 1, of: tables.length });
    await fill(client, folder, table);
  }
  for (const [index, { table, name, definition }] of foreignKeys.entries()) {
    onStep?.({ doing: 'constraints', name, at: index + 1, of: foreignKeys.length });
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const table of tables) await client.query(`alter table ${nameOf(table)} enable trigger user`);
  for (const { schema, name, lastValue, isCalled } of made.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [nameOf({ schema, name }), lastValue, isCalled]);
  await client.query('commit');
}

/** @param put keys that are written so far */
async function fillStorage({ folder, storage, secrets, onStep }: RestoreOptions, made: Manifest, put: string[]): Promise<void> {
  const list = await readFile(path.join(folder, 'files.ndjson'), 'utf8');
  if (createHash('sha256').update(list).digest('hex') !== made.files.sha256) throw damaged('files.ndjson is not what was written');
  const source = new DiskStorage({ folder: path.join(folder, 'files'), secrets });
  const files: StoredFile[] = list
    .split('\n')
    .filter(Boolean)
    .map((line) => storedFile.parse(JSON.parse(line)));
  for (const [index, { key, sha256 }] of files.entries()) {
    if (index % 1_000 === 0) onStep?.({ doing: 'files', name: key, at: index + 1, of: files.length });
    const { body } = await source.get(key).catch(() => {
      throw damaged(`the file ${key} is missing`);
    });
    const written = await storage.put(key, body, { contentType: 'application/octet-stream' });
    put.push(key);
    if (written.sha256 !== sha256) throw damaged(`the file ${key} is not what was written`);
  }
}

/** Both were empty before: everything in them is ours. */
async function takeBack(client: pg.Client, storage: ObjectStorage, put: readonly string[]): Promise<void> {
  await client.query('rollback');
  await client.query('drop schema if exists pgboss cascade; drop schema public cascade; create schema public');
  for (const key of put) await storage.remove(key);
}

/**
 * Puts a backup into an empty database and an empty file storage. The program's own start brings it to a newer schema afterwards.
 * @throws StartFailure for another key, a database or storage that holds something, an unfinished, damaged or newer backup; both are empty
 * again then.
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { address, storage, secrets, folder, now } = options;
  const made = await readManifest(folder);
  requireBackupKey(made, secrets);
  const migrations = migrationsOf(made);
  const client = await connectOwner(address);
  try {
    await requireEmpty(client, storage);
    const put: string[] = [];
    try {
      await fillStorage(options, made, put);
      await migrate(address, now, migrations);
      const version = await jobSchemaVersion(client);
      if (version !== made.jobSchemaVersion)
        throw new StartFailure(
          `The job queue of the backup has version ${made.jobSchemaVersion}, this program's has ${version}. Restore it with the version of the program that made it (${dayOf(made.at)}).`,
        );
      await fillTables(client, options, made);
      return made;
    } catch (error) {
      await takeBack(client, storage, put);
      throw error;
    }
  } finally {
    await client.end();
  }
}
