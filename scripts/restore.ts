import { existsSync } from 'node:fs';
import path from 'node:path';
import { brokenLog } from '#domains/identity/server/index.ts';
import { assemble } from '#kernel/server/assemble.ts';
import type { OnBackupStep } from '#kernel/server/backup/manifest.ts';
import { readManifest, requireBackupKey, restore } from '#kernel/server/backup/restore.ts';
import { systemClock } from '#kernel/server/clock.ts';
import type { Config } from '#kernel/server/config/config.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { openDatabase } from '#kernel/server/database/openDatabase.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { keyFile, readMasterKey } from '#kernel/server/sensitive/masterKey.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';

/** The key that is there; none is made for a restore. */
const presentSecrets = (config: Config): Secrets | null =>
  config.masterKey || existsSync(keyFile(config.dataDir)) ? makeSecrets(readMasterKey(config)) : null;

/** Brings the restored database to this program's schema and recomputes the operation log's chain. @returns what is wrong with it. */
async function verify(config: Config, secrets: Secrets): Promise<string | null> {
  const { db, pool, committedWrites, close } = await openDatabase(config, stderrLogger, systemClock.now());
  try {
    const { kernel, http, queue } = await assemble({
      config,
      clock: systemClock,
      log: stderrLogger,
      db,
      readDb: db,
      pool,
      committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules,
      browser: null,
      loops: false,
    });
    const broken = await brokenLog(kernel);
    await queue.boss.stop({ graceful: false });
    await http.close();
    return broken;
  } finally {
    await close();
  }
}

const DOING = { hashes: 'Reading all of the backup', files: 'Writing files', tables: 'Filling tables', constraints: 'Checking references' };
let reported: keyof typeof DOING | null = null;
/** One line for each of what takes its time. */
const reportStep: OnBackupStep = ({ doing, of }) => {
  if (doing !== reported) console.log(`${DOING[doing]} (${of}) …`);
  reported = doing;
};

// npm run restore -- FOLDER: a backup into an empty data folder or database.
const [folder] = process.argv.slice(2);
try {
  if (!folder) throw new StartFailure('Usage: npm run restore -- FOLDER');
  const began = performance.now();
  const config = readConfig(process.env);
  const secrets = presentSecrets(config);
  requireBackupKey(await readManifest(folder), secrets);
  if (!secrets) throw new StartFailure('There is no key.');
  const own = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log: stderrLogger });
  const address = own?.address ?? (config.databaseUrl ? { url: config.databaseUrl } : null);
  if (!address) throw new StartFailure('There is no database.');
  const made = await restore({
    address,
    storage: makeStorage(config, secrets),
    secrets,
    folder: path.resolve(folder),
    now: systemClock.now(),
    onStep: reportStep,
  }).finally(() => own?.stop());
  const broken = await verify(config, secrets);
  if (broken) throw new StartFailure(`The rows are restored, but the operation log is not what was written: ${broken}.`);
  const rows = made.tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(`
Restored the backup of ${made.at}: ${made.tables.length} tables with ${rows} rows, ${made.files.count} files; counts, hashes and the
operation log's chain hold. ${((performance.now() - began) / 1000).toFixed(1)} s. Start the program with: npm start
`);
} catch (error) {
  console.error(`\n${error instanceof StartFailure ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
