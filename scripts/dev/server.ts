import { clockOf } from '#kernel/server/clock.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { openDatabase } from '#kernel/server/database/openDatabase.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { assertSameKey, readMasterKey } from '#kernel/server/sensitive/masterKey.ts';
import { startServer } from '../../src/server.ts';
import { reportSteps } from '../serve/progress.ts';
import { welcome } from '../serve/welcome.ts';

// One life of the server under `npm run dev`: it enters the database that its parent keeps open, and tells it where it listens.
const [folder, address] = process.argv.slice(2);
if (!folder || !address) throw new Error('the folder of the pages and the public address are missing');

// Whoever is told to end by the next one's start has no work of his own to finish: the browser asks again.
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));

const config = readConfig(process.env);
const clock = clockOf(config);
const onStep = reportSteps((line) => console.log(line));
const database = await openDatabase(config, stderrLogger, clock.now(), onStep);
const secrets = makeSecrets(readMasterKey(config));
await assertSameKey(database.db, secrets, clock.now());
const server = await startServer(config, database, {
  clock,
  secrets,
  log: stderrLogger,
  browser: Promise.resolve({ folder, buildId: 'development' }),
  onStep,
});
const text = welcome({ config, address, place: config.dataDir, seconds: process.uptime() });
process.send?.({ address: server.address, welcome: text });
