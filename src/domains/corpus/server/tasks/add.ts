import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { command } from '#kernel/server/handler.ts';
import { access as seesPatient } from '#domains/patient/server/index.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { addFollowTask } from '../../contract/tasks/calls.ts';
import { taskMachine } from '../../contract/tasks/states.ts';
import { placeOfPatient } from './places.ts';
import { raiseTask } from './raise.ts';
import { requireHandler } from './take.ts';

/** A task that a colleague makes: for himself, for another one, or for whoever claims it. */
export const addTask = command(addFollowTask, async ({ patientId, taskType, level, subject, dueAt, assigneeId }, ctx) => {
  if (!(await seesPatient(ctx.tx, patientId, ctx.staff, ctx.now)))
    throw refuse(platformErrors.NOT_FOUND, { message: '患者不存在或已删除' });
  if (taskType !== 'AE' && (dueAt === undefined || Date.parse(dueAt) <= Date.parse(ctx.now)))
    throw refuseField('dueAt', '截止时间须晚于当前时间');
  if (assigneeId !== undefined && assigneeId !== ctx.staff.userId) {
    ctx.requirePermission(corpusPermissions['task.assign']);
    await requireHandler(ctx, assigneeId, patientId);
  }
  const made = await raiseTask(ctx, {
    ...(await placeOfPatient(ctx.tx, patientId)),
    source: null,
    taskType,
    level,
    subject,
    dueAt: dueAt ?? ctx.now,
    patientId,
    assigneeId: assigneeId ?? null,
  });
  // Without a source there is none that it could repeat.
  return actionAnswer(ctx, taskMachine, made!);
});
