import { clockOf, systemClock } from '#kernel/server/clock.ts';
import type { Config } from '#kernel/server/config/config.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { openDatabase } from '#kernel/server/database/openDatabase.ts';
import { outageLog } from '#kernel/server/database/outageLog.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { assertSameKey, readMasterKey } from '#kernel/server/sensitive/masterKey.ts';
import { StartStopped, type StartStep } from '#kernel/server/start/steps.ts';
import { buildBrowser } from './build/browser.ts';
import { describeFailure, describeStop } from './serve/failure.ts';
import { describeStep, reportSteps } from './serve/progress.ts';

/** Errors of a start: one that fails tells them in its own sentence, not in lines for machines before it. */
const held: { facts: object; message: string }[] = [];
const log = outageLog({
  ...stderrLogger,
  error: (facts, message) => (started ? stderrLogger.error(facts, message) : void held.push({ facts, message })),
});
const DAY_MS = 86_400_000;
/** Requests and jobs under way are given this long. */
const STOP_MS = 20_000;

let config: Config | null = null;
let doing = 'reading the configuration';
let started = false;
let stop: () => Promise<void> = async () => {};
/** Somebody asked for the end; a start under way ends before its next step. */
let stopWanted = false;
let stopping = false;

async function end(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  const overdue = setTimeout(() => {
    console.error('Some work did not end in time; leaving it.');
    if (stopWanted && !started) console.log(describeStop(doing));
    process.exit(1);
  }, STOP_MS);
  await stop();
  clearTimeout(overdue);
  if (stopWanted && !started) console.log(describeStop(doing));
  process.exit(code);
}

const reportStep = reportSteps((line) => console.log(line));
function onStep(step: StartStep): void {
  if (stopWanted) throw new StartStopped();
  doing = describeStep(step);
  reportStep(step);
}

/** Everything that a failing start has opened so far is closed again. */
async function start(): Promise<void> {
  const began = performance.now();
  config = readConfig(process.env);
  const clock = clockOf(config);
  const building = buildBrowser({ announce: () => console.log('Building the browser part …') });
  building.then(
    ({ built }) => built && !stopWanted && console.log('The browser part is built.'),
    () => {}, // reported where it is awaited
  );
  doing = 'opening the database';
  const database = await openDatabase(config, log, clock.now(), onStep);
  stop = () => database.close();
  doing = 'reading the key';
  const secrets = makeSecrets(readMasterKey(config));
  await assertSameKey(database.db, secrets, clock.now());
  if (stopWanted) throw new StartStopped();
  doing = 'opening the server';
  // The domains take seconds to load: a wrong setting, or a folder that another process holds, was found out before.
  const [{ startServer, BROWSER_FOLDER }, { welcome }] = await Promise.all([import('../src/server.ts'), import('./serve/welcome.ts')]);
  // Built while the data are written; where it fails, that is what the start failed at.
  const browser = building.then(
    ({ buildId }) => ({ folder: BROWSER_FOLDER, buildId }),
    (error: unknown) => {
      doing = 'building the browser part';
      throw error;
    },
  );
  browser.catch(() => {}); // reported where it is awaited
  const server = await startServer(config, database, { clock, secrets, log, browser, onStep });
  const partitions = setInterval(() => {
    database.ensurePartitions(systemClock.now()).catch((error: unknown) => log.error({ error }, 'The month partitions could not be made'));
  }, DAY_MS);
  stop = async () => {
    clearInterval(partitions);
    await server.stop();
    await database.close();
  };
  started = true;
  for (const { facts, message } of held) stderrLogger.error(facts, message);
  console.log(welcome({ config, address: server.address, place: database.place, seconds: (performance.now() - began) / 1000 }));
}

/** A failed start says why in a sentence; one that was asked to end, or was torn down by that, has nothing to say. */
function reportFailure(error: unknown): void {
  if (stopWanted) return;
  console.error(`\n${describeFailure({ error, config, doing, held, at: systemClock.now() })}\n`);
}

/** Nothing is torn away from under a step that is still going on; one that hangs is left after its time. */
const starting = start();
const ready = Promise.race([starting.catch(() => {}), new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref())]);
async function stopOnRequest(): Promise<void> {
  stopWanted = true;
  await ready;
  await end(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!stopWanted) console.log('\nStopping …');
    void stopOnRequest();
  });
}
// The launcher was killed: nobody is left who could stop this process by the one he started.
process.on('disconnect', () => void stopOnRequest());
process.on('uncaughtException', (error) => {
  if (started) log.error({ error }, 'An unexpected error ends the program');
  else reportFailure(error);
  void end(1);
});

try {
  await starting;
} catch (error) {
  reportFailure(error);
  await end(stopWanted ? 0 : 1);
}
