import path from 'node:path';
import { backup } from '#kernel/server/backup/backup.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { readMasterKey } from '#kernel/server/sensitive/masterKey.ts';
import { StartFailure } from '#kernel/server/startFailure.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { runningServer } from './runningServer.ts';

// npm run backup -- FOLDER: database and files into an empty folder, also while the program runs.
const [folder] = process.argv.slice(2);
try {
  if (!folder) throw new StartFailure('Usage: npm run backup -- FOLDER');
  const began = performance.now();
  const config = readConfig(process.env);
  const secrets = makeSecrets(readMasterKey(config));
  const running = config.databaseUrl ? { url: config.databaseUrl } : await runningServer(config);
  const own = running ? null : await startEmbedded({ dataDir: config.dataDir, log: stderrLogger });
  const address = running ?? own?.address;
  if (!address) throw new StartFailure('There is no database.');
  try {
    const made = await backup({
      address,
      storage: makeStorage(config, secrets),
      secrets,
      folder: path.resolve(folder),
      now: systemClock.now(),
    });
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`
Backup of ${made.at}: ${made.tables.length} tables with ${rows} rows, ${made.files.count} files, in ${((performance.now() - began) / 1000).toFixed(1)} s.
  folder  ${path.resolve(folder)}
  key     ${made.keyId} (not in the backup: keep it elsewhere, without it the backup cannot be read)
`);
  } finally {
    await own?.stop();
  }
} catch (error) {
  console.error(`\n${error instanceof StartFailure ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
