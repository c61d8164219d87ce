import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { InputOf } from '#kernel/contract/call.ts';
import type { addOrModifyConditionIdDataList } from '../../contract/conditionCalls.ts';
import { addDiseaseInfo } from '../../contract/diseaseCalls.ts';
import { addChildScene, addScene, type ChildSceneRow, type SceneRow } from '../../contract/sceneCalls.ts';
import { makeDiagnosis, makePatient as makePerson, publishAndDeliver } from '#domains/patient/server/testing/fixtures.ts';
import { corpusFormSubmitted } from '#events/corpus.ts';
import { own } from '../database.ts';

let counter = 0;
/** A name that no other fixture has. */
export const fresh = (text: string) => `${text}${(counter += 1)}`;

/** A dictionary row; codes beyond ICD-10's letters keep apart from the demonstration. */
export async function makeDisease(app: TestApp, available: 0 | 1 = 0, prefixes: readonly string[] = ['E11']) {
  const now = app.clock.now();
  const code = fresh('T');
  const { id } = await own(app.db)
    .insertInto('corpusDisease')
    .values({
      diseaseCode: code,
      diseaseName: `试验病种${code}`,
      icd10Prefixes: [...prefixes],
      available: 0,
      sortNo: 0,
      createdAt: now,
      updatedAt: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (available === 1) {
    const editor = await app.staff({ permissions: ['corpus.disease.edit'] });
    await app.ok(addDiseaseInfo, { Id: id, diseaseCode: code, diseaseName: '' }, { as: editor });
  }
  return { id, code, name: `试验病种${code}` };
}

/** Somebody who may do everything in the corpus. */
export const corpusOperator = (app: TestApp): Promise<TestStaff> =>
  app.staff({ permissions: ['corpus.corpus.view', 'corpus.disease.edit', 'corpus.scene.edit', 'corpus.run.view'] });

/** A main scene of a disease in the corpus. */
export async function makeScene(app: TestApp, diseaseId: string, name = fresh('场景')): Promise<SceneRow> {
  const editor = await app.staff({ permissions: ['corpus.scene.edit'] });
  const [scene] = await app.ok(
    addScene,
    { diseaseId, dataDetail: [{ sceneName: name, groupChat: true, singleChat: true }] },
    { as: editor },
  );
  return scene!;
}

export async function makeChild(app: TestApp, scene: SceneRow, name = fresh('子场景')): Promise<ChildSceneRow> {
  const editor = await app.staff({ permissions: ['corpus.scene.edit'] });
  const [child] = await app.ok(
    addChildScene,
    { diseaseId: scene.diseaseId, mainSceneId: scene.id, dataDetail: [{ childSceneName: name, groupChat: false, singleChat: true }] },
    { as: editor },
  );
  return child!;
}

export async function makeSceneOfNewDisease(app: TestApp): Promise<SceneRow> {
  return makeScene(app, (await makeDisease(app, 1)).id);
}

type RowInput = InputOf<typeof addOrModifyConditionIdDataList>['dataDetail'][number];

/** A complete row about 糖化血红蛋白 of the patient. */
export const row = (operatorValue: string, conditionValue: string, extra: Partial<RowInput> = {}): RowInput => ({
  role: 1,
  variableName: '糖化血红蛋白',
  variableId: '15',
  operatorValue,
  conditionValue,
  checked: 1,
  ...extra,
});

/** 糖化血红蛋白 of a patient, as he states it in a questionnaire. */
export const stateHba1c = (app: TestApp, patientId: string, value: string): Promise<void> => {
  const answerId = fresh('7700');
  return publishAndDeliver(app, corpusFormSubmitted, answerId, {
    answerId,
    patientId,
    questionnaireId: '1',
    score: null,
    alerts: [],
    values: [{ variableCode: 'patient.hba1c', value }],
  });
};

/** A patient with a confirmed diagnosis of diabetes and this 糖化血红蛋白. */
export async function makePatient(app: TestApp, facts: { hba1c?: string } = {}, name?: string): Promise<string> {
  const { id: patientId } = await makePerson(app, name === undefined ? {} : { name });
  await makeDiagnosis(app, patientId);
  if (facts.hba1c !== undefined) await stateHba1c(app, patientId, facts.hba1c);
  return patientId;
}
