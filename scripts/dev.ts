import { copyFileSync, existsSync, globSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { clockOf } from '#kernel/server/clock.ts';
import { readConfig } from '#kernel/server/config/readConfig.ts';
import { addressUrl } from '#kernel/server/database/address.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { AMIS_FOLDER, copyAmis } from './build/amis.ts';
import { keepBackend } from './dev/backend.ts';
import { openFrontDoor } from './dev/frontDoor.ts';
import { describeFailure } from './serve/failure.ts';
import { reportSteps } from './serve/progress.ts';

// npm run dev: the product while one works on it. This process keeps the database and the address; the server is started again when what
// it is made of changes, and the browser gets changed modules from Vite.
const root = path.join(import.meta.dirname, '..');
/** Changes that come together start the server once. */
const TOGETHER_MS = 80;

/** What the server reads; the rest of `src` is the browser's alone, or the tests'. */
const SERVERS = /^(migrations|src\/(events|kernel\/(server|contract)|domains\/[^/]+\/(server|contract)))\/|^src\/\w+\.ts$/;
const TESTS = /\.(test|cases)\.tsx?$|\/testing\//;

/** Pages as they are, with the renderer beside them, in place of a build. */
function makePages(): string {
  const folder = path.join(root, 'node_modules/.cache/kangqiao/dev');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(path.join(folder, AMIS_FOLDER))) copyAmis(root, folder);
  copyPages(folder);
  return folder;
}
function copyPages(folder: string): void {
  for (const page of globSync('*.html', { cwd: path.join(root, 'src/web') }))
    copyFileSync(path.join(root, 'src/web', page), path.join(folder, page));
}

const env = { KANGQIAO_DATA_DIR: path.join(root, 'data-dev'), ...process.env };

async function run(): Promise<() => Promise<void>> {
  const config = readConfig(env);
  const database = config.databaseUrl
    ? { address: { url: config.databaseUrl }, stop: async () => {} }
    : await startEmbedded({ dataDir: config.dataDir, log: stderrLogger, onStep: reportSteps((line) => console.log(line)) });
  const pages = makePages();
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(config.port, config.host, resolve));
  const bound = server.address();
  const address = `http://${config.host}:${typeof bound === 'object' ? bound?.port : config.port}`;
  let lives = 0;
  const backend = keepBackend({
    words: [pages, address],
    env: {
      KANGQIAO_PUBLIC_ORIGIN: address,
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/kangqiao/compiled'),
      ...env,
      DATABASE_URL: addressUrl(database.address),
      PORT: '0',
    },
    onReady({ welcome }, seconds) {
      lives += 1;
      console.log(lives === 1 ? welcome : `The server is back (${seconds.toFixed(1)} s).`);
    },
  });
  backend.restart();
  const vite = await openFrontDoor(root, server, () => backend.address());

  let due: NodeJS.Timeout | undefined;
  vite.watcher.add(path.join(root, 'migrations'));
  vite.watcher.on('all', (_event, changed) => {
    const file = path.relative(root, changed).replaceAll(path.sep, '/');
    if (file.endsWith('.html')) copyPages(pages);
    if (!SERVERS.test(file) || TESTS.test(file)) return;
    clearTimeout(due);
    due = setTimeout(() => {
      console.log(`${file} changed: the server starts again …`);
      backend.restart();
    }, TOGETHER_MS);
  });
  return async () => {
    clearTimeout(due);
    await vite.close();
    server.close();
    server.closeAllConnections();
    await backend.stop();
    await database.stop();
  };
}

const running = run();
let ending: Promise<void> | null = null;
// A terminal tells the whole group, and npm's shell tells it again.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    ending ??= running.then((stop) => stop()).then(() => process.exit(0));
  });
}
running.catch((error: unknown) => {
  console.error(
    `\n${describeFailure({ error, config: null, doing: 'opening the development server', at: clockOf({ mode: 'demo', clockStart: null }).now() })}\n`,
  );
  process.exit(1);
});
