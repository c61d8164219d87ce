import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { command, query } from '#kernel/server/handler.ts';
import { addTaskAnswer, queryTaskForm, queryTaskForms, type FilledForm } from '../../contract/tasks/formCalls.ts';
import { taskErrors } from '../../contract/tasks/errors.ts';
import { taskMachine } from '../../contract/tasks/states.ts';
import type { StoredAlert } from '../../contract/questionnaires/calls.ts';
import { alertLevel } from '../../contract/questionnaires/dictionaries.ts';
import { questionnaireErrors } from '../../contract/questionnaires/errors.ts';
import { own } from '../database.ts';
import { askedOf, openFormOf, usableForm, type FillableForm } from '../questionnaires/links.ts';
import { checkedAnswers, storeAnswer } from '../questionnaires/storeAnswer.ts';
import { userNames } from '../versions/names.ts';
import { lockTask, seenTask, type Task } from './rows.ts';
import { targetOf } from './take.ts';

async function filledOf(db: Db, taskId: string): Promise<FilledForm[]> {
  const rows = await own(db)
    .selectFrom('corpusQuestionnaireAnswer as a')
    .innerJoin('corpusQuestionnaire as q', 'q.id', 'a.questionnaireId')
    .select(['a.id as answerId', 'q.title', 'a.score', 'a.alerts', 'a.filledBy', 'a.submittedAt'])
    .where('a.taskId', '=', taskId)
    .orderBy('a.id', 'desc')
    .execute();
  const names = await userNames(
    db,
    rows.map(({ filledBy }) => filledBy),
  );
  return rows.map(({ alerts, filledBy, ...row }) => ({
    ...row,
    alertText: (alerts as StoredAlert[]).map(({ level }) => alertLevel.label(level)).join('、'),
    filledByName: names(filledBy),
  }));
}

/** Whoever has a task in hand asks its patient. @throws Refusal SCM11080, SCM90031 */
function requireInHand(ctx: Context, task: Pick<Task, 'state' | 'assigneeId'>): void {
  if (task.state !== 'DOING') throw refuse(platformErrors.WRONG_STATE, { state: taskMachine.dictionary.label(task.state) });
  if (task.assigneeId !== ctx.staff.userId) throw refuse(taskErrors.TASK_CLAIMED, { user: '其他人' });
}

interface Asked {
  questionnaireId: string;
  sendId?: string | undefined;
}

/** @throws Refusal SCM90040 for what the patient was not sent or is out of use, SCM11092, SCM11093 */
async function formOfTask(db: Db | Tx, task: Task, { questionnaireId, sendId }: Asked, now: string): Promise<FillableForm> {
  const form =
    sendId === undefined
      ? await usableForm(db, questionnaireId, task.patientId)
      : await openFormOf(db, sendId, { patientId: task.patientId, questionnaireId }, now);
  if (!form) throw refuse(platformErrors.NOT_FOUND, { message: '问卷不存在或已停用' });
  const { conversationId, groupId, doctorId, diseaseId, sceneId, runId } = task;
  return { ...form, place: { conversationId, groupId, doctorId, diseaseId, sceneId, runId } };
}

/** 代填: somebody fills in a questionnaire with what its patient tells him. */
export const formHandlers = [
  query(queryTaskForms, async ({ id }, ctx) => {
    const { patientId } = await seenTask(ctx.db, ctx.staff, id, ctx.now);
    const { rows: sent } = await sql<{ sendId: string; questionnaireId: string; title: string; sentAt: string; expiresAt: string }>`
      select l.send_id, l.questionnaire_id, q.title, l.created_at as sent_at, l.expires_at
        from corpus_questionnaire_link l
        join corpus_questionnaire q on q.id = l.questionnaire_id
        where l.patient_id = ${patientId}
          and l.expires_at > ${ctx.now}::timestamptz
          and not exists (select from corpus_questionnaire_answer a where a.send_id = l.send_id)
        order by l.created_at desc, l.send_id desc limit 50`.execute(ctx.db);
    const { rows: others } = await sql<{ questionnaireId: string; title: string }>`
      select q.id as questionnaire_id, q.title from corpus_questionnaire q where q.state = 'ENABLED'
         and not exists (
           select from corpus_questionnaire_answer a where a.task_id = ${id} and a.questionnaire_id = q.id and a.send_id is null
         )
       order by q.title, q.id limit 200`.execute(ctx.db);
    const waiting = new Set(sent.map(({ questionnaireId }) => questionnaireId));
    return {
      sent,
      // What waits for his answer is answered there.
      others: others.filter(({ questionnaireId }) => !waiting.has(questionnaireId)),
      filled: await filledOf(ctx.db, id),
    };
  }),
  query(queryTaskForm, async ({ id, ...asked }, ctx) => {
    const task = await seenTask(ctx.db, ctx.staff, id, ctx.now);
    requireInHand(ctx, task);
    return askedOf(await formOfTask(ctx.db, task, asked, ctx.now));
  }),
  command(addTaskAnswer, async ({ id, answers, ...asked }, ctx) => {
    const task = await lockTask(ctx, id, null);
    requireInHand(ctx, task);
    const form = await formOfTask(ctx.tx, task, asked, ctx.now);
    const kept = checkedAnswers(form.content, answers);
    const answerId = await storeAnswer(ctx, form, kept, 0, { taskId: id, userId: ctx.staff.userId });
    if (answerId === null) throw refuse(questionnaireErrors.FORM_SUBMITTED);
    const { targetType, targetNo } = targetOf(task);
    ctx.target({ type: targetType, id, no: targetNo });
    return { id: answerId };
  }),
];
