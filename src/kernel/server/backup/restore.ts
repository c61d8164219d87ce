import { createReadStream, existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { dayOf, type Instant } from '../../contract/time.ts';
import type { DatabaseAddress } from '../database/address.ts';
import { isSameMigration } from '../database/earlierChecksums.ts';
import { connectOwner, migrate, readMigrations, type Migration } from '../database/migrator.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import { StartFailure } from '../startFailure.ts';
import { DiskStorage } from '../storage/diskStorage.ts';
import type { ObjectStorage } from '../storage/objectStorage.ts';
import { columnsOf, foreignKeysOf, jobSchemaVersion, nameOf, tablesOf } from './catalogue.ts';
import { manifest, type Manifest, type OnBackupStep, type StoredFile, type StoredTable } from './manifest.ts';
import { isUnderWay, markUnderWay, takeBack, unmark } from './underWay.ts';
import { damaged, requireWhole } from './verify.ts';

interface RestoreOptions {
  address: DatabaseAddress;
  storage: ObjectStorage;
  secrets: Secrets;
  folder: string;
  now: Instant;
  onStep?: OnBackupStep;
}

/** What was read of a backup before anything is written. */
interface Whole {
  migrations: readonly Migration[];
  source: ObjectStorage;
  files: readonly StoredFile[];
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

/** The program's migrations that the backup has run. */
function migrationsOf({ migrations }: Manifest): Migration[] {
  const known = new Map(readMigrations().map((migration) => [migration.name, migration]));
  return migrations.map(({ name, checksum }) => {
    const own = known.get(name);
    if (!own || !isSameMigration(own, checksum))
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
  const source = createReadStream(path.join(folder, 'tables', table.file));
  const into = client.query(copyFrom(`copy ${nameOf(table)} (${columnsOf(table)}) from stdin`));
  try {
    await pipeline(source, createGunzip(), into);
  } catch (error) {
    throw damaged(`${table.file}: ${(error as Error).message}`);
  }
  if (into.rowCount !== table.rows) throw damaged(`${table.file} has ${into.rowCount} rows instead of ${table.rows}`);
}

/**
 * Fills table by table, each in a transaction of its own: one over all would need as many locks as there are tables and indexes. Foreign
 * keys are made again when all rows are there, which checks them.
 */
async function fillTables(client: pg.Client, { folder, onStep }: RestoreOptions, made: Manifest): Promise<void> {
  const tables = made.tables.filter(({ schema, name }) => !(schema === 'pgboss' && name === 'version'));
  const foreignKeys = await foreignKeysOf(client);
  for (const { table, name } of foreignKeys) await client.query(`alter table ${table} drop constraint ${name}`);
  const known = new Set((await tablesOf(client)).map(nameOf));
  for (const [index, table] of tables.entries()) {
    onStep?.({ doing: 'tables', name: table.name, at: index + 1, of: tables.length });
    await client.query('begin');
    if (table.partition && !known.has(nameOf(table)))
      await client.query(
        `create table ${nameOf(table)} partition of ${nameOf({ schema: table.schema, name: table.partition.of })} ${table.partition.bound}`,
      );
    await client.query(`alter table ${nameOf(table)} disable trigger user`);
    await client.query(`truncate ${nameOf(table)}`);
    await fill(client, folder, table);
    await client.query(`alter table ${nameOf(table)} enable trigger user`);
    await client.query('commit');
  }
  for (const [index, { table, name, definition }] of foreignKeys.entries()) {
    onStep?.({ doing: 'constraints', name, at: index + 1, of: foreignKeys.length });
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { schema, name, lastValue, isCalled } of made.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [nameOf({ schema, name }), lastValue, isCalled]);
}

async function fillStorage({ storage, onStep }: RestoreOptions, source: ObjectStorage, files: readonly StoredFile[]): Promise<void> {
  for (const [index, { key, sha256 }] of files.entries()) {
    if (index % 1_000 === 0) onStep?.({ doing: 'files', name: key, at: index + 1, of: files.length });
    const { body } = await source.get(key);
    const written = await storage.put(key, body, { contentType: 'application/octet-stream' });
    if (written.sha256 !== sha256) throw damaged(`the file ${key} is not what was written`);
  }
}

async function fillAll(client: pg.Client, options: RestoreOptions, made: Manifest, whole: Whole): Promise<void> {
  await client.query('set synchronous_commit = off; set statement_timeout = 0; set lock_timeout = 0');
  await fillStorage(options, whole.source, whole.files);
  await migrate(options.address, options.now, whole.migrations);
  const version = await jobSchemaVersion(client);
  if (version !== made.jobSchemaVersion)
    throw new StartFailure(
      `The job queue of the backup has version ${made.jobSchemaVersion}, this program's has ${version}. Restore it with the version of the program that made it (${dayOf(made.at)}).`,
    );
  await fillTables(client, options, made);
  // Whatever was not flushed yet is, with the mark's end.
  await client.query('set synchronous_commit = on');
  await unmark(client);
}

/** After a failure both are as empty as they were. What it was is never hidden by what stood in the way of that. */
async function takeBackAfter(error: unknown, { address, storage }: RestoreOptions): Promise<void> {
  try {
    // The connection may be what was lost, or stand in the middle of a transaction.
    const client = await connectOwner(address);
    await takeBack(client, storage).finally(() => client.end());
  } catch (second) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(
      `${reason}\nDatabase and files could not be emptied again (${(second as Error).message}): run the restore once more, it begins anew.`,
      { cause: error },
    );
  }
}

/**
 * Puts a backup into an empty database and an empty file storage, or into those that an interrupted restore has filled in part. The
 * program's own start brings it to a newer schema afterwards.
 * @throws StartFailure for another key, a database or storage that holds something, an unfinished, damaged or newer backup; both are empty
 * then.
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { address, storage, secrets, folder } = options;
  const made = await readManifest(folder);
  requireBackupKey(made, secrets);
  const migrations = migrationsOf(made);
  const source = new DiskStorage({ folder: path.join(folder, 'files'), secrets });
  const client = await connectOwner(address);
  let writing = false;
  try {
    if (await isUnderWay(client)) await takeBack(client, storage);
    else await requireEmpty(client, storage);
    const files = await requireWhole(folder, made, source, options.onStep);
    await markUnderWay(client);
    writing = true;
    await fillAll(client, options, made, { migrations, source, files });
  } catch (error) {
    // Before anything else, for it may stand in the middle of a transaction; one that is lost cannot be ended.
    await client.end().catch(() => undefined);
    if (writing) await takeBackAfter(error, options);
    throw error;
  }
  await client.end();
  return made;
}
