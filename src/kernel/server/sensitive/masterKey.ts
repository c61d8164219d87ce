import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Instant } from '../../contract/time.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../context.ts';
import { writeDurably } from '../start/writeDurably.ts';
import { StartFailure } from '../startFailure.ts';
import type { Secrets } from './secrets.ts';

const BYTES = 32;
const CHECK = 'secrets.check';

/** Where the key of an installation without `KANGQIAO_KEY` lies. */
export const keyFile = (dataDir: string) => path.join(dataDir, 'secrets', 'master.key');

/** The key of `KANGQIAO_KEY`, else of `<data>/secrets/master.key`, which the first start makes. */
export function readMasterKey(config: Pick<Config, 'masterKey' | 'dataDir'>): Buffer {
  if (config.masterKey) return Buffer.from(config.masterKey, 'base64');
  const file = keyFile(config.dataDir);
  const folder = path.dirname(file);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const mine = `${file}.${process.pid}`;
    writeDurably(mine, `${randomBytes(BYTES).toString('base64')}\n`, 0o600);
    try {
      linkSync(mine, file); // never over the key of a process that started at the same time
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(mine, { force: true });
    }
  }
  chmodSync(file, 0o600);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (key.length !== BYTES)
    throw new StartFailure(`The key file ${file} is damaged (it must hold 32 bytes in base64). Restore it from a backup.`);
  return key;
}

/**
 * Compares the key with the one that this database was first started with.
 * @throws StartFailure when it is another: what it encrypted could not be read.
 */
export async function assertSameKey(db: Db, secrets: Secrets, now: Instant): Promise<void> {
  await sql`
    insert into kernel_setting (name, value, at) values (${CHECK}, ${secrets.checkValue}, ${now}) on conflict (name) do nothing`.execute(
    db,
  );
  const { rows } = await sql<{ value: string }>`select value from kernel_setting where name = ${CHECK}`.execute(db);
  if (rows[0]?.value === secrets.checkValue) return;
  throw new StartFailure(
    'The key is not the one that this database was first started with, so its encrypted fields cannot be read. Set KANGQIAO_KEY to that key, or put back the file secrets/master.key of the data folder.',
  );
}
