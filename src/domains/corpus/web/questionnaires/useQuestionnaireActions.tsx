import { SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { reviewMachine, type ReviewAction } from '../../contract/materials/review.ts';
import {
  auditQuestionnaire,
  queryQuestionnaireDetail,
  queryQuestionnaireList,
  type QuestionnaireRow,
} from '../../contract/questionnaires/calls.ts';

/**
 * The actions on questionnaires, each with its question. Their audit is one of them, at the record itself: there is no queue to work
 * through.
 */
export function useQuestionnaireActions() {
  const audit = useCommand(auditQuestionnaire, { success: SERVER_MESSAGE, refreshes: [queryQuestionnaireList, queryQuestionnaireDetail] });
  const take = async (
    row: Pick<QuestionnaireRow, 'id' | 'version' | 'title' | 'questionCount' | 'answerCount' | 'updatedByName'>,
    action: ReviewAction,
  ) => {
    const given = await askTransition(
      reviewMachine,
      action,
      `问卷“${row.title}”`,
      factsIn(queryQuestionnaireList.output, row, ['questionCount', 'answerCount', 'updatedByName']),
    );
    if (given !== null) await audit.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) });
  };
  return { take, audit };
}
