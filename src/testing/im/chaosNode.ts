import { createServer } from 'node:http';
import { consultationModule } from '#domains/consultation/server/module.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import { standAlone } from '#domains/consultation/server/im/hooks.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { stderrLogger } from '#kernel/server/logger.ts';
import { openRealtime } from '#kernel/server/realtime/socket.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { TEST_MASTER_KEY, testConfig } from '../testConfig.ts';

/** One process of the chat on a shared database, made to be killed: `fork('chaosNode.ts', [facts])`. */
export interface NodeFacts {
  database: DatabaseAddress;
  redisUrl: string | null;
  dataDir: string;
}

const facts = JSON.parse(process.argv[2] ?? '') as NodeFacts;
const config = { ...testConfig(facts.dataDir), redisUrl: facts.redisUrl };
const secrets = makeSecrets(TEST_MASTER_KEY);
const opened = createDb(facts.database, { log: stderrLogger, max: 12 });
const { kernel, metrics, notifications } = await assemble({
  config,
  clock: systemClock,
  log: stderrLogger,
  db: opened.db,
  readDb: opened.db,
  pool: opened.pool,
  committedWrites: opened.committedWrites,
  secrets,
  storage: makeStorage(config, secrets),
  modules: [consultationModule],
  loops: false,
  browser: null,
});
// The proof is about loss, not about rates: everybody comes from one address and writes as fast as it goes.
const many = { count: 1_000_000, seconds: 1 };
Object.assign(imEngine(kernel), {
  hooks: standAlone,
  limits: {
    ...imEngine(kernel).limits,
    user: { count: 200, seconds: 1 },
    group: many,
    connections: { user: 100, address: 100_000, node: 100_000 },
  },
});
const http = createServer();
await openRealtime(kernel, http, opened.pool, notifications, metrics, 'chaos');
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
process.on('disconnect', () => process.exit(0));
