import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { DatabaseAway } from '#kernel/server/database/away.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { makeLedger, SYSTEM } from '#domains/ledger/server/index.ts';
import { cardBook } from '../chart.ts';
import { captureHold, type Spending } from '../use/capture.ts';
import { holdCards } from '../use/hold.ts';

// A process of its own that sets value of one card aside and writes it off, many times at once, until it is killed. What was committed it
// says on standard output, hold by hold.
const { address, cardId, name, now, writers } = JSON.parse(process.argv[2] ?? '') as {
  address: DatabaseAddress;
  cardId: string;
  name: string;
  now: string;
  writers: number;
};
const { db } = createDb(address, { log: silentLogger, max: 10 });
const ledger = makeLedger([cardBook], { strict: false });
const nothing = async () => {};
const inTransaction = <T>(work: (use: Spending) => Promise<T>): Promise<T> =>
  db.transaction().execute((tx) => work({ tx, now, traceId: 'chaos', publish: nothing, publishMany: nothing, enqueue: nothing }));
const by = { ...SYSTEM, type: 'AUTO' as const };
let count = 0;

async function writer(): Promise<never> {
  for (;;) {
    count += 1;
    const order = `${9_000 + Number(name)}${String(count).padStart(6, '0')}`;
    const line = {
      orderLineId: order,
      medicineId: null,
      categoryCode: null,
      goodsName: '药品',
      quantity: 1,
      amount: BigInt(100 + (count % 50)),
      merchantId: '501',
      merchantName: '康桥大药房',
    };
    try {
      const [held] = await inTransaction((use) =>
        holdCards(use, ledger, {
          bizType: 'ORDER',
          bizId: order,
          bizNo: `DD${order}`,
          key: `chaos:${order}`,
          orderType: 'STORE_DIRECT',
          drugstoreId: '501',
          drugstoreName: '康桥大药房',
          lines: [line],
          cardIds: [cardId],
          operator: by,
        }),
      );
      await inTransaction((use) => captureHold(use, ledger, { holdId: held!.holdId, by }));
      process.stdout.write(`${held!.holdId}\n`);
    } catch (error) {
      // Who waits too long for a connection has written nothing: the card lets one through at a time.
      if (!(error instanceof DatabaseAway)) process.stdout.write(`fault ${String(error)}\n`);
    }
  }
}
await Promise.all(Array.from({ length: writers }, writer));
