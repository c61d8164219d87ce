import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadTable } from '#testing/uploads.ts';
import { addOrModifyConditionIdDataList, queryConditionIdDataList, queryVariableInfoDataList } from '../contract/conditionCalls.ts';
import { addDiseaseInfo, delDiseaseInfo, importDiseaseInfo, modifyDiseaseInfo, queryDiseaseList } from '../contract/diseaseCalls.ts';
import { querySceneFigures } from '../contract/figureCalls.ts';
import { addChildScene, addScene, delScene, modifySceneName, querySceneList } from '../contract/sceneCalls.ts';
import { evaluateForPatient, modifyScenePackagePolicy, queryScenePackage, queryTrialPatientList } from '../contract/scenePackageCalls.ts';
import {
  addOrModifyPackageCycle,
  addSchedule,
  delPackageCycle,
  delSchedule,
  modifySchedule,
  queryPackageCycle,
  queryScheduleList,
  sortSchedule,
} from '../contract/scheduleCalls.ts';
import { engineCases } from './engine/engine.cases.ts';
import { corpusOperator, fresh, makeDisease, makePatient, makeScene, makeSceneOfNewDisease, row } from './testing/fixtures.ts';
import { questionnaireCases } from './questionnaires/questionnaires.cases.ts';
import { taskCases } from './tasks/tasks.cases.ts';
import { campaignCases } from './campaigns/campaigns.cases.ts';
import { welcomeCases } from './welcome/welcome.cases.ts';
import { materialCases } from './materials/materials.cases.ts';

const NONE = '999999999';
const item = { dayOffset: 2, sendTime: '09:00', target: 'AUTO', touchKind: 'CARE' } as const;
const cycle = { timeOption: 'EVERY_DAY', sendTime: '09:00', age: 10, playMode: 'SAME', target: 'AUTO', touchKind: 'CARE' } as const;

const makeItem = async (app: TestApp) => {
  const scene = await makeSceneOfNewDisease(app);
  const as = await corpusOperator(app);
  const stored = await app.ok(addSchedule, { scenePackageId: scene.scenePackageId, ...item }, { as });
  return { scene, stored };
};

const makeCycle = async (app: TestApp) => {
  const { scenePackageId } = await makeSceneOfNewDisease(app);
  await app.ok(addOrModifyPackageCycle, { scenePackageId, ...cycle }, { as: await corpusOperator(app) });
  return scenePackageId;
};

const draftOf = async (app: TestApp, scenePackageId: string) =>
  (await app.ok(queryScenePackage, { scenePackageId }, { as: await corpusOperator(app) })).draft;

const twoBoxes = { groupChat: true, singleChat: true };

/** One valid input and one foreign record per call, for the tests generated from the call table. */
export const corpusCases: readonly CallCase[] = [
  ...materialCases,
  ...questionnaireCases,
  callCase(queryDiseaseList, async () => ({ pageNo: 1, pageSize: 10, available: '0' })),
  callCase(
    addDiseaseInfo,
    async (app) => {
      const disease = await makeDisease(app);
      return { Id: disease.id, diseaseCode: disease.code, diseaseName: disease.name };
    },
    { foreign: async () => ({ Id: NONE, diseaseCode: '', diseaseName: '' }) },
  ),
  callCase(delDiseaseInfo, async (app) => ({ id: (await makeDisease(app, 1)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    modifyDiseaseInfo,
    async (app) => ({ id: (await makeDisease(app)).id, diseaseName: '改名', icd10Prefixes: ['E11'], version: 1 }),
    {
      foreign: async () => ({ id: NONE, diseaseName: '改名', icd10Prefixes: ['E11'], version: 1 }),
    },
  ),
  callCase(importDiseaseInfo, async (app, as) => ({
    fileId: await uploadTable(app, as!, [
      ['病种编码', '病种名称', 'ICD-10前缀'],
      [fresh('X'), '导入病种', 'E11'],
    ]),
  })),

  callCase(querySceneFigures, async (app) => ({ diseaseId: (await makeSceneOfNewDisease(app)).diseaseId })),
  callCase(querySceneList, async (app) => ({ diseaseId: (await makeSceneOfNewDisease(app)).diseaseId, pageNo: 1, pageSize: 999 })),
  callCase(
    addScene,
    async (app) => ({ diseaseId: (await makeDisease(app, 1)).id, dataDetail: [{ sceneName: fresh('场景'), ...twoBoxes }] }),
    {
      foreign: async () => ({ diseaseId: NONE, dataDetail: [{ sceneName: '场景', ...twoBoxes }] }),
    },
  ),
  callCase(
    addChildScene,
    async (app) => {
      const scene = await makeSceneOfNewDisease(app);
      return { diseaseId: scene.diseaseId, mainSceneId: scene.id, dataDetail: [{ childSceneName: fresh('子场景'), ...twoBoxes }] };
    },
    {
      foreign: async (app) => ({
        diseaseId: (await makeDisease(app, 1)).id,
        mainSceneId: NONE,
        dataDetail: [{ childSceneName: '子', ...twoBoxes }],
      }),
    },
  ),
  callCase(
    modifySceneName,
    async (app) => {
      const scene = await makeSceneOfNewDisease(app);
      return { id: scene.id, sceneName: fresh('副本'), corpusInfoLogo: 1, diseaseId: scene.diseaseId };
    },
    { foreign: async (app) => ({ id: NONE, sceneName: '新名', corpusInfoLogo: '', diseaseId: (await makeDisease(app, 1)).id }) },
  ),
  callCase(
    delScene,
    async (app) => {
      const scene = await makeSceneOfNewDisease(app);
      return { id: scene.id, diseaseid: scene.diseaseId, sign: 1 };
    },
    { foreign: async (app) => ({ id: NONE, diseaseid: (await makeDisease(app, 1)).id, sign: 1 }) },
  ),

  callCase(
    addOrModifyConditionIdDataList,
    async (app) => {
      const { diseaseId, scenePackageId } = await makeSceneOfNewDisease(app);
      return { diseaseId, scenePackageId, expType: 1, id: '', dataDetail: [row('range', '7,9')] };
    },
    {
      foreign: async (app) => {
        const { scenePackageId } = await makeSceneOfNewDisease(app);
        return { diseaseId: (await makeDisease(app, 1)).id, scenePackageId, expType: 1, id: '', dataDetail: [] };
      },
    },
  ),
  callCase(queryConditionIdDataList, async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId, expType: '2' }), {
    foreign: async () => ({ scenePackageId: NONE, expType: 1 }),
  }),
  callCase(queryVariableInfoDataList, async () => ({ variableInfoFlag: 1, pageNo: 1, pageSize: 999, userType: 1 })),

  callCase(queryScheduleList, async (app) => ({ scenePackageId: (await makeItem(app)).scene.scenePackageId }), {
    foreign: async () => ({ scenePackageId: NONE }),
  }),
  callCase(addSchedule, async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId, ...item }), {
    foreign: async () => ({ scenePackageId: NONE, ...item }),
  }),
  callCase(modifySchedule, async (app) => ({ id: (await makeItem(app)).stored.id, version: 1, ...item, sendTime: '18:30' }), {
    foreign: async () => ({ id: NONE, version: 1, ...item }),
  }),
  callCase(delSchedule, async (app) => ({ id: (await makeItem(app)).stored.id, version: 1 }), {
    foreign: async () => ({ id: NONE, version: 1 }),
  }),
  callCase(
    sortSchedule,
    async (app) => {
      const { scene, stored } = await makeItem(app);
      return { scenePackageId: scene.scenePackageId, dataDetail: [{ id: stored.id, dayOffset: 7, version: 1 }] };
    },
    {
      foreign: async (app) => ({
        scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId,
        dataDetail: [{ id: (await makeItem(app)).stored.id, dayOffset: 7, version: 1 }],
      }),
    },
  ),

  callCase(queryPackageCycle, async (app) => ({ scenePackageId: await makeCycle(app) }), {
    foreign: async () => ({ scenePackageId: NONE }),
  }),
  callCase(addOrModifyPackageCycle, async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId, ...cycle }), {
    foreign: async () => ({ scenePackageId: NONE, ...cycle }),
  }),
  callCase(delPackageCycle, async (app) => ({ scenePackageId: await makeCycle(app) }), {
    foreign: async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId }),
  }),

  callCase(queryScenePackage, async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId }), {
    foreign: async () => ({ scenePackageId: NONE }),
  }),
  callCase(
    modifyScenePackagePolicy,
    async (app) => {
      const { scenePackageId } = await makeSceneOfNewDisease(app);
      return { scenePackageId, version: 1, ...(await draftOf(app, scenePackageId)), priority: 8 };
    },
    {
      foreign: async (app) => {
        const { scenePackageId } = await makeSceneOfNewDisease(app);
        return { scenePackageId: NONE, version: 1, ...(await draftOf(app, scenePackageId)) };
      },
    },
  ),
  callCase(queryTrialPatientList, async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId, keyword: '张' }), {
    foreign: async () => ({ scenePackageId: NONE }),
  }),
  callCase(
    evaluateForPatient,
    async (app) => {
      const scene = await makeScene(app, (await makeDisease(app, 1)).id);
      return {
        scenePackageId: scene.scenePackageId,
        patientId: await makePatient(app, { hba1c: '8' }),
        dataDetail: [row('>', '7')],
      };
    },
    {
      foreign: async (app) => ({ scenePackageId: (await makeSceneOfNewDisease(app)).scenePackageId, patientId: NONE }),
    },
  ),
  ...engineCases,
  ...taskCases,
  ...welcomeCases,
  ...campaignCases,
];
