import { plusMs, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { createdColumns } from '#kernel/server/command/stampedColumns.ts';
import { corpusTaskCreated } from '#events/corpus.ts';
import { AE_DUE_MS, TASK_TARGET, taskMachine, type TaskLevel, type TaskSource, type TaskType } from '../../contract/tasks/states.ts';
import { ownTx } from '../database.ts';

export interface NewTask {
  source: { type: Exclude<TaskSource, 'MANUAL'>; id: string } | null;
  taskType: TaskType;
  level: TaskLevel;
  subject: string;
  /** That of a suspected reaction is fixed. */
  dueAt: Instant;
  patientId: string;
  conversationId: string | null;
  groupId: string | null;
  doctorId: string | null;
  diseaseId: string | null;
  sceneId: string | null;
  runId: string | null;
  /** Whose it is from the start; null: whoever claims it. */
  assigneeId: string | null;
}

/** Raises a task; of one source and type there is one. @returns its row, null where it was raised before */
export async function raiseTask(ctx: Acting, { source, subject, dueAt, assigneeId, ...task }: NewTask) {
  const made = await ownTx(ctx.tx)
    .insertInto('corpusFollowTask')
    .values({
      ...task,
      sourceType: source?.type ?? 'MANUAL',
      sourceId: source?.id ?? null,
      subject: subject.slice(0, 500),
      dueAt: task.taskType === 'AE' ? plusMs(ctx.now, AE_DUE_MS) : dueAt,
      assigneeId,
      state: assigneeId === null ? 'TODO' : 'DOING',
      ...createdColumns(ctx),
    })
    .onConflict((conflict) => conflict.columns(['sourceType', 'sourceId', 'taskType']).doNothing())
    .returning(['id', 'taskNo', 'state', 'version'])
    .executeTakeFirst();
  if (!made) return null;
  await moveState(ctx, taskMachine, { targetType: TASK_TARGET, targetId: made.id, targetNo: made.taskNo, action: 'raise', from: 'TODO' });
  await ctx.publish(corpusTaskCreated, made.id, {
    taskId: made.id,
    assigneeId,
    level: task.level,
    patientId: task.patientId,
    ...(task.conversationId !== null && { conversationId: task.conversationId }),
  });
  return made;
}
