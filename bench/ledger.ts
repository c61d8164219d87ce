import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { makeLedger } from '#domains/ledger/server/ledger.ts';
import { payloadHash, type AccountRef, type PostCommand, type Posting } from '#domains/ledger/server/commands.ts';
import { testBooks } from '#domains/ledger/server/testing/books.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { startEmbedded } from '#kernel/server/database/embedded/embedded.ts';
import { connectOwner, migrate } from '#kernel/server/database/migrator.ts';
import { createDb } from '#kernel/server/database/pool.ts';
import { silentLogger } from '#kernel/server/logger.ts';
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
    // The ledger's own tables with their columns, checks and indexes: what somebody who writes by hand would write, without what keeps it
    // right
    // (foreign keys, triggers).
    await owner.query(`
      create table bench_transfer (like ledger_transfer including all);
      create table bench_entry (like ledger_entry including all);
      create table bench_balance (like ledger_balance including all) with (fillfactor = 70);
      insert into bench_balance (account_id, stripe, sign, floor_fen) select n, 0, -1, 0 from generate_series(1, ${ACCOUNTS}) as n;
      insert into bench_balance (account_id, stripe, sign) select 0, n, 1 from generate_series(0, 15) as n;
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
      const [account, stripe] = [1 + ((n * 7) % ACCOUNTS), n % 16];
      const client = await opened.pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query<{ id: string }>({
          name: 'bench_transfer',
          text: `
            insert into bench_transfer (
              transfer_no, book, transfer_type, business_key, payload_hash, posting_date, total_fen, ref_type, ref_id, operator_id,
              operator_name, trace_id, created_at
            )
              values (
                'LT' || to_char($2::date, 'YYYYMMDD') || lpad((nextval('ledger_transfer_no') % 100000000)::text, 8, '0'), 'DOCTOR',
                'ACCRUE', $1, $3, $2, 100, 'bench', $4, '1', 'bench', 'bench', $5
              )
              on conflict (book, business_key) do nothing
              returning id`,
          values: [own, dayOf(systemClock.now()), payloadHash({ own }), String(key), systemClock.now()],
        });
        const { rows: locked } = await client.query<{ creditTotalFen: string; lastEntrySeq: string; stripe: number }>({
          name: 'bench_lock',
          text: `
            select account_id, stripe, floor_fen, status, debit_total_fen, credit_total_fen as "creditTotalFen", held_fen,
                last_entry_seq as "lastEntrySeq"
              from bench_balance
              where (account_id = $1 and stripe = 0) or (account_id = 0 and stripe = $2)
              order by account_id desc for update`,
          values: [account, stripe],
        });
        const [guarded] = locked;
        await client.query({
          name: 'bench_entry',
          text: `insert into bench_entry (transfer_id, line_no, account_id, side, amount_fen, account_seq, balance_after_fen)
                 values ($1, 1, 0, 'D', 100, null, null), ($1, 2, $2, 'C', 100, $3, $4) returning id`,
          values: [rows[0]!.id, account, String(BigInt(guarded!.lastEntrySeq) + 1n), String(BigInt(guarded!.creditTotalFen) + 100n)],
        });
        await client.query({
          name: 'bench_balance',
          text: `update bench_balance set credit_total_fen = credit_total_fen + case account_id when 0 then 0 else 100 end,
                   debit_total_fen = debit_total_fen + case account_id when 0 then 100 else 0 end,
                   last_entry_seq = last_entry_seq + case account_id when 0 then 0 else 1 end, last_entry_at = $3
                  where (account_id = $1 and stripe = 0) or (account_id = 0 and stripe = $2)`,
          values: [account, stripe, systemClock.now()],
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
