import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { migrate } from '#kernel/server/database/migrator.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { runChaos } from '#testing/im/chaos.ts';

// node bench/imChaos.ts [messages each]: 200 people, 20,000 messages, two processes killed again and again; prints what was found.
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-chaos-'));
const database = await startEmbedded({ dataDir, log: silentLogger });
try {
  await migrate(database.address, systemClock.now());
  const report = await runChaos({
    database: database.address,
    dataDir,
    redisUrl: process.env['REDIS_URL'] ?? null,
    participants: 200,
    messagesEach: Number(process.argv[2] ?? 100),
    kills: 10,
    groupSize: 4,
  });
  console.log(report);
  process.exitCode =
    report.lost + report.doubled + report.outOfOrder + report.wrongUnread + report.wrongReceivers === 0 && report.stored === report.sent
      ? 0
      : 1;
} finally {
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
