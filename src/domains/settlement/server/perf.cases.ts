import { plusDays } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addPerfChange,
  auditPerfChange,
  exportPerfChangeItemList,
  exportPerfChangeList,
  importPerfBind,
  modifyPerfChange,
  previewPerfChange,
  queryPerfChangeDetail,
  queryPerfChangeItemList,
  queryPerfChangeList,
  queryPerfPairs,
  revokePerfChange,
  submitPerfChange,
  withdrawPerfChange,
} from '../contract/calls/perfChanges.ts';
import {
  exportPerfRelationList,
  exportPerfStatisticsList,
  exportPerfUnboundList,
  lockPerfPeriod,
  queryPerfBoundTrend,
  queryPerfPeriods,
  queryPerfRelationList,
  queryPerfRelationTimeline,
  queryPerfStatisticsList,
  queryPerfUnboundList,
  unlockPerfPeriod,
} from '../contract/calls/perfRelations.ts';
import { own } from './database.ts';
import { perfBindImporter } from './perf/importer.ts';
import { newDoctor, NONE } from './testing/fixtures.ts';
import { bindInput, draftChange, makeField, passed, passedChange, submittedChange } from './testing/perf.ts';

const opinion = '登记有误';
const missing = { id: NONE, version: 1 };
const ofRow = ({ id, version }: { id: string; version: number }) => ({ id, version });
const bound = async (app: TestApp) => {
  await passedChange(app);
  return {};
};
const newInput = async (app: TestApp) => bindInput(app, await makeField(app), await newDoctor(app));
const foreignInput = async (app: TestApp) => bindInput(app, await makeField(app), NONE);
const wishOf = ({ changeType, toAgentId, effectiveDate, items }: Awaited<ReturnType<typeof newInput>>) => ({
  changeType,
  toAgentId,
  effectiveDate,
  items,
});
/** The month before this one. */
const lastMonth = (app: TestApp) => plusDays(`${app.clock.today().slice(0, 7)}-01`, -1).slice(0, 7);
async function periodIn(app: TestApp, status: 'OPEN' | 'LOCKED') {
  const period = lastMonth(app);
  const now = app.clock.now();
  const locked =
    status === 'LOCKED'
      ? { lockedBy: '1', lockedByName: '运营审核', lockedAt: now }
      : { lockedBy: null, lockedByName: null, lockedAt: null };
  await own(app.db).deleteFrom('settlementPerfPeriod').execute();
  await own(app.db)
    .insertInto('settlementPerfPeriod')
    .values({ period, status, ...locked, updatedAt: now })
    .execute();
  return { period, version: 1 };
}
const bind = {
  agentNo: 'DB20261121000001',
  doctorNo: 'YS20261121000001',
  lineNo: 'CX20261121000001',
  changeType: '绑定',
  effectiveDate: '2026-12-01',
};

export const perfCases: readonly CallCase[] = [
  callCase(queryPerfChangeList, bound),
  callCase(exportPerfChangeList, bound),
  callCase(queryPerfChangeItemList, async (app) => ({ requestId: (await draftChange(app)).id })),
  callCase(exportPerfChangeItemList, async (app) => ({ requestId: (await draftChange(app)).id })),
  callCase(queryPerfChangeDetail, async (app) => ({ id: (await draftChange(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(previewPerfChange, async (app) => wishOf(await newInput(app))),
  callCase(queryPerfPairs, async (app) => ({ agentId: (await passedChange(app)).field.agents[0]!.id })),
  callCase(addPerfChange, newInput, { foreign: foreignInput }),
  callCase(
    modifyPerfChange,
    async (app) => {
      const { id, version, field, doctorId } = await draftChange(app);
      return { ...bindInput(app, field, doctorId), id, version };
    },
    { foreign: async (app) => ({ ...(await newInput(app)), ...missing }) },
  ),
  callCase(submitPerfChange, async (app) => ofRow(await draftChange(app)), { foreign: async () => missing }),
  callCase(
    withdrawPerfChange,
    async (app, as) => {
      const { id, version } = await app.ok(addPerfChange, await newInput(app), { as: as! });
      return { id, version };
    },
    { foreign: async () => missing },
  ),
  callCase(auditPerfChange, async (app) => ({ ...ofRow(await submittedChange(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(revokePerfChange, async (app) => ({ ...ofRow(await passedChange(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(importPerfBind, async (app, as) => ({ fileId: await uploadRows(app, as!, perfBindImporter, [bind]) })),
  callCase(queryPerfRelationList, bound),
  callCase(exportPerfRelationList, bound),
  callCase(queryPerfUnboundList, bound),
  callCase(exportPerfUnboundList, bound),
  callCase(queryPerfRelationTimeline, async (app) => ({ doctorId: (await passedChange(app)).doctorId }), {
    foreign: async () => ({ doctorId: NONE }),
  }),
  callCase(queryPerfStatisticsList, bound),
  callCase(exportPerfStatisticsList, bound),
  callCase(queryPerfBoundTrend, async (app) => ({ period: app.clock.today().slice(0, 7) })),
  callCase(queryPerfPeriods, async () => ({})),
  callCase(lockPerfPeriod, (app) => periodIn(app, 'OPEN')),
  callCase(unlockPerfPeriod, async (app) => ({ ...(await periodIn(app, 'LOCKED')), opinion })),
];
