import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadTable } from '#testing/uploads.ts';
import { makeChannel } from '#domains/channel/server/testing/fixtures.ts';
import {
  addAttributionChange,
  auditAttributionChange,
  exportAttributionChangeList,
  exportAttributionList,
  importAttributionChange,
  queryAttributionChangeDetail,
  queryAttributionChangeList,
  queryAttributionTrail,
  queryChannelFunnel,
  queryDoctorChannelList,
  queryPatientChannelList,
} from '../../contract/calls/attribution.ts';
import { attributedDoctor, makeOrder, person } from '../testing/orders.ts';
import { NONE } from '../testing/services.ts';
import type { TestApp } from '#testing/testApp.ts';

const wish = async (app: TestApp, subjectId?: string) => ({
  subjectType: 'DOCTOR' as const,
  subjectId: subjectId ?? (await attributedDoctor(app)),
  toChannelId: (await makeChannel(app)).id,
  effectiveOn: app.clock.today(),
  reason: '代表交接',
});
const pending = async (app: TestApp) => (await app.ok(addAttributionChange, await wish(app), { as: await person(app) })).id;

/** One try of every call of attribution. */
export const attributionCases: readonly CallCase[] = [
  callCase(queryDoctorChannelList, async (app) => {
    await attributedDoctor(app);
    return {};
  }),
  callCase(queryPatientChannelList, async (app) => {
    await makeOrder(app);
    return {};
  }),
  callCase(exportAttributionList, async (app) => {
    await attributedDoctor(app);
    return {};
  }),
  callCase(queryAttributionTrail, async (app) => ({ subjectType: 'DOCTOR' as const, subjectId: await attributedDoctor(app) }), {
    foreign: async () => ({ subjectType: 'DOCTOR' as const, subjectId: NONE }),
  }),
  callCase(queryChannelFunnel, async (app) => ({ subjectType: 'DOCTOR' as const, from: app.clock.today(), to: app.clock.today() })),
  callCase(queryAttributionChangeList, async (app) => {
    await pending(app);
    return {};
  }),
  callCase(exportAttributionChangeList, async (app) => {
    await pending(app);
    return {};
  }),
  callCase(queryAttributionChangeDetail, async (app) => ({ id: await pending(app) }), { foreign: async () => ({ id: NONE }) }),
  callCase(addAttributionChange, (app) => wish(app), { foreign: (app) => wish(app, NONE) }),
  callCase(auditAttributionChange, async (app) => ({ id: await pending(app), version: 1, action: 'approve' as const }), {
    foreign: async () => ({ id: NONE, version: 1, action: 'approve' as const }),
  }),
  callCase(importAttributionChange, async (app, as) => ({
    fileId: await uploadTable(app, as!, [
      ['对象类型', '对象编号', '新渠道编号', '生效日期', '变更原因'],
      ['医生', 'YS0', '', '2026-12-01', '代表交接'],
    ]),
  })),
];
