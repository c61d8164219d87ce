import type { InputOf } from '#kernel/contract/call.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { addQuestionnaire, auditQuestionnaire } from '../../contract/questionnaires/calls.ts';
import type { ReviewAction } from '../../contract/materials/review.ts';
import { issueForm } from '../questionnaires/links.ts';
import { fresh } from './fixtures.ts';
import { auditor, editor } from './materialFixtures.ts';

type Content = InputOf<typeof addQuestionnaire>['content'];

const grades = [
  { label: '没有', score: 0 },
  { label: '轻微', score: 1 },
  { label: '严重', score: 3 },
];
/** A choice that counts, a question that hangs on it, a number with bounds. */
export const reactionForm: Content = {
  questions: [
    { key: 'q1', type: 'SINGLE', title: '有皮疹吗？', options: grades, variableCode: 'patient.adverseGrade' },
    { key: 'q2', type: 'TEXT', title: '请描述', showIf: { key: 'q1', labels: ['轻微', '严重'] } },
    { key: 'q3', type: 'NUMBER', title: '体温', required: false, min: 34, max: 43 },
  ],
  alerts: [{ key: 'q1', operator: '>=', value: 3, level: 'HIGH', taskType: 'AE' }],
};

export const makeForm = async (app: TestApp, as: TestStaff, content: Content = reactionForm) =>
  app.ok(addQuestionnaire, { title: fresh('问卷'), content }, { as });
export const auditForm = (
  app: TestApp,
  as: TestStaff,
  { id, version }: { id: string; version: number },
  action: ReviewAction,
  opinion?: string,
) => app.ok(auditQuestionnaire, { id, version, action, ...(opinion && { opinion }) }, { as });

/** A questionnaire in use. */
export async function makePublished(app: TestApp, content: Content = reactionForm) {
  const writer = await editor(app);
  return auditForm(app, await auditor(app), await auditForm(app, writer, await makeForm(app, writer, content), 'submit'), 'approve');
}

let sends = 8_000_000_000;
/** The token of a questionnaire that was just sent to somebody. */
export async function sendForm(app: TestApp, questionnaireId: string, validDays = 7, patientId = '77') {
  sends += 1;
  const sendId = String(sends);
  const token = await app.kernel.transactions.run('test', ({ tx }) =>
    issueForm(tx, app.kernel.secrets, { sendId, patientId, questionnaireId, validDays }, app.clock.now()),
  );
  return { sendId, token: token! };
}
