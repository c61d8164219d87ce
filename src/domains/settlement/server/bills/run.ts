import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, plusDays } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { nextNumber } from '#kernel/server/command/numbers.ts';
import type { Writing } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import type { JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import {
  exportSettleRunList,
  previewSettleRun,
  querySettleRunList,
  querySettleRunSkips,
  startSettleRun,
} from '../../contract/calls/bills.ts';
import { settlementErrors } from '../../contract/errors.ts';
import { payerRecords, runRecords } from '../access.ts';
import { own } from '../database.ts';
import { buildBill } from './build.ts';
import { cutoffOf, doctorsDue, isBillable, leastOf, readLines, ROLLED, sumUp, type RunScope } from './collect.ts';

const runJob: JobKind<{ runId: string; runNo: string }> = {
  name: 'settlement.runBills',
  label: '批算结算单',
  retryLimit: 8,
  expireSeconds: 1_800,
  subject: ({ runNo }) => runNo,
};

/** @throws Refusal SCM90020 for a month that is not over */
function requireOver({ period }: Pick<RunScope, 'period'>, now: string): void {
  if (cutoffOf(period) > now) throw refuseField('period', '该期间尚未结束，请在次月批算');
}

export const preview = query(previewSettleRun, async (scope, ctx) => {
  requireOver(scope, ctx.now);
  await payerRecords.get(ctx.db, ctx.staff, scope.payerEntityId);
  const byDoctor = Map.groupBy(await readLines(ctx.db, scope), ({ doctorId }) => doctorId);
  const names = await own(ctx.db).selectFrom('settlementDoctor').select(['doctorId', 'name']).execute();
  const result = {
    doctorCount: byDoctor.size,
    billCount: 0,
    grossFen: 0,
    carryInFen: 0,
    skipped: Array.of<{ doctorName: string; grossFen: number; reason: string }>(),
  };
  for (const [doctorId, lines] of byDoctor) {
    const sums = sumUp(scope.period, lines);
    if (isBillable(sums.grossFen, await leastOf(ctx.db, scope, doctorId))) {
      result.billCount += 1;
      result.grossFen += Number(sums.grossFen);
      result.carryInFen += Number(sums.carryInFen);
    } else
      result.skipped.push({
        doctorName: names.find((one) => one.doctorId === doctorId)?.name ?? doctorId,
        grossFen: Number(sums.grossFen),
        reason: ROLLED,
      });
  }
  return result;
});

interface Starter {
  userId: string | null;
  name: string;
}
/** A month of a payer is run once. @throws Refusal SCM19045 */
export async function beginRun(
  writing: Pick<Writing, 'tx'>,
  { period, payerEntityId }: RunScope,
  by: Starter,
  now: string,
): Promise<{ id: string; runNo: string; status: 'RUNNING' | 'DONE' }> {
  const run = await own(writing.tx)
    .insertInto('settlementRun')
    .values({
      runNo: await nextNumber(writing.tx, 'PS', dayOf(now)),
      period,
      payerEntityId,
      cutoffAt: cutoffOf(period),
      startedBy: by.userId,
      startedByName: by.name,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'runNo', 'status'])
    .executeTakeFirst();
  if (!run) throw refuse(settlementErrors.ALREADY_RUN);
  return run;
}

export const start = command(startSettleRun, async (scope, ctx) => {
  requireOver(scope, ctx.now);
  const payer = await payerRecords.get(ctx.tx, ctx.staff, scope.payerEntityId);
  if (!payer.enabled) throw refuse(settlementErrors.PAYER_DISABLED, { name: payer.entityName });
  const run = await beginRun(ctx, scope, { userId: ctx.staff.userId, name: ctx.staff.displayName }, ctx.now);
  await ctx.enqueue(runJob, { runId: run.id, runNo: run.runNo }, { singletonKey: `settlement:run:${run.id}` });
  ctx.target({ type: runRecords.type, id: run.id, no: run.runNo });
  return run;
});

/** A run is over when every doctor was looked at. */
export async function finishRun({ tx }: Pick<Writing, 'tx'>, runId: string, now: string): Promise<void> {
  await sql`
    update settlement_run r
      set status = 'DONE', finished_at = ${now}::timestamptz,
        bill_count = (select count(*) from settlement_bill b where b.run_id = r.id),
        rolled_count = (select count(*) from settlement_run_skip s where s.run_id = r.id),
        gross_fen = (select coalesce(sum(b.gross_fen), 0) from settlement_bill b where b.run_id = r.id)
      where r.id = ${runId} and r.status = 'RUNNING'`.execute(tx);
}

const CHUNK = 200;
/** Doctor by doctor, each in a transaction of its own: what was interrupted goes on with whoever has no bill yet. */
async function runBills(kernel: Kernel, ctx: JobContext, runId: string): Promise<void> {
  const run = await own(ctx.db).selectFrom('settlementRun').selectAll().where('id', '=', runId).executeTakeFirstOrThrow();
  if (run.status !== 'RUNNING') return;
  const failures = isolateFailures(ctx);
  for (let after = '0'; !ctx.signal.aborted;) {
    const doctors = await doctorsDue(ctx.db, run, after, CHUNK);
    const last = doctors.at(-1);
    if (!last) break;
    after = last.id;
    for (const { id, name } of doctors)
      await failures.run(name, () => ctx.transaction((writing) => buildBill(asSystem(writing, ctx), ledgerOf(kernel), run, id)));
  }
  failures.throwIfAny();
  if (!ctx.signal.aborted) await ctx.transaction((writing) => finishRun(writing, runId, ctx.now));
}

/** On the day that the payer's rule says the month before is run by itself. */
async function startDueRuns(ctx: JobContext): Promise<void> {
  const today = dayOf(ctx.now);
  const period = plusDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7);
  const { rows } = await sql<{ id: string }>`
    select p.id
      from settlement_payer p
      where p.enabled
        and (
          select min(v.cycle_day) from settlement_rule_version v
            where v.payer_entity_id = p.id and v.status in ('PUBLISHED', 'RETIRED')
              and daterange(v.effective_from, v.effective_to) @> ${today}::date
        ) = extract(day from ${today}::date)
        and not exists (select from settlement_run r where r.payer_entity_id = p.id and r.period = ${period})`.execute(ctx.db);
  for (const { id } of rows)
    await ctx.transaction(async (writing) => {
      const run = await beginRun(writing, { period, payerEntityId: id }, { userId: null, name: '系统' }, ctx.now);
      await writing.enqueue(runJob, { runId: run.id, runNo: run.runNo }, { singletonKey: `settlement:run:${run.id}` });
    });
}

export const runJobs = (kernel: Kernel): JobDeclaration<never>[] => {
  const run: JobDeclaration<{ runId: string; runNo: string }> = { ...runJob, run: ({ runId }, ctx) => runBills(kernel, ctx, runId) };
  const due: JobDeclaration = {
    name: 'settlement.startDueRuns',
    label: '按批算日发起批算',
    cron: '30 1 * * *',
    run: (_data, ctx) => startDueRuns(ctx),
  };
  return [run as JobDeclaration<never>, due as JobDeclaration<never>];
};

export const runList = listOf(querySettleRunList)
  .from(({ db }) => own(db).selectFrom('settlementRun as r').innerJoin('settlementPayer as p', 'p.id', 'r.payerEntityId'))
  .with({
    where: { period: 'r.period', payerEntityId: 'r.payerEntityId' },
    id: 'r.id',
    unsorted: 'the newest run first',
    bounded: 'one run a month for each of our companies',
    select: (rows) =>
      rows
        .select(['r.id', 'r.runNo', 'r.period', 'p.entityName as payerName', 'r.billCount', 'r.rolledCount', 'r.grossFen'])
        .select(['r.startedByName', 'r.createdAt', 'r.finishedAt', 'r.status']),
    present: (rows) => rows.map((row) => ({ ...row, grossFen: Number(row.grossFen) })),
  });
export const runExport = listExport(runList, { call: exportSettleRunList, title: '批算记录', routeKey: 'doctorSettlement.runs' });

export const runSkips = query(querySettleRunSkips, async ({ id }, ctx) => {
  await runRecords.get(ctx.db, ctx.staff, id);
  const rows = await own(ctx.db)
    .selectFrom('settlementRunSkip as s')
    .innerJoin('settlementDoctor as d', 'd.doctorId', 's.doctorId')
    .select(['d.name as doctorName', 's.grossFen', 's.reason'])
    .where('s.runId', '=', id)
    .orderBy('s.doctorId')
    .execute();
  return rows.map((row) => ({ ...row, grossFen: Number(row.grossFen) }));
});
