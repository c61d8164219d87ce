import { readConfig } from '../src/kernel/server/config/readConfig.ts';
import { systemClock } from '../src/kernel/server/clock.ts';
import { openDatabase } from '../src/kernel/server/database/openDatabase.ts';
import { stderrLogger } from '../src/kernel/server/logger.ts';
import { makeSecrets } from '../src/kernel/server/sensitive/makeSecrets.ts';
import { assertSameKey, readMasterKey } from '../src/kernel/server/sensitive/masterKey.ts';
import { StartFailure } from '../src/kernel/server/startFailure.ts';
import { startServer } from '../src/server.ts';
import { buildBrowser } from './build/browser.ts';
import { welcome } from './serve/welcome.ts';

const DAY_MS = 86_400_000;
/** Requests and jobs under way are given this long. */
const STOP_MS = 20_000;

let stop: () => Promise<void> = async () => {};
let stopping = false;

async function end(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const overdue = setTimeout(() => {
    console.error('Some work did not end in time; leaving it.');
    process.exit(1);
  }, STOP_MS);
  await stop();
  clearTimeout(overdue);
  process.exit(code);
}

/** Everything that a failing start has opened so far is closed again. */
async function start(): Promise<void> {
  const began = performance.now();
  const config = readConfig(process.env);
  const building = buildBrowser({ announce: () => console.log('Building the browser part …') });
  building.catch(() => {}); // reported where it is awaited
  const database = await openDatabase(config, stderrLogger, systemClock.now());
  stop = () => database.close();
  const secrets = makeSecrets(readMasterKey(config));
  await assertSameKey(database.db, secrets, systemClock.now());
  const { buildId } = await building;
  if (stopping) return;
  const server = await startServer(config, database, secrets, stderrLogger, buildId);
  const partitions = setInterval(() => {
    database
      .ensurePartitions(systemClock.now())
      .catch((error: unknown) => stderrLogger.error({ error }, 'The month partitions could not be made'));
  }, DAY_MS);
  stop = async () => {
    clearInterval(partitions);
    await server.stop();
    await database.close();
  };
  console.log(welcome({ config, address: server.address, place: database.place, seconds: (performance.now() - began) / 1000 }));
}

/** Nothing is torn away from under a start that is still going on; one that hangs is left after its time. */
const starting = start();
const ready = Promise.race([starting.catch(() => {}), new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())]);
async function stopOnRequest(): Promise<void> {
  await ready;
  await end(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopping) console.log('\nStopping …');
    void stopOnRequest();
  });
}
// The launcher was killed: nobody is left who could stop this process by the one he started.
process.on('disconnect', () => void stopOnRequest());
process.on('uncaughtException', (error) => {
  stderrLogger.error({ error }, 'An unexpected error ends the program');
  void end(1);
});

try {
  await starting;
} catch (error) {
  const known = error instanceof StartFailure || (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const text =
    (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? `The port is taken by another program: ${(error as Error).message}. Set PORT to another one.`
      : (error as Error).message;
  console.error(`\n${known ? text : ((error as Error).stack ?? text)}\n`);
  await end(1);
}
