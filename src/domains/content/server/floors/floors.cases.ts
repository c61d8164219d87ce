import { callCase, type CallCase } from '#testing/cases.ts';
import {
  addFloor,
  copyFloor,
  delFloor,
  modifyFloor,
  queryClientPageList,
  queryPageLayout,
  restorePageLayout,
  sortFloor,
} from '../../contract/floors/calls.ts';
import { auditPage, previewPage, queryPageReleaseDiff, queryPageReleaseList } from '../../contract/releases/calls.ts';
import { draft, makeFloor, makeLive } from '../testing/floors.ts';

const NONE = '999999999';
const pageCode = 'MP_MINE' as const;

export const floorCases: readonly CallCase[] = [
  callCase(queryClientPageList, async () => ({})),
  callCase(queryPageLayout, async (app) => {
    await makeFloor(app);
    return { pageCode };
  }),
  callCase(addFloor, async (app) => ({
    pageCode,
    version: (await draft(app, pageCode)).version,
    floorType: 'NOTICE' as const,
    floorName: '公告',
  })),
  callCase(modifyFloor, async (app) => ({ ...(await makeFloor(app)), floorName: '新公告' }), {
    foreign: async () => ({ id: NONE, version: 1, floorName: '公告' }),
  }),
  callCase(copyFloor, (app) => makeFloor(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(delFloor, (app) => makeFloor(app), { foreign: async () => ({ id: NONE, version: 1 }) }),
  callCase(
    sortFloor,
    async (app) => {
      const { version } = await makeFloor(app);
      return { pageCode, version, ids: (await draft(app, pageCode)).floors.map(({ id }) => id) };
    },
    { foreign: async (app) => ({ pageCode, version: (await draft(app, pageCode)).version, ids: [NONE] }) },
  ),
  callCase(restorePageLayout, async (app) => ({ pageCode, version: (await makeFloor(app)).version, floors: [] })),
  callCase(queryPageReleaseList, async () => ({ pageCode: 'MP_HOME' as const })),
  callCase(
    queryPageReleaseDiff,
    async (app) => {
      const { id } = await makeLive(app, 'ST_HOME');
      return { pageCode: 'ST_HOME' as const, from: id, to: id };
    },
    { foreign: async () => ({ pageCode: 'ST_HOME' as const, from: NONE, to: NONE }) },
  ),
  callCase(
    auditPage,
    async (app) => {
      await makeFloor(app, 'DR_HOME');
      return { pageCode: 'DR_HOME' as const, action: 'submit' as const };
    },
    {
      as: { permissions: ['content.page.edit', 'content.page.audit'] },
      foreign: async () => ({ pageCode: 'DR_HOME' as const, action: 'reject' as const, releaseId: NONE, opinion: '无此版本' }),
    },
  ),
  callCase(previewPage, async () => ({ pageCode }), { foreign: async () => ({ pageCode, source: NONE }) }),
];
