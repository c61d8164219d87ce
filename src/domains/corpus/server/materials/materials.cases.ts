import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addMaterial,
  addMaterialFolder,
  auditMaterial,
  delMaterial,
  delMaterialFolder,
  exportMaterialList,
  modifyMaterial,
  modifyMaterialFolder,
  previewMaterial,
  queryMaterialDetail,
  queryMaterialFolderList,
  queryMaterialList,
  queryMaterialOptions,
  queryMaterialUsage,
} from '../../contract/materials/calls.ts';
import { fresh } from '../testing/fixtures.ts';
import { editor, makeMaterial, words } from '../testing/materialFixtures.ts';
import type { TestApp } from '#testing/testApp.ts';

const NONE = '999999999';
const made = async (app: TestApp) => makeMaterial(app, await editor(app));
const folder = async (app: TestApp) => app.ok(addMaterialFolder, { name: fresh('目录') }, { as: await editor(app) });

/** One valid input and one foreign record per call of the materials. */
export const materialCases: readonly CallCase[] = [
  callCase(queryMaterialList, async (app) => {
    await made(app);
    return { pageNo: 1, pageSize: 10, type: 'TEXT' as const };
  }),
  callCase(exportMaterialList, async (app) => {
    await made(app);
    return { type: 'TEXT' as const };
  }),
  callCase(queryMaterialDetail, async (app) => ({ id: (await made(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addMaterial, async () => ({ title: fresh('素材'), content: words() })),
  callCase(modifyMaterial, async (app) => ({ ...(await made(app)), title: fresh('改名'), content: words('{{患者称呼:您}}早') }), {
    foreign: async () => ({ id: NONE, version: 1, title: '素材', content: words() }),
  }),
  callCase(delMaterial, async (app) => made(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(auditMaterial, async (app) => ({ ...(await made(app)), action: 'submit' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'submit' as const }),
  }),
  callCase(queryMaterialUsage, async (app) => ({ id: (await made(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(previewMaterial, async () => ({ content: words() })),
  callCase(queryMaterialOptions, async () => ({})),
  callCase(queryMaterialFolderList, async (app) => {
    await folder(app);
    return {};
  }),
  callCase(addMaterialFolder, async () => ({ name: fresh('目录') })),
  callCase(modifyMaterialFolder, async (app) => ({ ...(await folder(app)), name: fresh('改名') }), {
    foreign: async () => ({ id: NONE, version: 1, name: '改名' }),
  }),
  callCase(delMaterialFolder, async (app) => folder(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
];
