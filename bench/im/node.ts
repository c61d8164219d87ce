import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Server } from 'socket.io';
import { ensureSystemAccount, issueUserSig } from '#domains/consultation/server/im/accounts/accounts.ts';
import { imEngine } from '#domains/consultation/server/im/engine.ts';
import { standAlone } from '#domains/consultation/server/im/hooks.ts';
import { createGroup } from '#domains/consultation/server/im/conversations/groups.ts';
import { consultationModule } from '#domains/consultation/server/module.ts';
import { makeAccounts } from '#domains/consultation/server/testing/imWorld.ts';
import { assemble } from '#kernel/server/assemble.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import type { ServerModuleFactory } from '#kernel/server/module.ts';
import { openRealtime } from '#kernel/server/realtime/socket.ts';
import { makeSecrets } from '#kernel/server/sensitive/makeSecrets.ts';
import { makeStorage } from '#kernel/server/storage/makeStorage.ts';
import { TEST_MASTER_KEY, testConfig } from '#testing/testConfig.ts';

// The measured process: the chat on a database that keeps its promises, and beside it a bare Socket.IO echo into rooms.
export interface BenchFacts {
  groups: number;
  groupSize: number;
}
export interface BenchPerson {
  userID: string;
  groupID: string;
  userSig: string;
}

const { groups, groupSize } = JSON.parse(process.argv[2] ?? '') as BenchFacts;
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-im-'));
const database = await startEmbedded({ dataDir, log: silentLogger });
await migrate(database.address, systemClock.now());
const opened = createDb(database.address, { log: silentLogger });
const config = { ...testConfig(dataDir), redisUrl: process.env['REDIS_URL'] ?? null };
const secrets = makeSecrets(TEST_MASTER_KEY);

/** What a chat costs without storing: the same message to the same people, and an acknowledgement. */
const echoModule: ServerModuleFactory = () => ({
  domain: 'echo',
  permissions: [],
  routes: [],
  errors: {},
  handlers: [],
  sockets(io: Server) {
    io.of('/raw').on('connection', (socket) => {
      void socket.join(String(socket.handshake.auth['room']));
      socket.on('send', (message: { conversationID: string }, answer: (response: unknown) => void) => {
        socket.nsp.to(message.conversationID).emit('ev', { n: 1, type: 'msg', message });
        answer({ code: 0, data: { seq: 1 } });
      });
    });
    return { close: () => Promise.resolve() };
  },
});

const { kernel, metrics, notifications } = await assemble({
  config,
  clock: systemClock,
  log: silentLogger,
  db: opened.db,
  readDb: opened.db,
  pool: opened.pool,
  committedWrites: opened.committedWrites,
  secrets,
  storage: makeStorage(config, secrets),
  modules: [consultationModule, echoModule],
  loops: false,
  browser: null,
});
const many = { count: 1_000_000, seconds: 1 };
const engine = imEngine(kernel);
// The limits keep people from flooding; here their counters would only refuse the load.
engine.hooks = standAlone;
engine.limits = {
  ...engine.limits,
  user: { count: 100, seconds: 1 },
  group: many,
  connections: { user: 100, address: 100_000, node: 100_000 },
};
const people: BenchPerson[] = [];
for (let at = 0; at < groups; at += 1) {
  const groupId = `YH${40_000_000 + at}`;
  const imUserIds = Array.from({ length: groupSize }, (_, n) => `${'PDA'[Math.min(n, 2)]}${at * groupSize + n + 1}`);
  await kernel.transactions.run('bench', async (writing) => {
    await ensureSystemAccount(writing.tx, kernel.clock.now());
    await makeAccounts(kernel, writing, imUserIds, kernel.clock.now());
    await createGroup(kernel, writing, { groupId, name: groupId, imUserIds, createdBy: null }, kernel.clock.now());
  });
  for (const userID of imUserIds) people.push({ userID, groupID: groupId, userSig: (await issueUserSig(kernel, userID)).userSig });
}
const http = createServer();
const realtime = await openRealtime(kernel, http, opened.pool, notifications, metrics, 'bench');
http.listen(0, '127.0.0.1', () => {
  const address = http.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0, people });
});

process.on('message', async () => {
  await realtime.close();
  http.closeAllConnections();
  await opened.close().catch(() => {});
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});
