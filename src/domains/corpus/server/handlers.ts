import type { Kernel } from '../../../kernel/server/kernel.ts';
import { command, query, type Handler } from '../../../kernel/server/handler.ts';
import { queryConditionIdDataList, queryVariableInfoDataList } from '../contract/conditionCalls.ts';
import { importDiseaseInfo, queryDiseaseList } from '../contract/diseaseCalls.ts';
import { querySceneList } from '../contract/sceneCalls.ts';
import { queryScenePackage } from '../contract/scenePackageCalls.ts';
import { queryPackageCycle, queryScheduleList } from '../contract/scheduleCalls.ts';
import { accessPackage } from './access.ts';
import { addDisease } from './addDisease.ts';
import { addChildScenes, addMainScenes } from './addScenes.ts';
import { loadConditionSet } from './conditions.ts';
import { answerCycle } from './cycles.ts';
import { corpusDb } from './database.ts';
import { diseaseImporter } from './diseaseImporter.ts';
import { listDiseases } from './diseases.ts';
import { modifyDisease } from './modifyDisease.ts';
import { removeDisease } from './removeDisease.ts';
import { removeScene } from './removeScene.ts';
import { renameScene } from './renameScene.ts';
import { saveConditions } from './saveConditions.ts';
import { removeCycle, saveCycle } from './saveCycle.ts';
import { addScheduleItem, modifyScheduleItem, moveScheduleItems, removeScheduleItem } from './saveSchedule.ts';
import { listSchedule } from './scheduleItems.ts';
import { loadScenePackage, savePolicy } from './scenePackages.ts';
import { sceneFigures } from './figures.ts';
import { listScenes } from './scenes.ts';
import { trialPatients, tryOnPatient } from './trial.ts';
import { listVariables } from './variables.ts';

/** Every call of the configuring half. */
export const corpusHandlers = (kernel: Kernel): readonly Handler[] => [
  query(queryDiseaseList, ({ pageNo, pageSize, ...filter }, ctx) => listDiseases(corpusDb(ctx.db), filter, { pageNo, pageSize })),
  addDisease,
  removeDisease,
  modifyDisease,
  command(importDiseaseInfo, ({ fileId, mode }, ctx) =>
    kernel.ports.importTasks.start(ctx, { importerCode: diseaseImporter.code, fileId, params: {}, mode, staff: ctx.staff }, ctx.now),
  ),
  query(querySceneList, ({ diseaseId, ...paging }, ctx) => listScenes(corpusDb(ctx.db), diseaseId, paging)),
  sceneFigures,
  addMainScenes,
  addChildScenes,
  renameScene,
  removeScene,
  query(queryConditionIdDataList, async ({ scenePackageId, expType }, ctx) => {
    const db = corpusDb(ctx.db);
    await accessPackage(db, { scenePackageId });
    return loadConditionSet(db, scenePackageId, expType);
  }),
  saveConditions,
  query(queryVariableInfoDataList, ({ pageNo, pageSize, ...filter }, ctx) => listVariables(corpusDb(ctx.db), filter, { pageNo, pageSize })),
  query(queryScheduleList, async ({ scenePackageId, ...paging }, ctx) => {
    const db = corpusDb(ctx.db);
    await accessPackage(db, { scenePackageId });
    return listSchedule(db, scenePackageId, paging);
  }),
  addScheduleItem,
  modifyScheduleItem,
  removeScheduleItem,
  moveScheduleItems,
  query(queryPackageCycle, async ({ scenePackageId }, ctx) => {
    await accessPackage(corpusDb(ctx.db), { scenePackageId });
    return answerCycle(ctx.db, scenePackageId, ctx.now);
  }),
  saveCycle,
  removeCycle,
  query(queryScenePackage, ({ scenePackageId }, ctx) => loadScenePackage(corpusDb(ctx.db), scenePackageId)),
  savePolicy,
  trialPatients,
  tryOnPatient,
];
