import { ask, confirmWithOpinion } from '../../../../kernel/web/feedback/dialogs.tsx';
import { SERVER_MESSAGE, useCommand } from '../../../../kernel/web/http/queries.ts';
import { reviewMachine, type ReviewAction } from '../../contract/materials/review.ts';
import {
  auditQuestionnaire,
  queryQuestionnaireDetail,
  queryQuestionnaireList,
  type QuestionnaireRow,
} from '../../contract/questionnaires/calls.ts';

/** The actions on questionnaires, each with its question. Their audit is one of them, at the record itself: there is no queue to work through. */
export function useQuestionnaireActions() {
  const audit = useCommand(auditQuestionnaire, { success: SERVER_MESSAGE, refreshes: [queryQuestionnaireList, queryQuestionnaireDetail] });
  const take = async (row: Pick<QuestionnaireRow, 'id' | 'version' | 'title'>, action: ReviewAction) => {
    const { label, opinion, danger = false } = reviewMachine.transitions[action];
    const question = { title: label, content: `确定要${label}问卷“${row.title}”吗?`, danger };
    const given = opinion === 'none' ? ((await ask(question)) ? '' : null) : await confirmWithOpinion({ ...question, opinion });
    if (given !== null) await audit.run({ id: row.id, version: row.version, action, ...(given && { opinion: given }) });
  };
  return { take, audit };
}
