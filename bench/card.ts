import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generateJob } from '../src/domains/card/server/batches/generate.ts';
import { secretFile } from '../src/domains/card/server/batches/secretFile.ts';
import { randomSecret } from '../src/domains/card/server/cards/cardNo.ts';
import { json, own } from '../src/domains/card/server/database.ts';
import { ledgerOf } from '../src/domains/ledger/server/index.ts';
import { dayOf } from '../src/kernel/contract/time.ts';
import { assemble } from '../src/kernel/server/assemble.ts';
import { systemClock } from '../src/kernel/server/clock.ts';
import { startEmbedded } from '../src/kernel/server/database/embedded/embedded.ts';
import { migrate } from '../src/kernel/server/database/migrator.ts';
import { createDb } from '../src/kernel/server/database/pool.ts';
import { silentLogger } from '../src/kernel/server/logger.ts';
import { makeSecrets } from '../src/kernel/server/sensitive/makeSecrets.ts';
import { writeReference } from '../src/kernel/server/start/reference.ts';
import { makeStorage } from '../src/kernel/server/storage/makeStorage.ts';
import { modules } from '../src/modules.ts';
import { TEST_MASTER_KEY, testConfig } from '../src/testing/testConfig.ts';
import { atMostRow, type Row } from './table.ts';

/** The most that a batch may have; fewer by `npm run bench card 10000`, then in as much less time. */
const MOST = 100_000;
const CARDS = Number(process.argv[3] ?? MOST);
const inTime = (seconds: number) => Math.max(1, (seconds * CARDS) / MOST);

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
};

/** A batch of the largest size: its cards made by the job, then its numbers and secrets written into the encrypted file. */
export async function measureCard(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-'));
  const database = await startEmbedded({ dataDir, log: silentLogger });
  const opened = createDb(database.address, { log: silentLogger });
  try {
    const now = systemClock.now();
    await migrate(database.address, now);
    const config = testConfig(dataDir);
    const secrets = makeSecrets(TEST_MASTER_KEY);
    const { kernel, queue } = await assemble({
      config,
      clock: systemClock,
      log: silentLogger,
      db: opened.db,
      readDb: opened.db,
      pool: opened.pool,
      committedWrites: opened.committedWrites,
      secrets,
      storage: makeStorage(config, secrets),
      modules,
      loops: false,
      browser: null,
    });
    await writeReference(kernel);
    await kernel.transactions.run('bench', async ({ tx }) => ledgerOf(kernel).openPeriods({ tx, now }, dayOf(now)));
    const db = own(opened.db);
    const type = await db
      .insertInto('cardType')
      .values({
        typeCode: 'BENCH',
        typeName: '压测储值卡',
        kind: 'STORED_VALUE',
        bizLine: 'OWN',
        funder: 'CUSTOMER',
        funderId: null,
        fundingMode: 'SALE',
        productCode: null,
        rules: json({}),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const batch = await db
      .insertInto('cardBatch')
      .values({
        batchNo: 'CBBENCH',
        cardTypeId: type.id,
        quantity: CARDS,
        faceAmount: '1000',
        status: 'GENERATING',
        secretSeed: randomSecret(32),
      })
      .returning(['id', 'batchNo', 'secretSeed'])
      .executeTakeFirstOrThrow();
    const ctx = { kernel, db: kernel.db, now, traceId: 'bench', signal: new AbortController().signal };
    const made = await secondsOf(() =>
      generateJob(kernel).run({ batchId: batch.id }, { ...ctx, transaction: (work) => kernel.transactions.run('bench', work) }),
    );
    const written = await secondsOf(() =>
      kernel.transactions.run('bench', async ({ tx }) => {
        const { rowCount } = await secretFile(tx, secrets, { ...batch, secretSeed: batch.secretSeed! }, randomSecret(16));
        if (rowCount !== CARDS) throw new Error(`The file has ${rowCount} cards`);
      }),
    );
    await queue.boss.stop({ graceful: false });
    return [
      atMostRow(`cards made, a batch of ${CARDS}`, made, inTime(60), ' s'),
      atMostRow(`their numbers and secrets in the encrypted file`, written, inTime(30), ' s'),
    ];
  } finally {
    await opened.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
