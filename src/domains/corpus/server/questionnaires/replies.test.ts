import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hours, minutes, plusMs, startOfDay } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { own } from '../database.ts';
import { makeTreated, publishScene, runsOf, says, sendNow } from '../testing/engineWorld.ts';
import { makeEnabled } from '../testing/materialFixtures.ts';
import { makePublished } from '../testing/questionnaireFixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const glucose = {
  questions: [
    { key: 'q1', type: 'NUMBER' as const, title: '今天的空腹血糖', min: 1, max: 33, variableCode: 'patient.fastingGlucose' },
    { key: 'q2', type: 'TEXT' as const, title: '其他不适', required: false },
  ],
  alerts: [{ key: 'q1', operator: '>=' as const, value: 11, level: 'HIGH' as const, taskType: 'ALERT' as const }],
};

/** A patient who was just sent that questionnaire in a scene of a disease of its own. */
async function asked(icd10: string, day: string) {
  app.clock.set(startOfDay(day, '08:00'));
  const { id: questionnaireId } = await makePublished(app, glucose);
  const { id } = await makeEnabled(app, { type: 'QUESTIONNAIRE', questionnaireId, validDays: 7 });
  const patient = await makeTreated(app, { icd10, hba1c: '8' });
  // A later touch keeps the run under way.
  const items = [0, 5].map((dayOffset) => ({ dayOffset, sendTime: '09:00' }));
  const scene = await publishScene(app, { icd10, policy: { activeGuardMin: 0 }, materialIds: [id], items });
  app.clock.set(startOfDay(day, '09:00'));
  await sendNow(app);
  app.clock.advance(minutes(5));
  const found = async () => ({
    answers: (
      await own(app.db).selectFrom('corpusQuestionnaireAnswer').select('answers').where('patientId', '=', patient.patientId).execute()
    ).map(({ answers }) => answers),
    run: (await runsOf(app, scene.scenePackageId))[0]!.state,
    tasks: await own(app.db)
      .selectFrom('corpusFollowTask')
      .select(['taskType', 'sourceType', 'subject', 'dueAt'])
      .where('patientId', '=', patient.patientId)
      .execute(),
  });
  return { ...patient, found };
}

const reported = async (patientId: string) =>
  (
    await sql<{
      code: string;
      value: string;
    }>`select code, value::text from patient_reported_value where patient_id = ${patientId} and code <> 'HBA1C'`.execute(app.db)
  ).rows;

it('a number that was asked for is the answer: kept, told and no reason to pause', async () => {
  const { patientId, conversationId, found } = await asked('K21', '2026-11-24');
  await says(app, conversationId, 'PATIENT', '空腹血糖7.2');
  expect(await found()).toEqual({ answers: [{ q1: 7.2 }], run: 'RUNNING', tasks: [] });
  expect((await reported(patientId)).map(({ value }) => Number(value))).toContain(7.2);
  // What comes after the answer is a message like any other.
  await says(app, conversationId, 'PATIENT', '8.1');
  expect(await found()).toMatchObject({ answers: [{ q1: 7.2 }], run: 'PAUSED' });
});

it('an answer that alerts raises its task, as on the form', async () => {
  const { conversationId, found } = await asked('J45', '2026-11-25');
  await says(app, conversationId, 'PATIENT', '12.4 mmol/L');
  expect(await found()).toMatchObject({
    answers: [{ q1: 12.4 }],
    tasks: [{ taskType: 'ALERT', sourceType: 'ANSWER', subject: expect.stringContaining('今天的空腹血糖：12.4') }],
  });
});

it('a number that nobody can have is no answer: somebody looks at it', async () => {
  const { conversationId, found } = await asked('N18', '2026-11-26');
  await says(app, conversationId, 'PATIENT', '72');
  expect(await found()).toMatchObject({
    answers: [],
    run: 'PAUSED',
    tasks: [
      { taskType: 'ALERT', sourceType: 'SEND', subject: expect.stringContaining('患者回复“72”'), dueAt: plusMs(app.clock.now(), hours(4)) },
    ],
  });
});

it.each([
  ['words', '头有点晕', 0, 'M06', '2026-11-27'],
  ['a number after two days', '7.2', 49, 'L40', '2026-11-30'],
])('%s are a message like any other', async (_what, text, later, icd10, day) => {
  const { conversationId, found } = await asked(icd10, day);
  app.clock.advance(hours(later));
  await says(app, conversationId, 'PATIENT', text);
  expect(await found()).toMatchObject({ answers: [], tasks: [] });
});
