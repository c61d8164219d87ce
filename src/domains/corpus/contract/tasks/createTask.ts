import * as z from 'zod/mini';
import { field } from '#kernel/contract/field.ts';
import { taskType, type TaskType } from './states.ts';

/** What a schedule item may ask somebody to do. */
export const plannedTaskTypes = ['CALL', 'FORM'] as const satisfies readonly TaskType[];
/** Longest time for it: 30 days. */
export const MOST_DUE_HOURS = 720;

/** The task of a schedule item, instead of or beside its message. */
export const createTask = z.strictObject({
  taskType: field('任务类型', z.enum(plannedTaskTypes, '请选择任务类型')),
  dueInHours: field(
    '完成时限（小时）',
    z.int('完成时限须为整数').check(z.minimum(1, '完成时限至少1小时'), z.maximum(MOST_DUE_HOURS, `完成时限最多${MOST_DUE_HOURS}小时`)),
  ),
});
export type CreateTask = z.output<typeof createTask>;

export const createTaskText = (task: CreateTask | null | undefined): string =>
  task ? `${taskType.label(task.taskType)}，${task.dueInHours}小时内完成` : '无';
