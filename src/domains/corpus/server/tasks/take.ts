import { sql } from 'kysely';
import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { actionAnswer } from '#kernel/server/audit/actionAnswer.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import type { Day } from '#kernel/contract/time.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { access as seesPatient, seesPersonOf } from '#domains/patient/server/index.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { assignFollowTask, claimFollowTask, claimNextFollowTask, queryTaskAssigneeOptions } from '../../contract/tasks/calls.ts';
import { taskErrors } from '../../contract/tasks/errors.ts';
import { TASK_TARGET, taskMachine } from '../../contract/tasks/states.ts';
import { ownTx } from '../database.ts';
import { changeTask, lockTask, type Task } from './rows.ts';

const OPTIONS = 50;
/** Holders of a permission are few hundred at most. */
const MOST_HOLDERS = 1000;

export const targetOf = (task: Task) => ({ targetType: TASK_TARGET, targetId: task.id, targetNo: task.taskNo, from: task.state });

/** @throws Refusal SCM11080 where somebody else has it in hand */
export async function requireMine(ctx: CommandContext, task: Task): Promise<void> {
  if (task.state !== 'DOING' || task.assigneeId === null || task.assigneeId === ctx.staff.userId) return;
  throw refuse(taskErrors.TASK_CLAIMED, { user: (await ctx.nameOf(task.assigneeId)) ?? '其他人' });
}

async function claim(ctx: CommandContext, task: Task) {
  await requireMine(ctx, task);
  const state = await moveState(ctx, taskMachine, { ...targetOf(task), action: 'claim' });
  const row = await changeTask(ctx, task, { state, assigneeId: ctx.staff.userId });
  return actionAnswer(ctx, taskMachine, row);
}

/** The most urgent task that nobody has, among the patients whom the caller serves; parallel callers skip each other's. */
const nextOf = (ctx: CommandContext): Promise<Task | undefined> =>
  ownTx(ctx.tx)
    .selectFrom('corpusFollowTask as t')
    .selectAll('t')
    .where('t.state', '=', 'TODO')
    .where(seesPersonOf('t.patientId', ctx.staff, ctx.now))
    .orderBy(sql`(t.level = 'HIGH')`, 'desc')
    .orderBy('t.dueAt')
    .orderBy('t.id')
    .limit(1)
    .forUpdate('t')
    .skipLocked()
    .executeTakeFirst();

/** Who may work on tasks. */
const handlers = (db: Db, today: Day, most: number, keyword?: string) =>
  checkersFor(db, { permission: corpusPermissions['task.handle'].code, today, limit: most, ...(keyword && { keyword }) });

const holderOf = async (db: Db, today: Day, userId: string) =>
  (await handlers(db, today, MOST_HOLDERS)).find((holder) => holder.userId === userId);

/** Whether somebody may work on tasks. */
export const mayHandle = async (db: Db, today: Day, userId: string): Promise<boolean> => (await holderOf(db, today, userId)) !== undefined;

/** @throws Refusal SCM90020 where nobody of that id may work on tasks, or he would not see this one */
export async function requireHandler(ctx: CommandContext, userId: string, patientId: string): Promise<void> {
  const holder = await holderOf(ctx.tx, ctx.today, userId);
  if (!holder) throw refuseField('assigneeId', '该员工不能处理随访任务');
  const sees = await seesPatient(ctx.tx, patientId, { userId, roleCode: null, scope: holder.scope }, ctx.now);
  if (!sees) throw refuseField('assigneeId', '该员工不能查看此患者，请选择其他负责人');
}

export const takeHandlers = [
  command(claimFollowTask, async ({ id }, ctx) => claim(ctx, await lockTask(ctx, id, null))),
  command(claimNextFollowTask, async (_input, ctx) => {
    const task = await nextOf(ctx);
    if (!task) throw refuse(taskErrors.NONE_TO_CLAIM);
    return claim(ctx, task);
  }),
  command(assignFollowTask, async ({ id, assigneeId, version }, ctx) => {
    const task = await lockTask(ctx, id, version);
    await requireHandler(ctx, assigneeId, task.patientId);
    const names = [task.assigneeId === null ? null : await ctx.nameOf(task.assigneeId), await ctx.nameOf(assigneeId)];
    const state = await moveState(ctx, taskMachine, {
      ...targetOf(task),
      action: 'assign',
      differences: [{ path: 'assigneeId', label: '负责人', before: names[0] ?? null, after: names[1] ?? null }],
    });
    return actionAnswer(ctx, taskMachine, await changeTask(ctx, task, { state, assigneeId }));
  }),
  query(queryTaskAssigneeOptions, async ({ keyword }, ctx) =>
    (await handlers(ctx.db, ctx.today, OPTIONS, keyword)).map(({ userId, displayName, opNo }) => ({
      value: userId,
      label: `${displayName}（${opNo}）`,
    })),
  ),
];
