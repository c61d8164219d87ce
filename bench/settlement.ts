import { ledgerOf, SYSTEM } from '#domains/ledger/server/index.ts';
import { beginRun, runJobs } from '#domains/settlement/server/bills/run.ts';
import { costOf, payableOf } from '#domains/settlement/server/chart.ts';
import { own } from '#domains/settlement/server/database.ts';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import { systemClock } from '#kernel/server/clock.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import type { JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { writeReference } from '#kernel/server/start/reference.ts';
import { sql } from 'kysely';
import { atMostRow, type Row } from './table.ts';
import { withKernel } from './withKernel.ts';

/** Incomes of a month; fewer by `npm run bench settlement 10000`, then in as much less time. */
const MOST = 100_000;
const LINES = Number(process.argv[3] ?? MOST);
const LINES_OF_DOCTOR = 20;
const DOCTORS = Math.max(1, Math.ceil(LINES / LINES_OF_DOCTOR));
const FEN = 5_000;
const SECONDS = Math.max(1, (60 * LINES) / MOST);

interface Month {
  payerId: string;
  period: string;
}

/** A company, its doctors and what they earned in the month before, due and in the books. */
async function writeMonth(kernel: Kernel, now: string): Promise<Month> {
  const period = plusDays(`${dayOf(now).slice(0, 7)}-01`, -1).slice(0, 7);
  const dueAt = startOfDay(`${period}-15`);
  const { id: payerId } = await own(kernel.db)
    .insertInto('settlementPayer')
    .values({
      entityCode: 'BENCH',
      entityName: '压测主体',
      taxNo: '91310115MA1K4A7X3P',
      bankName: '招商银行',
      bankAccountCipher: 'x',
      bankAccountMasked: '*',
      isPlatform: true,
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into settlement_doctor (doctor_id, doctor_no, name, account_state, updated_at)
      select n, 'BENCH' || n, '压测医生' || n, 'NORMAL', ${now}::timestamptz from generate_series(1, ${DOCTORS}::int) n`.execute(kernel.db);
  await sql`
    insert into settlement_income (
      income_no, doctor_id, payer_entity_id, income_type, source_type, source_id, source_no, occurred_at, available_at, base_fen, gross_fen,
      calc_trace, status, matured, created_at, updated_at
    )
      select 'BENCH' || n, 1 + n % ${DOCTORS}::int, ${payerId}, 'CONSULT', 'CONSULT_ORDER', n, 'BENCH' || n, ${dueAt}::timestamptz,
          ${dueAt}::timestamptz, ${FEN}, ${FEN}, '{}', 'AVAILABLE', true, ${now}::timestamptz, ${now}::timestamptz
        from generate_series(0, ${LINES - 1}::int) n`.execute(kernel.db);
  const ledger = ledgerOf(kernel);
  await kernel.transactions.run('bench', (writing) => ledger.openPeriods({ ...writing, now }, dayOf(now)));
  const { rows } = await sql<{ doctorId: string; fen: string }>`
    select doctor_id, sum(gross_fen)::text as fen from settlement_income group by doctor_id order by doctor_id`.execute(kernel.db);
  for (let at = 0; at < rows.length; at += 500)
    await kernel.transactions.run('bench', async (writing) => {
      const ctx = asSystem(writing, { now, traceId: 'bench' });
      const some = rows.slice(at, at + 500);
      await ledger.openAccounts(ctx, [
        { ref: costOf(payerId), ownerName: '压测主体' },
        ...some.map(({ doctorId }) => ({ ref: payableOf(doctorId, payerId), ownerName: '压测医生' })),
      ]);
      await ledger.postMany(
        ctx,
        some.map(({ doctorId, fen }) => ({
          businessKey: `bench:${doctorId}`,
          book: 'DOCTOR' as const,
          type: 'DR_ADJUST',
          debit: [{ account: costOf(payerId), amount: BigInt(fen) }],
          credit: [{ account: payableOf(doctorId, payerId), amount: BigInt(fen) }],
          ref: { type: 'settlementIncome', id: doctorId },
          actor: SYSTEM,
        })),
      );
    });
  await sql`analyze`.execute(kernel.db);
  return { payerId, period };
}

/** How long one page of incomes takes, at the 99th of a hundred; `goesOn` ends the measuring. */
async function pageP99(kernel: Kernel, goesOn: () => boolean): Promise<number> {
  const took: number[] = [];
  while (goesOn()) {
    const began = performance.now();
    await sql`
      select i.*, d.name
        from settlement_income i
        join settlement_doctor d on d.doctor_id = i.doctor_id
        order by i.occurred_at desc, i.id desc
        limit 20`.execute(kernel.db);
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
}

/** The run of a month: stopped in its middle, gone on with, and what somebody beside it feels. */
export async function measureSettlement(): Promise<Row[]> {
  return withKernel(async ({ kernel }) => {
    const now = systemClock.now();
    await writeReference(kernel);
    const month = await writeMonth(kernel, now);
    const scope = { period: month.period, payerEntityId: month.payerId };
    const run = await kernel.transactions.run('bench', (writing) => beginRun(writing, scope, { userId: null, name: '系统' }, now));
    const job = runJobs(kernel)[0] as JobDeclaration<{ runId: string; runNo: string }>;
    const billCount = async () => (await sql<{ n: number }>`select count(*)::int as n from settlement_bill`.execute(kernel.db)).rows[0]!.n;
    const runUntil = (signal: AbortSignal) =>
      job.run(
        { runId: run.id, runNo: run.runNo },
        {
          kernel,
          db: kernel.db,
          now,
          traceId: 'bench',
          signal,
          idleFor: () => {},
          transaction: (work) => kernel.transactions.run('bench', work),
        },
      );
    let pages = 300;
    const alone = await pageP99(kernel, () => (pages -= 1) > 0);
    let isRunning = true;
    const beside = pageP99(kernel, () => isRunning);
    const began = performance.now();
    const stop = new AbortController();
    const stopping = setTimeout(() => stop.abort(), SECONDS * 300);
    await runUntil(stop.signal);
    clearTimeout(stopping);
    const kept = await billCount();
    await runUntil(new AbortController().signal);
    const seconds = (performance.now() - began) / 1_000;
    isRunning = false;
    const p99 = await beside;
    const made = await billCount();
    if (made !== DOCTORS) throw new Error(`${made} bills of ${DOCTORS} doctors`);
    return [
      atMostRow(
        `month run of ${LINES} incomes of ${DOCTORS} doctors, stopped after ${kept} bills and gone on with`,
        seconds,
        SECONDS,
        ' s',
      ),
      atMostRow('a page of incomes beside it, p99 in times of alone', p99 / alone, 2),
    ];
  });
}
