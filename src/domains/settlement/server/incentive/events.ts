import { visitRecordCompleted } from '#events/consultation.ts';
import { corpusTaskCompleted } from '#events/corpus.ts';
import { dayOf } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import type { JobContext, JobDeclaration, Kernel } from '#kernel/server/kernel.ts';
import { consumer } from '#kernel/server/outbox/consumer.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import type { IncentiveTask } from '../../contract/dictionaries.ts';
import { settlementPermissions as may } from '../../contract/permissions.ts';
import { programMachine } from '../../contract/programStates.ts';
import { programRecords } from '../access.ts';
import { own } from '../database.ts';
import { bookFact, keepFact } from './facts.ts';
import { enqueueWork, lockProgram, workJob } from './fund.ts';
import { releaseWaiting } from './release.ts';

/** Tasks of follow-up that programmes may pay for; the others are our own work. */
const TASKS: Readonly<Record<string, IncentiveTask>> = { CALL: 'PATIENT_EDU', FORM: 'SURVEY' };

export const incentiveConsumers = [
  consumer('settlement', visitRecordCompleted, async ({ payload }, ctx) => {
    // A later version of a record is the same piece of work.
    const place = await keepFact(ctx, {
      taskType: 'FOLLOW_UP_RECORD',
      doctorId: payload.doctorId,
      sourceType: 'VISIT_RECORD',
      sourceNo: payload.visitRecordId,
      at: payload.at,
      durationMin: null,
      score: null,
    });
    if (place) await enqueueWork(ctx, { id: place.programId, programNo: place.programNo });
  }),
  consumer('settlement', corpusTaskCompleted, async ({ payload }, ctx) => {
    const taskType = TASKS[payload.kind];
    if (!taskType || payload.doctorId === null) return;
    const place = await keepFact(ctx, {
      taskType,
      doctorId: payload.doctorId,
      sourceType: 'TASK',
      sourceNo: payload.taskId,
      at: payload.at,
      durationMin: payload.facts.durationMin ?? null,
      score: payload.facts.score ?? null,
    });
    if (place) await enqueueWork(ctx, { id: place.programId, programNo: place.programNo });
  }),
];

const CHUNK = 200;

/** Each fact in a transaction of its own, so that one that fails holds up no other. */
async function bookNew(kernel: Kernel, ctx: JobContext, programId: string): Promise<void> {
  const failures = isolateFailures(ctx);
  for (let after = '0'; !ctx.signal.aborted;) {
    const facts = await own(ctx.db)
      .selectFrom('settlementProgramFact')
      .select(['id', 'sourceNo'])
      .where('programId', '=', programId)
      .where('state', '=', 'NEW')
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    const last = facts.at(-1);
    if (!last) break;
    after = last.id;
    for (const { id, sourceNo } of facts)
      await failures.run(sourceNo, async () => {
        await ctx.transaction((writing) => bookFact(asSystem(writing, ctx), ledgerOf(kernel), id));
      });
  }
  failures.throwIfAny();
}

/** Whoever keeps the programme is told once that doctors wait for its budget. */
async function tellShort(kernel: Kernel, ctx: JobContext, programId: string, programNo: string): Promise<void> {
  await ctx.transaction(async ({ tx }) => {
    const businessKey = `settlement:programBudget:${programId}`;
    const { n } = await own(tx)
      .selectFrom('settlementIncome')
      .select((eb) => eb.fn.countAll<string>().as('n'))
      .where('programId', '=', programId)
      .where('status', '=', 'HELD')
      .where('waitsFor', '=', 'BUDGET')
      .executeTakeFirstOrThrow();
    if (n === '0') return kernel.ports.notices.closeTodo(tx, businessKey, ctx.now);
    return kernel.ports.notices.addTodo(
      tx,
      {
        businessKey,
        title: `激励项目${programNo}预算余额不足`,
        body: `有${n}笔激励收入因项目预算余额不足已挂起，请申请追加预算；追加审核通过后自动解除挂起。`,
        link: `/IncentiveItroduction?programNo=${programNo}`,
        permission: may['program.edit'].code,
      },
      ctx.now,
    );
  });
}

/** Programmes whose last day is over, one by one. */
async function endPrograms(ctx: JobContext): Promise<void> {
  const failures = isolateFailures(ctx);
  const over = await own(ctx.db)
    .selectFrom('settlementProgram')
    .select(['id', 'programNo'])
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .where('endDate', '<', dayOf(ctx.now))
    .orderBy('id')
    .execute();
  for (const { id, programNo } of over)
    await failures.run(programNo, async () => {
      await ctx.transaction(async (writing) => {
        const acting = asSystem(writing, ctx);
        const program = await lockProgram(writing.tx, id);
        if (!programMachine.canStart('end', program.status)) return;
        const status = await moveState(acting, programMachine, {
          targetType: programRecords.type,
          targetId: id,
          targetNo: programNo,
          action: 'end',
          from: program.status,
        });
        await own(writing.tx)
          .updateTable('settlementProgram')
          .set((eb) => ({ status, version: eb('version', '+', 1), updatedAt: ctx.now, updatedBy: null }))
          .where('id', '=', id)
          .execute();
        await enqueueWork(acting, program);
      });
    });
  failures.throwIfAny();
}

export const incentiveJobs = (kernel: Kernel): JobDeclaration<never>[] => {
  const working: JobDeclaration<{ programId: string; programNo: string }> = {
    ...workJob,
    run: async ({ programId, programNo }, ctx) => {
      await bookNew(kernel, ctx, programId);
      for (let more = true; more && !ctx.signal.aborted;)
        more = await ctx.transaction((writing) => releaseWaiting(asSystem(writing, ctx), ledgerOf(kernel), programId));
      await tellShort(kernel, ctx, programId, programNo);
    },
  };
  const ending: JobDeclaration = {
    name: 'settlement.endIncentivePrograms',
    label: '激励项目到期',
    cron: '10 0 * * *',
    run: (_data, ctx) => endPrograms(ctx),
  };
  return [working as JobDeclaration<never>, ending as JobDeclaration<never>];
};
