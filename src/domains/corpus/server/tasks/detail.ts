import type { Db } from '#kernel/server/context.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { listOpenConversations } from '#domains/consultation/server/index.ts';
import { labels } from '#domains/patient/server/index.ts';
import { aeReport, queryFollowTaskDetail } from '../../contract/tasks/calls.ts';
import { TASK_TARGET, taskMachine } from '../../contract/tasks/states.ts';
import { own } from '../database.ts';
import { attemptsOf, presentTasks, seenTask, type Task } from './rows.ts';

/** The conversation as the assistants' desk opens it, while it can be written in: the task's own, else any of the patient. */
async function conversationOf(db: Db, task: Task): Promise<string | null> {
  const open = await listOpenConversations(db, { patientIds: [task.patientId], kinds: ['DOCTOR', 'C2C'] });
  const found = open.find(({ conversationId }) => conversationId === task.conversationId) ?? open[0];
  if (!found) return null;
  return found.groupId === null ? `C2CP${found.suffererOperatorId}` : `GROUP${found.groupId}`;
}

const namesOf = async (db: Db, task: Task) => ({
  diseaseName:
    task.diseaseId === null
      ? null
      : ((await own(db).selectFrom('corpusDisease').select('diseaseName').where('id', '=', task.diseaseId).executeTakeFirst())
          ?.diseaseName ?? null),
  runNo:
    task.runId === null
      ? null
      : ((await own(db).selectFrom('corpusFollowRun').select('runNo').where('id', '=', task.runId).executeTakeFirst())?.runNo ?? null),
});

export const taskDetail = query(queryFollowTaskDetail, async ({ id }, ctx) => {
  const row = await seenTask(ctx.db, ctx.staff, id, ctx.now);
  const [task] = await presentTasks(ctx.db, [row]);
  const [person] = await labels(ctx.db, [row.patientId]);
  return {
    task: task!,
    subject: row.subject,
    ...(await namesOf(ctx.db, row)),
    patient: { patientNo: person?.patientNo ?? '', gender: person?.gender ?? 0, mobileMasked: person?.mobileMasked ?? null },
    conversationID: await conversationOf(ctx.db, row),
    attempts: attemptsOf(row),
    note: row.note,
    // Written by `completeFollowTask` alone.
    aeReport: aeReport.safeParse(row.aeReport).data ?? null,
    trail: await trailOf(ctx.db, TASK_TARGET, id),
    allowedActions: taskMachine.allowed(row.state, (code) => ctx.has(code)),
  };
});
