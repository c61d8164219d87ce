import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addAssistant,
  batchTransferAssistant,
  bindAssistant,
  changeAssistantState,
  exportAssistantList,
  modifyAssistant,
  previewTransfer,
  queryAssistantBindHistory,
  queryAssistantList,
  queryAssistantSummary,
  queryAssistantUserOptions,
  queryUnboundDoctorList,
  revealAssistantMobile,
  unbindAssistant,
} from '../../contract/calls/assistants.ts';
import { always, bound, makeAssistant, makeDoctor, NONE } from '../testing/staffing.ts';

const fields = { groupName: '一组', capacity: 40, dutyWeek: always };

async function pair(app: TestApp) {
  const [from, to, doctor] = [await makeAssistant(app), await makeAssistant(app), await makeDoctor(app)];
  await bound(app, from, [doctor]);
  return { fromAssistantId: from, toAssistantIds: [to], scope: 'ALL' as const, strategy: 'ONE' as const };
}
const strangers = { fromAssistantId: NONE, toAssistantIds: ['999999998'], scope: 'ALL' as const, strategy: 'ONE' as const };

export const assistantCases: readonly CallCase[] = [
  callCase(queryAssistantList, async (app) => {
    await makeAssistant(app, { active: 1 });
    return { state: ['ON_DUTY' as const], pageNo: 1 };
  }),
  callCase(queryAssistantSummary, async () => ({})),
  callCase(queryAssistantUserOptions, async () => ({ keyword: '测试' })),
  callCase(addAssistant, async (app) => ({ userId: (await app.staff({ permissions: [] })).userId, mobile: '13812345678', ...fields })),
  callCase(modifyAssistant, async (app) => ({ id: await makeAssistant(app), version: 2, ...fields, groupName: '二组' }), {
    foreign: async () => ({ id: NONE, version: 1, ...fields }),
  }),
  callCase(changeAssistantState, async (app) => ({ id: await makeAssistant(app), version: 2, action: 'goOff' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'goOn' as const }),
  }),
  callCase(revealAssistantMobile, async (app) => ({ id: await makeAssistant(app), reason: '核对排班' }), {
    foreign: async () => ({ id: NONE }),
  }),
  callCase(
    bindAssistant,
    async (app) => ({ doctorIds: [await makeDoctor(app)], assistantId: await makeAssistant(app), role: 'PRIMARY' as const }),
    { foreign: async (app) => ({ doctorIds: [await makeDoctor(app)], assistantId: NONE, role: 'PRIMARY' as const }) },
  ),
  callCase(
    unbindAssistant,
    async (app) => {
      const [assistantId, doctorId] = [await makeAssistant(app), await makeDoctor(app)];
      await bound(app, assistantId, [doctorId]);
      return { doctorIds: [doctorId], assistantId, reason: '调整分组' };
    },
    { foreign: async (app) => ({ doctorIds: [NONE], assistantId: await makeAssistant(app), reason: '调整分组' }) },
  ),
  callCase(queryAssistantBindHistory, async (app) => {
    const [assistantId, doctorId] = [await makeAssistant(app), await makeDoctor(app)];
    await bound(app, assistantId, [doctorId]);
    return { assistantId, live: true };
  }),
  callCase(queryUnboundDoctorList, async (app) => {
    await makeDoctor(app);
    return { name: '李文博' };
  }),
  callCase(previewTransfer, pair, { foreign: async () => strangers }),
  callCase(batchTransferAssistant, async (app) => ({ ...(await pair(app)), reason: '请假交接' }), {
    foreign: async () => ({ ...strangers, reason: '请假交接' }),
  }),
  callCase(exportAssistantList, async (app) => {
    await makeAssistant(app);
    return {};
  }),
];
