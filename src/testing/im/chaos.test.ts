import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startRedis } from '../../../scripts/test/redis.ts';
import { createTestDatabase } from '../testDatabase.ts';
import { runChaos } from './chaos.ts';

// Over Redis where there is one, which is away for half a minute in the large run, else over the database.
// `IM_CHAOS=large` runs it with two hundred people, as a step of its own in `npm test`; `node bench/imChaos.ts` with 20,000 messages.
const large = process.env['IM_CHAOS'] === 'large';

it('loses, doubles and confuses nothing while processes are killed and networks cut', async () => {
  const database = await createTestDatabase();
  const redis = large ? await startRedis() : null;
  const away = redis?.away;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-chaos-'));
  try {
    const report = await runChaos({
      database: database.address,
      dataDir,
      redisUrl: redis?.url ?? process.env['REDIS_URL'] ?? null,
      ...(away ? { meanwhile: () => away(30_000) } : {}),
      groupSize: 4,
      ...(large ? { participants: 200, messagesEach: 25, kills: 6 } : { participants: 24, messagesEach: 20, kills: 3 }),
    });
    console.log(`chaos: ${JSON.stringify(report)}`);
    expect(report).toMatchObject({ stored: report.sent, lost: 0, doubled: 0, outOfOrder: 0, wrongUnread: 0, wrongReceivers: 0 });
  } finally {
    await redis?.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}, 300_000);
