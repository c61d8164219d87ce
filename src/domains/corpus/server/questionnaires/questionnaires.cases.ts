import type { TestApp } from '#testing/testApp.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addQuestionnaire,
  auditQuestionnaire,
  exportQuestionnaireAnswer,
  modifyQuestionnaire,
  queryByToken,
  queryQuestionnaireAnswerList,
  queryQuestionnaireDetail,
  queryQuestionnaireList,
  submitAnswer,
} from '../../contract/questionnaires/calls.ts';
import { fresh } from '../testing/fixtures.ts';
import { editor } from '../testing/materialFixtures.ts';
import { makeForm, makePublished, reactionForm, sendForm } from '../testing/questionnaireFixtures.ts';

const NONE = '999999999';
const made = async (app: TestApp) => makeForm(app, await editor(app));
const tokenOf = async (app: TestApp) => (await sendForm(app, (await makePublished(app)).id)).token;

/** One valid input and one foreign record per call of the questionnaires. */
export const questionnaireCases: readonly CallCase[] = [
  callCase(queryQuestionnaireList, async (app) => {
    await made(app);
    return { pageNo: 1, pageSize: 10 };
  }),
  callCase(queryQuestionnaireDetail, async (app) => ({ id: (await made(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addQuestionnaire, async () => ({ title: fresh('问卷'), content: reactionForm })),
  callCase(modifyQuestionnaire, async (app) => ({ ...(await made(app)), title: fresh('改名'), content: reactionForm }), {
    foreign: async () => ({ id: NONE, version: 1, title: '问卷', content: reactionForm }),
  }),
  callCase(auditQuestionnaire, async (app) => ({ ...(await made(app)), action: 'submit' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }),
  }),
  callCase(queryQuestionnaireAnswerList, async () => ({ pageNo: 1, pageSize: 10 })),
  callCase(exportQuestionnaireAnswer, async (app) => {
    await app.ok(submitAnswer, { token: await tokenOf(app), answers: { q1: '没有' }, seconds: 20 });
    return {};
  }),
  callCase(queryByToken, async (app) => ({ token: await tokenOf(app) }), { foreign: async () => ({ token: '1.00' }) }),
  callCase(submitAnswer, async (app) => ({ token: await tokenOf(app), answers: { q1: '没有' }, seconds: 30 }), {
    foreign: async () => ({ token: '1.00', answers: {}, seconds: 1 }),
  }),
];
