import type { FeatureModule } from '#kernel/server/featureModule.ts';
import { query } from '#kernel/server/handler.ts';
import { querySceneList } from '../../contract/sceneCalls.ts';
import { queryScenePackage } from '../../contract/scenePackageCalls.ts';
import { own } from '../database.ts';
import { addChildScenes, addMainScenes } from './add.ts';
import { sceneFigures } from './figures.ts';
import { listScenes } from './list.ts';
import { loadScenePackage, savePolicy } from './packages.ts';
import { removeScene } from './remove.ts';
import { renameScene } from './rename.ts';

/** Scenes, their children, and the package of each with the draft of its policy. */
export const scenesModule: FeatureModule = {
  handlers: [
    // No `listOf`: a page of main scenes brings the children of each.
    query(querySceneList, ({ diseaseId, ...paging }, ctx) => listScenes(own(ctx.db), diseaseId, paging)),
    sceneFigures,
    addMainScenes,
    addChildScenes,
    renameScene,
    removeScene,
    query(queryScenePackage, ({ scenePackageId }, ctx) => loadScenePackage(own(ctx.db), scenePackageId)),
    savePolicy,
  ],
};
