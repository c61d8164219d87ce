import { sql } from 'kysely';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import { getDoctors } from '#domains/doctor/server/index.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import type { IncentiveTask } from '../../contract/dictionaries.ts';
import type { ProgramRecord } from '../access.ts';
import { own } from '../database.ts';
import { keepDoctor } from '../doctors/keep.ts';
import { availableFrom, insertIncome, settleBooks, spokenTrace } from '../income/write.ts';
import { cycleRuleOf } from '../rules/match.ts';
import { leftOf, lockProgram, noBudget, spend } from './fund.ts';

/** Days after a programme's end in which what was done before it may still be told. */
const LATE_DAYS = 30;
/** Where no rule says how long an income is frozen. */
const FREEZE_DAYS = 3;

/** What another domain told that a doctor did. */
interface Told {
  taskType: IncentiveTask;
  doctorId: string;
  sourceType: 'VISIT_RECORD' | 'TASK';
  sourceNo: string;
  at: Instant;
  durationMin: number | null;
  score: number | null;
}
interface Place {
  taskId: string;
  programId: string;
  programNo: string;
}

/** The programme that pays for it: the oldest that runs on that day, is about the doctor and has such a task. */
async function placeOf(db: Db | Tx, told: Told, channelId: string | null): Promise<Place | null> {
  const { rows } = await sql<Place>`
    select t.id as task_id, p.id as program_id, p.program_no
      from settlement_program_task t
      join settlement_program p on p.id = t.program_id
      where t.task_type = ${told.taskType}
        and p.status in ('ACTIVE', 'PAUSED', 'ENDED')
        and ${dayOf(told.at)}::date between p.start_date and p.end_date
        and (
          p.scope_type = 'ALL'
          or p.scope_type = 'DOCTOR' and ${told.doctorId}::bigint = any(p.scope_ids)
          or p.scope_type = 'CHANNEL' and ${channelId}::bigint = any(p.scope_ids)
        )
      order by p.id, t.id
      limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Keeps what was told, once, where a programme pays for it. @returns that programme */
export async function keepFact(ctx: Pick<Acting, 'tx' | 'now'>, told: Told): Promise<Place | null> {
  const [doctor] = await getDoctors(ctx.tx, [told.doctorId]);
  if (!doctor || doctor.accountState === 'CANCELLED') return null;
  const place = await placeOf(ctx.tx, told, doctor.channelId);
  if (!place) return null;
  await own(ctx.tx)
    .insertInto('settlementProgramFact')
    .values({
      programId: place.programId,
      taskId: place.taskId,
      doctorId: told.doctorId,
      doctorName: doctor.name,
      sourceType: told.sourceType,
      sourceNo: told.sourceNo,
      occurredAt: told.at,
      itemCount: 1,
      durationMin: told.durationMin,
      score: told.score === null ? null : String(told.score),
      state: 'NEW',
      createdAt: ctx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return place;
}

const readFact = (tx: Tx, id: string) =>
  own(tx).selectFrom('settlementProgramFact').selectAll().where('id', '=', id).where('state', '=', 'NEW').forUpdate().executeTakeFirst();
type Fact = NonNullable<Awaited<ReturnType<typeof readFact>>>;
const readTask = (tx: Tx, id: string) =>
  own(tx).selectFrom('settlementProgramTask').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
type Task = Awaited<ReturnType<typeof readTask>>;

/** Of a task that a machine told of: whether it came to what was agreed. What people hand in was looked at by a second one. */
const isGood = (task: Task, fact: Fact): boolean =>
  fact.sourceType === 'IMPORT' ||
  ((task.minDurationMin === null || (fact.durationMin !== null && fact.durationMin >= task.minDurationMin)) &&
    (task.minScore === null || (fact.score !== null && Number(fact.score) >= task.minScore)));

/** Takes places under both caps, as many as are left. @returns how many */
async function takePlaces(tx: Tx, task: Task, fact: Fact): Promise<number> {
  const counter = { taskId: fact.taskId, doctorId: fact.doctorId, month: dayOf(fact.occurredAt).slice(0, 7) };
  const { doneCount } = await own(tx)
    .insertInto('settlementProgramCount')
    .values({ ...counter, doneCount: 0 })
    .onConflict((conflict) =>
      conflict.columns(['taskId', 'doctorId', 'month']).doUpdateSet({ doneCount: sql`settlement_program_count.done_count` }),
    )
    .returning('doneCount')
    .executeTakeFirstOrThrow();
  const inProgram = task.programCapCount === null ? fact.itemCount : task.programCapCount - task.doneCount;
  const taken = Math.max(0, Math.min(fact.itemCount, task.monthlyCapCount - doneCount, inProgram));
  if (taken === 0) return 0;
  await own(tx)
    .updateTable('settlementProgramCount')
    .set({ doneCount: doneCount + taken })
    .where('taskId', '=', counter.taskId)
    .where('doctorId', '=', counter.doctorId)
    .where('month', '=', counter.month)
    .execute();
  await own(tx)
    .updateTable('settlementProgramTask')
    .set({ doneCount: task.doneCount + taken })
    .where('id', '=', task.id)
    .execute();
  return taken;
}

/** What an income has to wait for; null: it is accrued at once. */
function waitOf(program: ProgramRecord, gross: bigint): { for: 'PAUSE' | 'BUDGET'; reason: string } | null {
  if (gross > leftOf(program)) return { for: 'BUDGET', reason: noBudget(gross, leftOf(program)).message };
  return program.status === 'PAUSED' ? { for: 'PAUSE', reason: '项目暂停' } : null;
}

async function freezeDaysOf(ctx: Acting, fact: Fact): Promise<{ freezeDays: number; cycleVersionId: string | null }> {
  const doctor = await keepDoctor(ctx.tx, fact.doctorId, ctx.now);
  const cycle = await cycleRuleOf(ctx.tx, dayOf(fact.occurredAt), {
    doctorId: fact.doctorId,
    channelId: doctor.channelId,
    serviceItemId: null,
    serviceType: null,
    doctorTitle: doctor.titleCode,
    hospitalLevel: doctor.hospitalLevel,
  });
  return { freezeDays: cycle?.freezeDays ?? FREEZE_DAYS, cycleVersionId: cycle?.id ?? null };
}

/**
 * Makes of one fact what it comes to, however often it is asked: an income out of the programme's fund, one that waits for it, or none.
 * The programme's row is held meanwhile: facts of one programme are reckoned one after the other.
 */
export async function bookFact(ctx: Acting, ledger: Ledger, factId: string): Promise<void> {
  const seen = await own(ctx.tx).selectFrom('settlementProgramFact').select('programId').where('id', '=', factId).executeTakeFirst();
  if (!seen) return;
  const program = await lockProgram(ctx.tx, seen.programId);
  const fact = await readFact(ctx.tx, factId);
  if (!fact) return;
  const task = await readTask(ctx.tx, fact.taskId);
  const end = (state: 'LATE' | 'UNFIT' | 'OVER_CAP') =>
    own(ctx.tx).updateTable('settlementProgramFact').set({ state }).where('id', '=', factId).execute();
  if (program.status === 'CLOSED' || dayOf(ctx.now) > plusDays(program.endDate, LATE_DAYS)) return void (await end('LATE'));
  if (!isGood(task, fact)) return void (await end('UNFIT'));
  const paidCount = await takePlaces(ctx.tx, task, fact);
  if (paidCount === 0) return void (await end('OVER_CAP'));
  const grossFen = BigInt(task.unitFen) * BigInt(paidCount);
  const waits = waitOf(program, grossFen);
  const { freezeDays, cycleVersionId } = await freezeDaysOf(ctx, fact);
  const income = await insertIncome(ctx, {
    doctorId: fact.doctorId,
    payerEntityId: program.payerEntityId,
    incomeType: 'INCENTIVE',
    sourceType: 'INCENTIVE_FACT',
    sourceId: fact.id,
    sourceNo: fact.sourceNo,
    seq: 0,
    serviceType: null,
    ruleVersionId: null,
    cycleVersionId,
    occurredAt: fact.occurredAt,
    availableAt: availableFrom(fact.occurredAt, freezeDays),
    baseFen: 0n,
    grossFen,
    trace: spokenTrace(`激励项目${program.programNo}「${task.taskName}」，单价${yuan(task.unitFen, true)}元×${paidCount}`, grossFen),
    productLineId: program.productLineId,
    originalItemId: null,
    matured: false,
    programId: program.id,
    taskId: task.id,
    waits,
  });
  await own(ctx.tx)
    .updateTable('settlementProgramFact')
    .set({ state: 'BOOKED', paidCount, incomeId: income.id })
    .where('id', '=', factId)
    .execute();
  if (waits === null) await spend(ctx.tx, program.id, { used: grossFen });
  else if (waits.for === 'PAUSE') await spend(ctx.tx, program.id, { reserved: grossFen });
  if (waits === null) await settleBooks(ctx, ledger, [{ income, step: 'accrue' }]);
}
