import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadRows } from '#testing/uploads.ts';
import { markPermissions } from '../contract/permissions.ts';
import {
  addSpecialUser,
  auditSpecialUser,
  delSpecialUser,
  exportSpecialUserList,
  importSpecialUser,
  modifySpecialUser,
  querySpecialUserDetail,
  querySpecialUserList,
  querySpecialUserOverlap,
  revealSpecialUser,
} from '../contract/calls/marks.ts';
import { markImporter } from './marks/importer.ts';
import { freshIdNo, markInput, NONE, waitingMark } from './testing/marks.ts';

const passed = { action: 'approve' as const, opinion: '材料齐全，同意' };
const missing = { id: NONE, version: 1 };

export const specialUserCases: readonly CallCase[] = [
  callCase(querySpecialUserList, async (app) => {
    const { input } = await waitingMark(app);
    return { name: input.name };
  }),
  callCase(exportSpecialUserList, async (app) => {
    await waitingMark(app);
    return {};
  }),
  callCase(querySpecialUserDetail, async (app) => ({ id: (await waitingMark(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(
    querySpecialUserOverlap,
    async (app) => {
      const { input } = await waitingMark(app);
      return { idNo: input.idNo, markType: input.markType, startDate: input.startDate, endDate: input.endDate };
    },
    {
      foreign: async (app) => {
        const { markType, startDate, endDate } = markInput(app);
        return { id: NONE, markType, startDate, endDate };
      },
    },
  ),
  callCase(addSpecialUser, async (app) => markInput(app)),
  callCase(
    modifySpecialUser,
    async (app) => {
      const { id, version, input } = await waitingMark(app);
      return { ...input, id, version, reason: '改为更明确的原因' };
    },
    { foreign: async (app) => ({ ...markInput(app), ...missing }) },
  ),
  callCase(
    auditSpecialUser,
    async (app) => {
      const { id, version } = await waitingMark(app);
      return { id, version, ...passed };
    },
    { foreign: async () => ({ ...missing, ...passed }) },
  ),
  callCase(
    delSpecialUser,
    async (app, as) => {
      const { id, version } = await waitingMark(app, {}, as ?? undefined);
      return { id, version };
    },
    { as: { permissions: [markPermissions['specialUser.edit'].code] }, foreign: async () => missing },
  ),
  callCase(revealSpecialUser, async (app) => ({ id: (await waitingMark(app)).id, field: 'idNo' as const }), {
    foreign: async () => ({ id: NONE, field: 'idNo' as const }),
  }),
  callCase(importSpecialUser, async (app, as) => ({
    fileId: await uploadRows(app, as!, markImporter(app.kernel), [
      { name: '李秀兰', idNo: freshIdNo(), markType: '强制复核', startDate: '2027-01-01', endDate: '2027-12-31', reason: '导入测试' },
    ]),
  })),
];
