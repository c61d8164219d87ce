import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '#kernel/contract/errors.ts';
import { days, startOfDay } from '#kernel/contract/time.ts';
import { childProgram } from '#testing/childProgram.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { own } from './database.ts';
import { lookAll } from './findings/invariants.ts';
import { hold, holdRequest, inTransaction, makeCard, makeType, openBooks, useLine, type MadeCard } from './testing/fixtures.ts';
import { captureHold, releaseHold } from './use/capture.ts';
import { reverseNow } from './use/reverse.ts';

/** 10,000 by hand: `CARD_OPS=10000`; few in every run, because each is a transaction of its own. */
const OPERATIONS = Number(process.env['CARD_OPS'] ?? 200);
const PATIENCE = 120_000 + OPERATIONS * 60;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await openBooks(app);
});
afterAll(() => app.close());

const by = { ...SYSTEM, type: 'AUTO' as const };
const ledger = () => ledgerOf(app.kernel);
/** All that must hold, in one snapshot: others may be writing. */
const sound = () =>
  inTransaction(app, async (use) => {
    await sql`set transaction isolation level repeatable read`.execute(use.tx);
    expect(await lookAll(use, ledger(), [])).toMatchObject({ found: 0 });
  });
const capture = (holdId: string, amount?: bigint) =>
  inTransaction(app, (use) => captureHold(use, ledger(), { holdId, ...(amount !== undefined && { amount }), by }));

/** What may be refused is; anything else is a fault of ours. */
async function allowed<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

describe('cards that live by chance', () => {
  it(
    'keep what must hold, whatever is held, written off, released and reversed',
    async () => {
      const cards: MadeCard[] = [];
      for (const fundingMode of ['ON_USE', 'PREPAID', 'ON_GRANT'] as const) {
        const type = await makeType(app, {
          fundingMode: fundingMode === 'PREPAID' ? 'ON_USE' : fundingMode,
          rules: { feeRateBp: 150, refundGraceDays: 3 },
        });
        for (let n = 0; n < 3; n += 1)
          cards.push(
            await makeCard(app, type, {
              funding: [
                { amount: 40_000n, expiresAt: startOfDay('2026-12-31') },
                { amount: 9_000n, bonus: true, expiresAt: startOfDay('2026-11-23') },
                { amount: 25_000n },
              ],
            }),
          );
      }
      const couponType = await makeType(app, {
        kind: 'COUPON',
        rules: { couponRule: { mode: 'FULL_CUT', threshold: 1_000, value: 300, cap: null } },
      });
      for (let n = 0; n < 4; n += 1) cards.push(await makeCard(app, couponType, { times: [{ benefitId: 'COUPON', times: 1 }] }));
      const [holds, writeOffs] = [new Set<string>(), new Set<string>()];
      const pick = (from: ReadonlySet<string>, at: number) => [...from][at % Math.max(1, from.size)];
      const step = fc.record({ act: fc.integer({ min: 0, max: 9 }), at: fc.nat(10_000), fen: fc.integer({ min: 1, max: 9_000 }) });
      const steps = fc.sample(step, { numRuns: OPERATIONS, seed: 20_261_124 });
      for (const [n, { act, at, fen }] of steps.entries()) {
        if (act <= 3) {
          const held = await allowed(
            hold(
              app,
              holdRequest(
                [cards[at % cards.length]!.cardId],
                [useLine(fen, { merchantId: String(501 + (at % 3)) }), useLine(1 + (at % 700))],
              ),
            ),
          );
          for (const { holdId } of held ?? []) holds.add(holdId);
        } else if (act <= 6) {
          const holdId = pick(holds, at);
          const done = holdId && (await allowed(capture(holdId, act === 4 ? BigInt(fen) : undefined)));
          if (done) for (const { writeOffId } of done.writeOffs) writeOffs.add(writeOffId);
        } else if (act === 7) {
          const holdId = pick(holds, at);
          if (holdId) await allowed(inTransaction(app, (use) => releaseHold(use, ledger(), { holdId, reason: '测试', by })));
        } else {
          const writeOffId = pick(writeOffs, at);
          if (writeOffId)
            await allowed(
              inTransaction(app, (use) =>
                reverseNow(use, ledger(), {
                  writeOffId,
                  amount: BigInt(fen),
                  key: `chance:${n}`,
                  reasonCode: 'RETURN',
                  opinion: '退货',
                  requestedBy: SYSTEM,
                }),
              ),
            );
        }
        // Half-way some lots end, and the night takes them.
        if (n === Math.floor(OPERATIONS / 2)) {
          await app.advance(days(3), ['card', 'ledger']);
          await app.runDue();
        }
      }
      await app.runDue();
      await sound();
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from card_write_off`.execute(app.db);
      expect(rows[0]!.n).toBeGreaterThan(OPERATIONS / 20);
    },
    PATIENCE,
  );
});

/** Four processes at once: together they write off fifty times at once. */
const WRITERS = 13;
const SPENDER = path.join(import.meta.dirname, 'testing/spender.ts');

describe('processes that are killed', () => {
  it(
    'twenty times while they write off leave every write-off whole or none of it',
    async () => {
      const program = await childProgram(SPENDER);
      const card = await makeCard(app, await makeType(app), { funding: [{ amount: 10_000_000n }] });
      const said: string[] = [];
      let looked = Promise.resolve();
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(
          ['1', '2', '3', '4'].map(async (side) => {
            const facts = {
              cardId: card.cardId,
              name: `${round}${side}`,
              now: app.clock.now(),
              writers: WRITERS,
              address: app.database.address,
            };
            const child = spawn(process.execPath, [program, JSON.stringify(facts)], { stdio: ['ignore', 'pipe', 'inherit'] });
            const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
            let lines = 0;
            const enough = new Promise<void>((resolve) =>
              createInterface({ input: child.stdout }).on('line', (line) => {
                said.push(line);
                lines += 1;
                if (lines > round) resolve();
              }),
            );
            await Promise.race([enough, ended]);
            child.kill('SIGKILL');
            await ended;
            // One after another, while those that still live go on.
            const look = looked.then(sound);
            looked = look;
            await look;
          }),
        );
      }
      expect(said.filter((line) => !/^\d+$/.test(line))).toEqual([]);
      const rows = await own(app.db).selectFrom('cardWriteOff').select('holdId').where('cardId', '=', card.cardId).execute();
      const written = new Set(rows.map(({ holdId }) => holdId));
      expect(said.filter((holdId) => !written.has(holdId))).toEqual([]);
      const { rows: halves } = await sql`
        select h.id
          from card_hold h
          where h.card_id = ${card.cardId} and (h.state = 'CAPTURED') <> (h.ledger_transfer_id is not null)`.execute(app.db);
      expect(halves).toEqual([]);
      await app.runDue();
      await sound();
    },
    PATIENCE,
  );
});
