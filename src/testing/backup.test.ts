import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { backup } from '#kernel/server/backup/backup.ts';
import { nameOf, sequencesOf, tablesOf } from '#kernel/server/backup/catalogue.ts';
import type { OnBackupStep } from '#kernel/server/backup/manifest.ts';
import { restore } from '#kernel/server/backup/restore.ts';
import { requireWholeRestore } from '#kernel/server/backup/underWay.ts';
import { withDatabase, type DatabaseAddress } from '#kernel/server/database/address.ts';
import { connectOwner } from '#kernel/server/database/migrator.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { DiskStorage } from '#kernel/server/storage/diskStorage.ts';
import { startTestApp, TEST_NOW, type TestApp } from './testApp.ts';
import { TEST_MASTER_KEY } from './testConfig.ts';

const PATIENCE = 400_000;
const root = path.join(import.meta.dirname, '../..');
const secrets = makeSecrets(TEST_MASTER_KEY);

/** A product that nobody has used, with its backup: what is refused and how an end is taken back does not depend on how much there is. */
let app: TestApp;
let folder: string;
/** The whole demonstration. */
let demo: TestApp;
let demoFolder: string;
const folders: string[] = [];
const databases: string[] = [];

const file = { purpose: 'CONTENT', body: Buffer.from('%PDF-1.4'), contentType: 'application/pdf', createdBy: null };

const newFolder = () => {
  const made = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-backup-'));
  folders.push(made);
  return made;
};

async function emptyDatabase(): Promise<DatabaseAddress> {
  const name = `kq_restore_${process.pid}_${databases.length}`;
  const owner = await connectOwner(withDatabase(inject('templateAddress'), 'postgres'));
  await owner.query(`create database ${name} template template0`);
  await owner.end();
  databases.push(name);
  return withDatabase(inject('templateAddress'), name);
}

/** Every table's rows as one hash, every sequence's place. */
async function contentOf(address: DatabaseAddress): Promise<unknown> {
  const owner = await connectOwner(address);
  try {
    const tables: Record<string, string> = {};
    for (const table of await tablesOf(owner)) {
      const { rows } = await owner.query<{ hash: string }>(
        `
          select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as hash
            from only ${nameOf(table)} t`,
      );
      tables[nameOf(table)] = rows[0]!.hash;
    }
    return { tables, sequences: await sequencesOf(owner) };
  } finally {
    await owner.end();
  }
}

const storageIn = (where: string) => new DiskStorage({ folder: where, secrets });
const keysOf = async (storage: DiskStorage | TestApp['kernel']['storage']) => {
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  return keys.toSorted();
};

const urlOf = (address: DatabaseAddress) =>
  'url' in address
    ? address.url
    : `postgresql://${address.user}:${encodeURIComponent(address.password)}@localhost:${address.port}/${address.database}?host=${encodeURIComponent(address.host)}`;

/** A command of the product, as it is called on the machine. */
function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, command), ...args], { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** Starts a command and kills it when it writes this. */
function killedAt(line: string, command: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(root, command), ...args], { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(line)) child.kill('SIGKILL');
    });
    child.on('close', (_code, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error(`It ended by itself: ${output}`))));
  });
}

beforeAll(async () => {
  [app, demo] = [await startTestApp(), await startTestApp({ demonstration: true })];
  await app.kernel.transactions.run('probe', ({ tx }) => app.kernel.ports.files.store(tx, { ...file, name: 'kept.pdf' }, TEST_NOW));
  [folder, demoFolder] = [path.join(newFolder(), 'monday'), path.join(newFolder(), 'monday')];
  for (const [{ database, kernel }, into] of [[app, folder] as const, [demo, demoFolder] as const])
    await backup({ address: database.address, storage: kernel.storage, secrets, folder: into, now: TEST_NOW });
}, PATIENCE);
afterEach(async () => {
  const owner = await connectOwner(withDatabase(inject('templateAddress'), 'postgres'));
  for (const name of databases.splice(0)) await owner.query(`drop database if exists ${name} with (force)`);
  await owner.end();
});
afterAll(async () => {
  await app.close();
  await demo.close();
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});

describe('a backup', () => {
  it('is not written over anything', async () => {
    await expect(backup({ address: app.database.address, storage: app.kernel.storage, secrets, folder, now: TEST_NOW })).rejects.toThrow(
      'is not empty',
    );
  });

  it(
    'is refused with another key, into what is not empty, unfinished, newer or damaged, and leaves everything empty then',
    async () => {
      const address = await emptyDatabase();
      const files = newFolder();
      const attempt = (changed: Partial<Parameters<typeof restore>[0]> = {}) =>
        restore({ address, storage: storageIn(files), secrets, folder, now: TEST_NOW, ...changed });
      const manifest = path.join(folder, 'backup.json');
      const whole = readFileSync(manifest, 'utf8');
      const changedTo = async (text: string, message: string) => {
        writeFileSync(manifest, text);
        await expect(attempt()).rejects.toThrow(message);
        writeFileSync(manifest, whole);
      };

      await expect(attempt({ secrets: makeSecrets(Buffer.alloc(32, 9)) })).rejects.toThrow('is not the present one');
      await expect(attempt({ address: app.database.address })).rejects.toThrow('The database is not empty');
      await expect(attempt({ storage: app.kernel.storage })).rejects.toThrow('The file storage is not empty');
      await expect(attempt({ folder: newFolder() })).rejects.toThrow('holds no finished backup');
      await changedTo('{}', 'cannot be read by this version');
      await changedTo(whole.replace('202611211000_identity_staff.sql', '203011211000_identity_staff.sql'), 'newer version');
      await changedTo(whole.replace(/("name": "identity_role",[^}]*"rows": )\d+/, '$17777'), 'instead of 7777');
      await changedTo(whole.replace(/("file": "public.identity_role.copy.gz",\s*"sha256": ")\w{4}/, '$10000'), 'is not what was written');
      const list = path.join(folder, 'files.ndjson');
      const listed = readFileSync(list, 'utf8');
      writeFileSync(list, listed.replace('"size"', '"size" '));
      await expect(attempt()).rejects.toThrow('files.ndjson is not what was written');
      writeFileSync(list, listed);
      const [first] = await keysOf(storageIn(path.join(folder, 'files')));
      const bytes = readFileSync(path.join(folder, 'files', first!));
      writeFileSync(path.join(folder, 'files', first!), Buffer.concat([bytes, Buffer.from('x')]));
      await expect(attempt()).rejects.toThrow(`the file ${first} is not what was written`);
      writeFileSync(path.join(folder, 'files', first!), bytes);

      expect(await contentOf(address)).toEqual({ tables: {}, sequences: [] });
      expect(await keysOf(storageIn(files))).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'is read to its last byte before anything is filled; what fails later is taken back and says its own reason first',
    async () => {
      const address = await emptyDatabase();
      const storage = storageIn(newFolder());
      const steps = new Set<string>();
      const attempt = (onStep: OnBackupStep = ({ doing }) => steps.add(doing)) =>
        restore({ address, storage, secrets, folder, now: TEST_NOW, onStep });
      const table = path.join(folder, 'tables', 'public.kernel_setting.copy.gz');
      const bytes = readFileSync(table);
      const flipped = Buffer.from(bytes);
      flipped[flipped.length >> 1]! ^= 1;
      writeFileSync(table, flipped);
      await expect(attempt()).rejects.toThrow('public.kernel_setting.copy.gz is not what was written');
      expect([...steps]).toEqual(['hashes']);
      writeFileSync(table, bytes);

      const failing: OnBackupStep = ({ doing }) => {
        if (doing === 'tables') throw new Error('the plug was pulled');
      };
      storage.remove = () => Promise.reject(new Error('the disk is gone'));
      await expect(attempt(failing)).rejects.toThrow(
        'the plug was pulled\nDatabase and files could not be emptied again (the disk is gone): run the restore once more, it begins anew.',
      );
      await expect(requireWholeRestore(address)).rejects.toThrow('was interrupted or is going on. Run it again');
      Reflect.deleteProperty(storage, 'remove');
      await expect(attempt(failing)).rejects.toThrow(/^the plug was pulled$/);
      expect(await contentOf(address)).toEqual({ tables: {}, sequences: [] });
      expect(await keysOf(storage)).toEqual([]);
      await requireWholeRestore(address);
    },
    PATIENCE,
  );

  it(
    'comes back whole: rows, sequences and files',
    async () => {
      const address = await emptyDatabase();
      const files = newFolder();
      const before = await contentOf(demo.database.address);
      await restore({ address, storage: storageIn(files), secrets, folder: demoFolder, now: TEST_NOW });
      expect(await contentOf(address)).toEqual(before);
      expect(await keysOf(storageIn(files))).toEqual(await keysOf(demo.kernel.storage));
      const again = path.join(newFolder(), 'again');
      const made = await backup({ address, storage: storageIn(files), secrets, folder: again, now: TEST_NOW });
      expect(made.tables.map(({ name, rows }) => [name, rows])).toEqual(
        (JSON.parse(readFileSync(path.join(demoFolder, 'backup.json'), 'utf8')) as typeof made).tables.map(({ name, rows }) => [
          name,
          rows,
        ]),
      );
    },
    PATIENCE,
  );

  it(
    'is of one moment, with every file that its rows name, though people work meanwhile',
    async () => {
      const busy = path.join(newFolder(), 'busy');
      let [working, written] = [true, 0];
      const work = (async () => {
        while (working) {
          await app.kernel.transactions.run('probe', async ({ tx }) => {
            await app.kernel.ports.files.store(tx, { ...file, name: 'moment.pdf' }, TEST_NOW);
            await sql`insert into kernel_setting (name, value, at) values (${`probe.${written}`}, '1', ${TEST_NOW})`.execute(tx);
          });
          written += 1;
        }
      })();
      await expect.poll(() => written).toBeGreaterThan(0);
      const made = await backup({ address: app.database.address, storage: app.kernel.storage, secrets, folder: busy, now: TEST_NOW });
      working = false;
      await work;
      const address = await emptyDatabase();
      const files = storageIn(newFolder());
      await restore({ address, storage: files, secrets, folder: busy, now: TEST_NOW });
      const owner = await connectOwner(address);
      const count = async (query: string) => Number((await owner.query<{ n: string }>(query)).rows[0]!.n);
      const settings = await count(`select count(*) as n from kernel_setting where name like 'probe.%'`);
      expect(settings).toBeGreaterThan(0);
      expect(settings).toBeLessThan(written);
      expect(await count(`select count(*) as n from files_file_object where file_name = 'moment.pdf'`)).toBe(settings);
      const { rows } = await owner.query<{ key: string }>(
        'select storage_key as key from files_file_object where bytes_removed_at is null',
      );
      await owner.end();
      const kept = new Set(await keysOf(files));
      expect(rows.filter(({ key }) => !kept.has(key))).toEqual([]);
      expect(made.files.count).toBe(kept.size);
    },
    PATIENCE,
  );

  it(
    'is made and put back by the two commands, which verify the chain of the operation log',
    async () => {
      const address = await emptyDatabase();
      const key = { KANGQIAO_KEY: TEST_MASTER_KEY.toString('base64'), KANGQIAO_MODE: 'demo' };
      const target = path.join(newFolder(), 'nightly');
      const made = await run('scripts/backup.ts', [target], {
        ...key,
        DATABASE_URL: urlOf(demo.database.address),
        KANGQIAO_DATA_DIR: newFolder(),
      });
      expect(made.output).toContain('Backup of ');
      expect(made.code).toBe(0);
      const into = { DATABASE_URL: urlOf(address), KANGQIAO_DATA_DIR: newFolder() };
      const foreign = await run('scripts/restore.ts', [target], into);
      expect(foreign.output).toContain('is not the present one');
      expect(foreign.code).toBe(1);
      await killedAt('Filling tables', 'scripts/restore.ts', [target], { ...key, ...into });
      await expect(requireWholeRestore(address)).rejects.toThrow('Run it again');
      const back = await run('scripts/restore.ts', [target], { ...key, ...into });
      expect(back.output).toContain('chain hold');
      expect(back.code).toBe(0);
      const usage = await run('scripts/restore.ts', [], {});
      expect(usage).toMatchObject({ code: 1, output: expect.stringContaining('npm run restore -- FOLDER') });
    },
    PATIENCE,
  );
});
