import { refuse, refuseField } from '#kernel/contract/errors.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { corpusAdverseEventReported, corpusTaskCompleted } from '#events/corpus.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { closeFollowTask, completeFollowTask, rescheduleFollowTask, type Attempt } from '../../contract/tasks/calls.ts';
import { taskErrors } from '../../contract/tasks/errors.ts';
import { isOutcome, MOST_CALLS, taskMachine, type TaskResult } from '../../contract/tasks/states.ts';
import { notifyDoctor } from './serious.ts';
import { attemptsOf, changeTask, lockTask, type Task } from './rows.ts';
import { desk, targetOf } from './take.ts';

/** Whoever works on a task writes what came of it; a task of somebody else's is his. */
async function lockMine(ctx: CommandContext, id: string, version: number): Promise<Task> {
  const task = await lockTask(ctx, id, version);
  await desk.requireFree(ctx, task);
  return task;
}

const withAttempt = (task: Task, at: Instant, result: TaskResult, note: string): Attempt[] => [...attemptsOf(task), { at, result, note }];

interface Report {
  medicineId?: string | undefined;
  symptom: string;
  onsetOn?: string | undefined;
  seriousness?: 'GENERAL' | 'SERIOUS' | undefined;
  outcome: string;
}

/** @throws Refusal SCM11083 unless all of a suspected reaction is told */
async function requireReport(ctx: CommandContext, report: Report | undefined) {
  const { medicineId, symptom, onsetOn, seriousness, outcome } = report ?? {};
  const [medicine] = medicineId ? await getMedicines(ctx.tx, [medicineId]) : [];
  if (!medicine || !medicineId || !symptom || !onsetOn || !seriousness || !outcome || onsetOn > ctx.today)
    throw refuse(taskErrors.AE_INCOMPLETE);
  return { medicineId, medicineName: medicine.genericName, symptom, onsetOn, seriousness, outcome };
}

export const complete = (kernel: Kernel) =>
  command(completeFollowTask, async ({ id, result, note, aeReport, version }, ctx) => {
    const task = await lockMine(ctx, id, version);
    if (result === undefined || !isOutcome(result)) throw refuse(taskErrors.NO_RESULT);
    const report = task.taskType === 'AE' ? await requireReport(ctx, aeReport) : null;
    const state = await moveState(ctx, taskMachine, { ...targetOf(task), action: 'complete' });
    const row = await changeTask(ctx, task, {
      state,
      result,
      note,
      nextFollowAt: null,
      endedAt: ctx.now,
      attempts: JSON.stringify(withAttempt(task, ctx.now, result, note)),
      ...(report && { aeReport: JSON.stringify(report) }),
    });
    await ctx.publish(corpusTaskCompleted, id, {
      taskId: id,
      doctorId: task.doctorId,
      diseaseId: task.diseaseId,
      kind: task.taskType,
      at: ctx.now,
      facts: { result },
    });
    if (report) {
      const { medicineName: _, ...reported } = report;
      await ctx.publish(corpusAdverseEventReported, id, { taskId: id, patientId: task.patientId, ...reported, at: ctx.now });
      if (report.seriousness === 'SERIOUS') await notifyDoctor(kernel, ctx, task, report);
    }
    return actionAnswer(ctx, taskMachine, row);
  });

/** Nobody answered: called again later, and after the last call the patient counts as lost. */
export const reschedule = command(rescheduleFollowTask, async ({ id, nextFollowAt, note, version }, ctx) => {
  const task = await lockMine(ctx, id, version);
  const attempts = withAttempt(task, ctx.now, 'NO_ANSWER', note);
  const isLast = attempts.filter(({ result }) => result === 'NO_ANSWER').length >= MOST_CALLS;
  if (!isLast && Date.parse(nextFollowAt) <= Date.parse(ctx.now)) throw refuseField('nextFollowAt', '下次随访时间须晚于当前时间');
  const state = await moveState(ctx, taskMachine, { ...targetOf(task), action: 'reschedule' });
  if (isLast) await moveState(ctx, taskMachine, { ...targetOf(task), action: 'lose' });
  const row = await changeTask(ctx, task, {
    attempts: JSON.stringify(attempts),
    note,
    ...(isLast
      ? { state: 'CLOSED', result: 'LOST', nextFollowAt: null, endedAt: ctx.now }
      : // What is to be reported within a day does not wait for a call.
        { state, result: 'NO_ANSWER', nextFollowAt, ...(task.taskType !== 'AE' && { dueAt: nextFollowAt }) }),
  });
  return actionAnswer(ctx, taskMachine, row);
});

export const close = command(closeFollowTask, async ({ id, opinion, version }, ctx) => {
  const task = await lockTask(ctx, id, version);
  if (!ctx.has(corpusPermissions['task.assign'])) await desk.requireFree(ctx, task);
  const state = await moveState(ctx, taskMachine, { ...targetOf(task), action: 'close', opinion });
  return actionAnswer(ctx, taskMachine, await changeTask(ctx, task, { state, nextFollowAt: null, endedAt: ctx.now }));
});
