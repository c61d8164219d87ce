import { query, type Handler } from '../../../kernel/server/handler.ts';
import { queryConditionIdDataList } from '../contract/conditionCalls.ts';
import { querySceneList } from '../contract/sceneCalls.ts';
import { queryScenePackage } from '../contract/scenePackageCalls.ts';
import { queryPackageCycle } from '../contract/scheduleCalls.ts';
import { accessPackage } from './access.ts';
import { addDisease } from './addDisease.ts';
import { addChildScenes, addMainScenes } from './addScenes.ts';
import { loadConditionSet } from './conditions.ts';
import { answerCycle } from './cycles.ts';
import { own } from './database.ts';
import { diseaseList } from './diseases.ts';
import { modifyDisease } from './modifyDisease.ts';
import { removeDisease } from './removeDisease.ts';
import { removeScene } from './removeScene.ts';
import { renameScene } from './renameScene.ts';
import { saveConditions } from './saveConditions.ts';
import { removeCycle, saveCycle } from './saveCycle.ts';
import { addScheduleItem, modifyScheduleItem, moveScheduleItems, removeScheduleItem } from './saveSchedule.ts';
import { scheduleList } from './scheduleItems.ts';
import { loadScenePackage, savePolicy } from './scenePackages.ts';
import { sceneFigures } from './figures.ts';
import { listScenes } from './scenes.ts';
import { trialPatients, tryOnPatient } from './trial.ts';
import { variableList } from './variables.ts';

/** Every call of the configuring half. */
export const corpusHandlers: readonly Handler[] = [
  diseaseList.handler,
  addDisease,
  removeDisease,
  modifyDisease,
  // No `listOf`: a page of main scenes brings the children of each.
  query(querySceneList, ({ diseaseId, ...paging }, ctx) => listScenes(own(ctx.db), diseaseId, paging)),
  sceneFigures,
  addMainScenes,
  addChildScenes,
  renameScene,
  removeScene,
  query(queryConditionIdDataList, async ({ scenePackageId, expType }, ctx) => {
    const db = own(ctx.db);
    await accessPackage(db, { scenePackageId });
    return loadConditionSet(db, scenePackageId, expType);
  }),
  saveConditions,
  variableList.handler,
  scheduleList.handler,
  addScheduleItem,
  modifyScheduleItem,
  removeScheduleItem,
  moveScheduleItems,
  query(queryPackageCycle, async ({ scenePackageId }, ctx) => {
    await accessPackage(own(ctx.db), { scenePackageId });
    return answerCycle(ctx.db, scenePackageId, ctx.now);
  }),
  saveCycle,
  removeCycle,
  query(queryScenePackage, ({ scenePackageId }, ctx) => loadScenePackage(own(ctx.db), scenePackageId)),
  savePolicy,
  trialPatients,
  tryOnPatient,
];
