import type { EventDeclaration, PayloadOf } from '#kernel/contract/event.ts';
import { dayOf, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import { createTestDatabase, enterDatabase, type TestDatabase } from '#testing/testDatabase.ts';
import type { AccountRef, Actor, Fen, LotGrant, PostCommand, Posting } from '../commands.ts';
import { makeLedger, type Ledger } from '../ledger.ts';
import { testBooks } from './books.ts';

export const MAKER: Actor = { id: '7', name: '李会计' };
export const START: Instant = startOfDay('2026-11-23', '09:00');

/** A database with ledgers of two processes, a clock that tests move, and what was published. */
export interface Bank {
  database: TestDatabase;
  ledger: Ledger;
  now: Instant;
  published: { name: string; payload: unknown }[];
  /** One business transaction; `at` is its time. */
  inTransaction<T>(work: (posting: Posting) => Promise<T>): Promise<T>;
  /** The same in a process of its own. */
  elsewhere<T>(work: (posting: Posting) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export async function openBank(): Promise<Bank> {
  const database = await createTestDatabase();
  const other = enterDatabase(database.address);
  const published: Bank['published'] = [];
  const ledger = makeLedger(testBooks, { strict: true });
  const run = async <T>(on: TestDatabase, work: (posting: Posting) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await on.db.transaction().execute((tx: Tx) =>
          work({
            tx,
            now: bank.now,
            traceId: 'test',
            async publish<E extends EventDeclaration>(event: E, _id: string, payload: PayloadOf<E>) {
              published.push({ name: event.name, payload });
            },
            async publishMany<E extends EventDeclaration>(event: E, all: readonly { payload: PayloadOf<E> }[]) {
              published.push(...all.map(({ payload }) => ({ name: event.name, payload })));
            },
          }),
        );
      } catch (error) {
        // As every command does.
        if (attempt === 3 || !(error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001')))
          throw error;
      }
    }
  };
  const bank: Bank = {
    database,
    ledger,
    now: START,
    published,
    inTransaction: (work) => run(database, work),
    elsewhere: (work) => run(other, work),
    async close() {
      await other.close().catch(() => undefined);
      await database.close();
    },
  };
  await bank.inTransaction((posting) => ledger.openPeriods(posting, dayOf(bank.now)));
  return bank;
}

let count = 0;
/** A number that no other test uses. */
export const next = (): string => String((count += 1));

export const principal = (card: string): AccountRef => ({ book: 'CARD', type: 'CARD_PRINCIPAL', owner: { type: 'cardAccount', id: card } });
export const bonus = (card: string): AccountRef => ({ book: 'CARD', type: 'CARD_BONUS', owner: { type: 'cardAccount', id: card } });
export const shop = (id = '1'): AccountRef => ({ book: 'CARD', type: 'CARD_MERCHANT_PAYABLE', owner: { type: 'drugstore', id } });
export const cash: AccountRef = { book: 'CARD', type: 'CARD_CASH', owner: { type: 'platform', id: '1' } };
export const breakage: AccountRef = { book: 'CARD', type: 'CARD_BREAKAGE', owner: { type: 'cardBatch', id: '1' } };
export const doctor = (id: string): AccountRef => ({ book: 'DOCTOR', type: 'DR_PAYABLE', owner: { type: 'doctor', id } });
export const bank = (id = '1'): AccountRef => ({ book: 'DOCTOR', type: 'DR_CASH', owner: { type: 'payerEntity', id } });

/** Opens the platform's accounts and those of a card. @returns its number */
export async function openCard({ inTransaction, ledger }: Bank): Promise<string> {
  const card = next();
  await inTransaction(async (posting) => {
    for (const ref of [cash, shop(), breakage, principal(card), bonus(card)]) await ledger.openAccount(posting, ref, { ownerName: '测试' });
  });
  return card;
}

export async function openDoctors({ inTransaction, ledger }: Bank, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, next);
  await inTransaction(async (posting) => {
    for (const ref of [bank(), ...ids.map(doctor)]) await ledger.openAccount(posting, ref, { ownerName: '测试' });
  });
  return ids;
}

const facts = (key: string) => ({ businessKey: key, ref: { type: 'test', id: key }, actor: MAKER });

export const topUp = (to: AccountRef, amount: Fen, lot: LotGrant, key = `test:topUp:${next()}`): PostCommand => ({
  ...facts(key),
  book: 'CARD',
  type: 'TOP_UP',
  debit: [{ account: cash, amount }],
  credit: [{ account: to, amount, lot }],
});
export const spend = (card: string, amount: Fen, key = `test:spend:${next()}`): PostCommand => ({
  ...facts(key),
  book: 'CARD',
  type: 'SPEND',
  debit: [{ account: [principal(card), bonus(card)], amount }],
  credit: [{ account: shop(), amount }],
});
export const accrue = (to: string, amount: Fen, key = `test:accrue:${next()}`): PostCommand => ({
  ...facts(key),
  book: 'DOCTOR',
  type: 'ACCRUE',
  debit: [{ account: bank(), amount }],
  credit: [{ account: doctor(to), amount }],
});
export const move = (from: string, to: string, amount: Fen, key = `test:move:${next()}`): PostCommand => ({
  ...facts(key),
  book: 'DOCTOR',
  type: 'MOVE',
  debit: [{ account: doctor(from), amount }],
  credit: [{ account: doctor(to), amount }],
});
export const pay = (from: string, amount: Fen, key = `test:pay:${next()}`): PostCommand => ({
  ...facts(key),
  book: 'DOCTOR',
  type: 'PAY',
  debit: [{ account: doctor(from), amount }],
  credit: [{ account: bank(), amount }],
});
