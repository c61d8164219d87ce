import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { makeLedger } from '../src/domains/ledger/server/ledger.ts';
import type { AccountRef, PostCommand, Posting } from '../src/domains/ledger/server/commands.ts';
import { testBooks } from '../src/domains/ledger/server/testing/books.ts';
import { dayOf } from '../src/kernel/contract/time.ts';
import { systemClock } from '../src/kernel/server/clock.ts';
import { startEmbedded } from '../src/kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '../src/kernel/server/database/migrator.ts';
import { createDb } from '../src/kernel/server/database/pool.ts';
import { silentLogger } from '../src/kernel/server/logger.ts';
import { median } from './load.ts';
import { ratioRow, type Row } from './table.ts';

const ACCOUNTS = 1_000;
const WRITERS = 8;
const ROUNDS = 15;
const ROUND_MS = 400;
const WARM_MS = 2_000;

const doctor = (n: number): AccountRef => ({ book: 'DOCTOR', type: 'DR_PAYABLE', owner: { type: 'doctor', id: String(n) } });
const cash: AccountRef = { book: 'DOCTOR', type: 'DR_CASH', owner: { type: 'payerEntity', id: '1' } };

/** Writers side by side for so long. @returns transactions per second; a failure ends the measurement. */
async function throughput(work: (n: number) => Promise<void>, ms: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      while (performance.now() - began < ms) {
        done += 1;
        await work(done);
      }
    }),
  );
  return (done * 1000) / (performance.now() - began);
}

/** Postings against a transfer of the same shape written by hand, and one guarded account against a thousand. */
export async function measureLedger(): Promise<Row[]> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'kangqiao-bench-'));
  const database = await startEmbedded({ dataDir, log: silentLogger });
  const opened = createDb(database.address, { log: silentLogger });
  try {
    await migrate(database.address, systemClock.now());
    const owner = await connectOwner(database.address);
    await owner.query(`
      create table bench_transfer (id bigint generated always as identity primary key, key text not null unique, total bigint not null, at timestamptz not null);
      create table bench_entry (id bigint generated always as identity primary key, transfer_id bigint not null references bench_transfer, account_id int not null,
        amount bigint not null);
      create index on bench_entry (account_id, id desc);
      create table bench_balance (account_id int primary key, debit bigint not null default 0, credit bigint not null default 0) with (fillfactor = 70);
      insert into bench_balance select n from generate_series(0, ${ACCOUNTS + 16}) as n;
      grant select, insert, update on bench_transfer, bench_entry, bench_balance to kangqiao_app`);
    await owner.end();
    const ledger = makeLedger(testBooks, { strict: false });
    const run = <T>(work: (posting: Posting) => Promise<T>): Promise<T> =>
      opened.db
        .transaction()
        .execute((tx) => work({ tx, now: systemClock.now(), traceId: 'bench', publish: async () => {}, publishMany: async () => {} }));
    await run(async (posting) => {
      await ledger.openPeriods(posting, dayOf(posting.now));
      await ledger.openAccount(posting, cash, { ownerName: 'bench' });
      for (let n = 0; n < ACCOUNTS; n += 1) await ledger.openAccount(posting, doctor(n), { ownerName: 'bench' });
    });
    let key = 0;
    const accrue = (n: number): PostCommand => {
      key += 1;
      const ref = { type: 'bench', id: String(key) };
      return {
        businessKey: `bench:accrue:${key}`,
        book: 'DOCTOR',
        type: 'ACCRUE',
        debit: [{ account: cash, amount: 100n }],
        credit: [{ account: doctor(n), amount: 100n }],
        ref,
        actor: { id: '1', name: 'bench' },
      };
    };
    const spread = async (n: number): Promise<void> => void (await run((posting) => ledger.post(posting, accrue((n * 7) % ACCOUNTS))));
    const hot = async (): Promise<void> => void (await run((posting) => ledger.post(posting, accrue(0))));
    const bare = async (n: number): Promise<void> => {
      key += 1;
      const own = `bench:${key}`;
      const [one, other] = [(n * 7) % ACCOUNTS, ACCOUNTS + (n % 16)];
      const client = await opened.pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query<{ id: string }>({
          name: 'bench_transfer',
          text: 'insert into bench_transfer (key, total, at) values ($1, 100, now()) on conflict (key) do nothing returning id',
          values: [own],
        });
        await client.query({
          name: 'bench_lock',
          text: 'select account_id, debit, credit from bench_balance where account_id = any($1) order by account_id for update',
          values: [[one, other]],
        });
        await client.query({
          name: 'bench_entry',
          text: 'insert into bench_entry (transfer_id, account_id, amount) values ($1, $2, 100), ($1, $3, -100)',
          values: [rows[0]!.id, one, other],
        });
        await client.query({
          name: 'bench_balance',
          text: 'update bench_balance set credit = credit + case account_id when $1 then 100 else 0 end, debit = debit + case account_id when $2 then 100 else 0 end where account_id in ($1, $2)',
          values: [one, other],
        });
        await client.query('commit');
      } finally {
        client.release();
      }
    };
    /** Median of many short rounds in turn: a machine's speed drifts within seconds. */
    const ratio = async (work: (n: number) => Promise<void>, against: (n: number) => Promise<void>): Promise<number> => {
      await throughput(work, WARM_MS);
      await throughput(against, WARM_MS);
      const ratios: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        ratios.push((await throughput(work, ROUND_MS)) / (await throughput(against, ROUND_MS)));
      return median(ratios);
    };
    const rows = [
      ratioRow('ledger posting / a transfer of the same shape by hand', await ratio(spread, bare), 0.6),
      ratioRow('one guarded account / a thousand', await ratio(hot, spread), 0.45),
    ];
    const { findings } = await run((posting) => ledger.prove(posting, 'DOCTOR', 'MANUAL'));
    const { rows: sums } = await sql<{ n: string }>`select count(*) as n from ledger_transfer`.execute(opened.db);
    return [
      ...rows,
      { what: `findings of a proof after ${sums[0]!.n} transfers`, measured: String(findings), goal: '0', held: findings === 0 },
    ];
  } finally {
    await opened.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
