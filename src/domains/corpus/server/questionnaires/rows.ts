import { sql } from 'kysely';
import type { Context, Db, Tx } from '#kernel/server/context.ts';
import { userBrief } from '#domains/identity/server/index.ts';
import { reviewActionsOf } from '../../contract/materials/review.ts';
import type { QuestionnaireRow } from '../../contract/questionnaires/calls.ts';
import { own } from '../database.ts';

export const questionnaires = (db: Db | Tx) =>
  own(db)
    .selectFrom('corpusQuestionnaire as q')
    .leftJoin('corpusQuestionnaireVersion as c', 'c.id', 'q.currentVersionId')
    .leftJoin('corpusQuestionnaireVersion as a', 'a.id', 'q.auditVersionId');

export const questionnaireColumns = (rows: ReturnType<typeof questionnaires>) =>
  rows
    .select(['q.id', 'q.title', 'q.state', 'q.editState', 'q.updatedAt', 'q.updatedBy', 'q.version'])
    .select([
      sql<number>`jsonb_array_length(coalesce(c.content, q.draft) -> 'questions')`.as('questionCount'),
      sql<number>`(select count(*)::int from corpus_questionnaire_answer x where x.questionnaire_id = q.id)`.as('answerCount'),
    ]);

type Stored = Awaited<ReturnType<ReturnType<typeof questionnaireColumns>['executeTakeFirstOrThrow']>>;

/** Questionnaires as the contract shows them, with the acts of whoever asks. */
export async function presentQuestionnaires(db: Db | Tx, rows: readonly Stored[], has: Context['has']): Promise<QuestionnaireRow[]> {
  const people = rows.flatMap(({ updatedBy }) => updatedBy ?? []);
  const names = new Map((await userBrief(db, [...new Set(people)])).map((user) => [user.userId, user.displayName]));
  return rows.map(({ updatedBy, ...row }) => ({
    ...row,
    updatedByName: updatedBy === null ? null : (names.get(updatedBy) ?? null),
    allowedActions: reviewActionsOf(row, has),
  }));
}
