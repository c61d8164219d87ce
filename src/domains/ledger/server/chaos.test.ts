import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, hours, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { childProgram } from '#testing/childProgram.ts';
import type { TransferResult } from './commands.ts';
import { chaosMove, type ChaosFacts } from './testing/chaosMove.ts';
import {
  accrue,
  bonus,
  breakage,
  cash,
  doctor,
  MAKER,
  next,
  openBank,
  openCard,
  openDoctors,
  principal,
  shop,
  spend,
  topUp,
  type Bank,
} from './testing/bank.ts';

const PATIENCE = 180_000;
const POSTER = path.join(import.meta.dirname, 'testing/poster.ts');

let bank: Bank;
beforeAll(async () => {
  bank = await openBank();
});
afterAll(() => bank.close());

const proven = (book: 'CARD' | 'DOCTOR') => bank.inTransaction((posting) => bank.ledger.prove(posting, book, 'MANUAL'));

/** A child that posts; `said` are the keys that it says are committed. */
class Poster {
  readonly facts: ChaosFacts;
  readonly said: number[] = [];
  readonly faults: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #waiting: { count: number; resolve(): void } | null = null;

  constructor(program: string, facts: ChaosFacts, address: unknown) {
    this.facts = facts;
    this.#child = spawn(process.execPath, [program, JSON.stringify({ ...facts, address })], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()));
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      if (line.startsWith('fault')) this.faults.push(line);
      else this.said.push(Number(line));
      if (this.#waiting && this.said.length + this.faults.length >= this.#waiting.count) this.#waiting.resolve();
    });
  }

  /** Until it has committed so many. */
  async committed(count: number): Promise<void> {
    await Promise.race([new Promise<void>((resolve) => (this.#waiting = { count, resolve })), this.#ended]);
  }

  /** As a machine dies: nothing is finished, nothing is cleared away. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

describe('processes that are killed', () => {
  it(
    'twenty times within fifty transfers leave whole transfers alone, none that they said is lost, and none is doubled when it is sent again',
    async () => {
      const program = await childProgram(POSTER);
      const doctors = await openDoctors(bank, 6);
      await bank.inTransaction((posting) =>
        bank.ledger.postMany(
          posting,
          doctors.map((id) => accrue(id, 50_000n)),
        ),
      );
      const sum = async () =>
        (await bank.ledger.balances(bank.database.db, doctors.map(doctor), bank.now)).reduce((total, { posted }) => total + posted, 0n);
      for (let round = 0; round < 10; round += 1) {
        // Two at once on the same accounts.
        const pair = ['a', 'b'].map(
          (side) => new Poster(program, { name: `${round}${side}`, doctors, now: bank.now }, bank.database.address),
        );
        // The second one goes on while the first one's death is looked at.
        for (const [at, poster] of pair.entries()) {
          await poster.committed(15 + round * 3 + at * 7);
          await poster.kill();
          const { facts, said, faults } = poster;
          expect(faults).toEqual([]);
          const keys = said.map((n) => chaosMove(facts, n).businessKey);
          const { rows } = await sql<{ n: number }>`
            select count(*)::int as n from ledger_transfer where book = 'DOCTOR' and business_key = any(${keys}::text[])`.execute(
            bank.database.db,
          );
          expect(rows).toEqual([{ n: said.length }]);
          const [first = 0] = said;
          const again = await bank.inTransaction((posting) => bank.ledger.post(posting, chaosMove(facts, first)));
          expect(again.replayed).toBe(true);
          const other = { ...chaosMove(facts, first), memo: 'x' };
          const [debit, credit] = [other.debit[0]!, other.credit[0]!];
          await expect(
            bank.inTransaction((posting) =>
              bank.ledger.post(posting, {
                ...other,
                debit: [{ ...debit, amount: debit.amount + 1n }],
                credit: [{ ...credit, amount: credit.amount + 1n }],
              }),
            ),
          ).rejects.toMatchObject({ code: 'SCM18010' });
          expect(await sum()).toBe(300_000n);
          expect(await proven('DOCTOR')).toMatchObject({ status: 'PASSED', findings: 0 });
        }
      }
      const { rows: held } = await sql<{ n: number }>`
        select count(*)::int as n from ledger_transfer t where not exists (select from ledger_entry e where e.transfer_id = t.id)`.execute(
        bank.database.db,
      );
      expect(held).toEqual([{ n: 0 }]);
    },
    PATIENCE,
  );
});

describe('a card over midnight', () => {
  it('is spent until the last moment of its last day, and not after it', async () => {
    const card = await openCard(bank);
    const midnight = startOfDay('2026-12-01');
    await bank.inTransaction((posting) =>
      bank.ledger.post(posting, topUp(principal(card), 1_000n, { refType: 'grant', refId: next(), expiresAt: midnight })),
    );
    const before = bank.now;
    try {
      bank.now = plusMs(midnight, -1);
      await bank.inTransaction((posting) => bank.ledger.openPeriods(posting, '2026-12-01'));
      await bank.inTransaction((posting) => bank.ledger.post(posting, spend(card, 400n)));
      bank.now = midnight;
      await expect(bank.inTransaction((posting) => bank.ledger.post(posting, spend(card, 400n)))).rejects.toMatchObject({
        code: 'SCM18041',
      });
    } finally {
      bank.now = before;
    }
  });
});

/** What may happen to a card, with a clock that moves and transactions that end badly. */
const commands = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('topUp' as const),
      amount: fc.bigInt(1n, 5_000n),
      days: fc.option(fc.integer({ min: 1, max: 4 })),
      bonus: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('spend' as const), amount: fc.bigInt(1n, 3_000n) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), of: fc.nat(5), part: fc.integer({ min: 1, max: 100 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('hold' as const), amount: fc.bigInt(1n, 2_000n), hours: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('capture' as const),
      of: fc.nat(5),
      part: fc.integer({ min: 1, max: 100 }),
      final: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), of: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('timeOut' as const) }) },
  /** Posted, and then the business transaction fails, or loses its connection. */
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fault' as const), amount: fc.bigInt(1n, 900n), cut: fc.boolean() }) },
);

describe('a life of a card', () => {
  it(
    'by chance, with faults and a clock that moves, agrees with what was said to have been done',
    async () => {
      const begin = bank.now;
      await fc.assert(
        fc.asyncProperty(fc.array(commands, { minLength: 10, maxLength: 35 }), async (life) => {
          bank.now = begin;
          const card = await openCard(bank);
          let posted = 0n;
          let held = 0n;
          const spends: { transfer: TransferResult; left: bigint }[] = [];
          const holds: { id: string; left: bigint }[] = [];
          const facts = () => ({ businessKey: `life:${next()}`, actor: MAKER });
          const lot = (days: number | null) => ({
            refType: 'life',
            refId: next(),
            expiresAt: days === null ? null : plusMs(bank.now, hours(24 * days)),
          });
          const group = [principal(card), bonus(card)];
          /** False where the ledger refused; anything else is a fault of it. */
          const goes = (work: Promise<unknown>): Promise<boolean> =>
            work.then(
              () => true,
              (error: { code?: string }) => {
                expect(error.code).toMatch(/^SCM180(01|11|12|20|21|22|23|41|43)$/);
                return false;
              },
            );
          for (const act of life) {
            switch (act.kind) {
              case 'topUp': {
                const to = act.bonus ? bonus(card) : principal(card);
                if (await goes(bank.inTransaction((posting) => bank.ledger.post(posting, topUp(to, act.amount, lot(act.days))))))
                  posted += act.amount;
                break;
              }
              case 'spend': {
                let transfer: TransferResult | undefined;
                if (
                  await goes(bank.inTransaction(async (posting) => (transfer = await bank.ledger.post(posting, spend(card, act.amount)))))
                ) {
                  posted -= act.amount;
                  spends.push({ transfer: transfer!, left: transfer!.entries[0]!.amount });
                }
                break;
              }
              case 'refund': {
                const spent = spends[act.of];
                if (!spent) break;
                const [debit] = spent.transfer.entries;
                const credit = spent.transfer.entries.at(-1)!;
                const amount = (debit!.amount * BigInt(act.part)) / 100n;
                if (amount === 0n) break;
                const command = {
                  transfer: spent.transfer.transferId,
                  ...facts(),
                  reason: '退回',
                  legs: [debit!, credit].map(({ entryId }) => ({ entryId, amount })),
                };
                const done = await goes(bank.inTransaction((posting) => bank.ledger.refund(posting, command)));
                expect(done).toBe(amount <= spent.left);
                if (done) {
                  spent.left -= amount;
                  posted += amount;
                }
                break;
              }
              case 'hold': {
                const command = {
                  ...facts(),
                  book: 'CARD' as const,
                  legs: [{ account: group, amount: act.amount }],
                  expiresAt: plusMs(bank.now, hours(act.hours)),
                  ref: { type: 'life', id: card },
                };
                let id = '';
                if (await goes(bank.inTransaction(async (posting) => (id = (await bank.ledger.hold(posting, command)).holdId)))) {
                  held += act.amount;
                  holds.push({ id, left: act.amount });
                }
                break;
              }
              case 'capture': {
                const hold = holds[act.of];
                if (!hold) break;
                const amount = (hold.left * BigInt(act.part)) / 100n;
                if (amount === 0n) break;
                const command = {
                  holdId: hold.id,
                  ...facts(),
                  type: 'SPEND',
                  amount,
                  credit: [{ account: shop(), amount }],
                  final: act.final,
                  ref: { type: 'life', id: card },
                };
                if (await goes(bank.elsewhere((posting) => bank.ledger.capture(posting, command)))) {
                  posted -= amount;
                  held -= act.final ? hold.left : amount;
                  hold.left -= act.final ? hold.left : amount;
                }
                break;
              }
              case 'release': {
                const hold = holds[act.of];
                if (!hold || hold.left === 0n) break;
                if (
                  await goes(bank.inTransaction((posting) => bank.ledger.release(posting, { holdId: hold.id, ...facts(), reason: '取消' })))
                ) {
                  held -= hold.left;
                  hold.left = 0n;
                }
                break;
              }
              case 'wait':
                bank.now = plusMs(bank.now, hours(act.hours));
                await bank.inTransaction((posting) => bank.ledger.openPeriods(posting, bank.now.slice(0, 10)));
                break;
              case 'sweep': {
                const before = await bank.ledger.balances(bank.database.db, group, bank.now);
                await bank.inTransaction((posting) =>
                  bank.ledger.expireLots(posting, {
                    book: 'CARD',
                    asOf: bank.now,
                    limit: 500,
                    sweep: ({ id }) => ({ type: 'EXPIRE', credit: breakage, businessKey: `life:exp:${id}:${dayOf(bank.now)}` }),
                  }),
                );
                const over = before.reduce((sum, { available, spendable }) => sum + available - spendable, 0n);
                posted -= over;
                break;
              }
              case 'timeOut':
                await bank.inTransaction((posting) => bank.ledger.timeOutHolds(posting, 200));
                for (const hold of holds) {
                  const { rows } = await sql<{ status: string }>`select status from ledger_hold where id = ${hold.id}`.execute(
                    bank.database.db,
                  );
                  if (rows[0]?.status === 'PENDING') continue;
                  held -= hold.left;
                  hold.left = 0n;
                }
                break;
              case 'fault': {
                const work = bank.inTransaction(async (posting) => {
                  await bank.ledger.post(posting, topUp(principal(card), act.amount, lot(null)));
                  if (act.cut) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(posting.tx);
                  throw new Error('the business failed');
                });
                await expect(work).rejects.toThrow();
                break;
              }
            }
          }
          const now = await bank.ledger.balances(bank.database.db, group, bank.now);
          expect(now.reduce((sum, one) => sum + one.posted, 0n)).toBe(posted);
          expect(now.reduce((sum, one) => sum + one.held, 0n)).toBe(held);
          expect(await proven('CARD')).toMatchObject({ status: 'PASSED', findings: 0 });
        }),
        { numRuns: 12, verbose: 1 },
      );
      bank.now = begin;
      expect((await bank.ledger.balance(bank.database.db, cash, bank.now)).held).toBe(0n);
    },
    PATIENCE,
  );
});
