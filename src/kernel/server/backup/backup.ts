import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Instant } from '../../contract/time.ts';
import type { DatabaseAddress } from '../database/address.ts';
import { connectOwner } from '../database/migrator.ts';
import type { Secrets } from '../sensitive/secrets.ts';
import { writeDurably } from '../start/writeDurably.ts';
import { StartFailure } from '../startFailure.ts';
import { DiskStorage } from '../storage/diskStorage.ts';
import { ObjectMissing, type ObjectStorage } from '../storage/objectStorage.ts';
import { columnsOf, jobSchemaVersion, nameOf, sequencesOf, tablesOf, type Table } from './catalogue.ts';
import { FORMAT, type Manifest, type OnBackupStep, type StoredFile, type StoredTable } from './manifest.ts';

interface BackupOptions {
  address: DatabaseAddress;
  storage: ObjectStorage;
  secrets: Secrets;
  /** Made here; must not hold anything yet. */
  folder: string;
  now: Instant;
  onStep?: OnBackupStep;
}

const keyIdOf = (secrets: Secrets): string => secrets.encrypt('').split('.')[0]!;

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new StartFailure(`The folder ${folder} is not empty. A backup goes into a folder of its own.`);
  await mkdir(path.join(folder, 'tables'), { mode: 0o700 });
}

/** Passes bytes on and adds them up in a hash. */
function hashing() {
  const hash = createHash('sha256');
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { through, digest: () => hash.digest('hex') };
}

async function copyTable(client: pg.Client, table: Table, folder: string): Promise<StoredTable> {
  const file = `${table.schema}.${table.name}.copy.gz`;
  const source = client.query(copyTo(`copy (select ${columnsOf(table)} from only ${nameOf(table)}) to stdout`));
  const { through, digest } = hashing();
  await pipeline(source, createGzip({ level: 3 }), through, createWriteStream(path.join(folder, 'tables', file), { mode: 0o600 }));
  return { ...table, rows: source.rowCount, file, sha256: digest() };
}

/** Files whose keys are not in the backup yet. One that is removed while we come to it is no longer anybody's. */
async function copyFiles({ storage, onStep }: BackupOptions, target: ObjectStorage, copied: Map<string, StoredFile>): Promise<void> {
  for await (const key of storage.keys()) {
    if (copied.has(key)) continue;
    try {
      const { body } = await storage.get(key);
      copied.set(key, { key, ...(await target.put(key, body, { contentType: 'application/octet-stream' })) });
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error;
      continue;
    }
    if (copied.size % 1_000 === 0) onStep?.({ doing: 'files', name: key, at: copied.size, of: 0 });
  }
}

/**
 * Writes database and files into a folder, while the program runs: all rows are those of one moment, and every file that they name is
 * there. The master key is not in it.
 * @throws StartFailure where the folder holds something or the database cannot be entered.
 */
export async function backup(options: BackupOptions): Promise<Manifest> {
  const { address, secrets, folder, now, onStep } = options;
  await makeFolder(folder);
  const target = new DiskStorage({ folder: path.join(folder, 'files'), secrets });
  const files = new Map<string, StoredFile>();
  // Files before the rows that name them, and once more those that came in the meantime: none that a row names is missing,
  // though files are removed and added while this runs.
  await copyFiles(options, target, files);
  const client = await connectOwner(address);
  try {
    await client.query('begin isolation level repeatable read read only');
    const tables = await tablesOf(client);
    // No partition is dropped before it has been read.
    await client.query(`lock table ${tables.map((table) => `only ${nameOf(table)}`).join(', ')} in access share mode`);
    const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from kernel_migration order by name',
    );
    const stored: StoredTable[] = [];
    for (const [index, table] of tables.entries()) {
      onStep?.({ doing: 'tables', name: table.name, at: index + 1, of: tables.length });
      stored.push(await copyTable(client, table, folder));
    }
    const made: Omit<Manifest, 'files'> = {
      format: FORMAT,
      at: now,
      keyId: keyIdOf(secrets),
      keyCheck: secrets.checkValue,
      migrations,
      jobSchemaVersion: await jobSchemaVersion(client),
      tables: stored,
      // Read after the rows: a sequence may run ahead of them, never behind.
      sequences: await sequencesOf(client),
    };
    await client.query('commit');
    await copyFiles(options, target, files);
    const list = [...files.values()].map((file) => `${JSON.stringify(file)}\n`).join('');
    writeDurably(path.join(folder, 'files.ndjson'), list, 0o600);
    const whole: Manifest = {
      ...made,
      files: {
        count: files.size,
        bytes: [...files.values()].reduce((sum, { size }) => sum + size, 0),
        sha256: createHash('sha256').update(list).digest('hex'),
      },
    };
    writeDurably(path.join(folder, 'backup.json'), `${JSON.stringify(whole, null, 1)}\n`, 0o600);
    return whole;
  } finally {
    await client.end();
  }
}
