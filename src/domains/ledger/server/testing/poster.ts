import type { DatabaseAddress } from '#kernel/server/database/address.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
import { makeLedger } from '../ledger.ts';
import { chaosMove, testBooks, type ChaosFacts } from './chaosMove.ts';

// A process of its own that moves money between doctors, fifty transfers at once, until it is killed. What was committed it says on
// standard output, key by key.
const WRITERS = 50;
const { address, ...facts } = JSON.parse(process.argv[2] ?? '') as ChaosFacts & { address: DatabaseAddress };
const { db } = createDb(address, { log: silentLogger, max: 10 });
const ledger = makeLedger(testBooks, { strict: false });
let count = 0;

async function writer(): Promise<never> {
  for (;;) {
    count += 1;
    const n = count;
    try {
      await db
        .transaction()
        .execute((tx) =>
          ledger.post({ tx, now: facts.now, traceId: 'chaos', publish: async () => {}, publishMany: async () => {} }, chaosMove(facts, n)),
        );
      process.stdout.write(`${n}\n`);
    } catch (error) {
      // What the ledger refuses is no fault: somebody had nothing left.
      if (!(error instanceof Error && 'code' in error && error.code === 'SCM18001')) process.stdout.write(`fault ${String(error)}\n`);
    }
  }
}
await Promise.all(Array.from({ length: WRITERS }, writer));
