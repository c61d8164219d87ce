import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { writeQuestionnaires } from './demo/writeQuestionnaires.ts';
import { fillHandlers } from './fill.ts';
import { answerExport, answerList, questionnaireList } from './list.ts';
import { addQuestionnaireHandler, auditQuestionnaireHandler, modifyQuestionnaireHandler, questionnaireDetail } from './save.ts';

/** Questionnaires, and what patients answered. */
export const questionnairesModule: FeatureModule = {
  handlers: (kernel) => [
    questionnaireList.handler,
    questionnaireDetail,
    addQuestionnaireHandler,
    modifyQuestionnaireHandler,
    auditQuestionnaireHandler(kernel),
    answerList.handler,
    ...fillHandlers(kernel),
  ],
  exports: [answerExport],
  demo: writeQuestionnaires,
};
