import { generateJob } from '#domains/card/server/batches/generate.ts';
import { secretFile } from '#domains/card/server/batches/secretFile.ts';
import { randomSecret } from '#domains/card/server/cards/cardNo.ts';
import { json, own } from '#domains/card/server/database.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { atMostRow, type Row } from './table.ts';
import { withKernel } from './withKernel.ts';

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
  return withKernel(async ({ kernel, secrets }) => {
    const now = systemClock.now();
    await writeReference(kernel);
    await kernel.transactions.run('bench', async ({ tx }) => ledgerOf(kernel).openPeriods({ tx, now }, dayOf(now)));
    const db = own(kernel.db);
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
    const ctx = { kernel, db: kernel.db, now, traceId: 'bench', signal: new AbortController().signal, idleFor: () => {} };
    const made = await secondsOf(() =>
      generateJob(kernel).run({ batchId: batch.id }, { ...ctx, transaction: (work) => kernel.transactions.run('bench', work) }),
    );
    const written = await secondsOf(() =>
      kernel.transactions.run('bench', async ({ tx }) => {
        const { rowCount } = await secretFile(tx, secrets, { ...batch, secretSeed: batch.secretSeed! }, randomSecret(16));
        if (rowCount !== CARDS) throw new Error(`The file has ${rowCount} cards`);
      }),
    );
    return [
      atMostRow(`cards made, a batch of ${CARDS}`, made, inTime(60), ' s'),
      atMostRow(`their numbers and secrets in the encrypted file`, written, inTime(30), ' s'),
    ];
  });
}
