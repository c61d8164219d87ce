import { sql } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import type { CommandContext, Db } from '#kernel/server/context.ts';
import { caseDesk } from '#kernel/server/desk/caseDesk.ts';
import { query } from '#kernel/server/handler.ts';
import type { Day } from '#kernel/contract/time.ts';
import { checkersFor } from '#domains/identity/server/index.ts';
import { access as seesPatient } from '#domains/patient/server/index.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { queryTaskAssigneeOptions } from '../../contract/tasks/calls.ts';
import { TASK_TARGET } from '../../contract/tasks/states.ts';
import { taskDesk } from '../../contract/tasks/taskDesk.ts';
import { lockTask, tasksSeen, type Task } from './rows.ts';

const OPTIONS = 50;
/** Holders of a permission are few hundred at most. */
const MOST_HOLDERS = 1000;

export const targetOf = (task: Task) => ({ targetType: TASK_TARGET, targetId: task.id, targetNo: task.taskNo, from: task.state });

/** The most urgent of the patients whom the caller serves come first. */
const tasks = {
  rows: ({ tx, staff, now }: CommandContext) => tasksSeen(tx, staff, now),
  lock: (ctx: CommandContext, id: string) => lockTask(ctx, id, null),
};
export const desk = caseDesk(taskDesk, tasks, {
  table: 'corpusFollowTask',
  alias: 't',
  numberOf: ({ taskNo }) => taskNo,
  assignee: 'assigneeId',
  order: () => [sql`(t.level = 'HIGH') desc`, sql.ref('t.dueAt')],
});

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
  ...desk.handlers({ mayWork: (ctx, userId, { patientId }) => requireHandler(ctx, userId, patientId) }),
  query(queryTaskAssigneeOptions, async ({ keyword }, ctx) =>
    (await handlers(ctx.db, ctx.today, OPTIONS, keyword)).map(({ userId, displayName, opNo }) => ({
      value: userId,
      label: `${displayName}（${opNo}）`,
    })),
  ),
];
