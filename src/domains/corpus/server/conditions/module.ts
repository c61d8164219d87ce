import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { queryConditionIdDataList } from '../../contract/conditionCalls.ts';
import { accessPackage } from '../access.ts';
import { own } from '../database.ts';
import { loadConditionSet, saveConditions } from './sets.ts';
import { trialPatients, tryOnPatient } from './trial.ts';
import { variableReference } from './variableReference.ts';
import { variableList } from './variables.ts';

/** When a scene begins and ends, tried on one patient before anybody saves it. */
export const conditionsModule: FeatureModule = {
  handlers: [
    query(queryConditionIdDataList, async ({ scenePackageId, expType }, ctx) => {
      const db = own(ctx.db);
      await accessPackage(db, { scenePackageId });
      return loadConditionSet(db, scenePackageId, expType);
    }),
    saveConditions,
    variableList.handler,
    trialPatients,
    tryOnPatient,
  ],
  reference: [variableReference],
};
