import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addRecommendation,
  exportRecommendationList,
  modifyRecommendation,
  offRecommendation,
  queryRecommendationList,
  queryRecommendationOccupancy,
  sortRecommendation,
} from '../../contract/calls/recommendations.ts';
import { keeper, makeDoctor, NONE } from '../testing/staffing.ts';

let serial = 0;
const times = { startAt: '2026-11-22T00:00:00.000Z', endAt: '2026-11-29T00:00:00.000Z' };
const wish = (doctorId: string) => ({ position: 'SEARCH' as const, scopeKey: `keyword:词${(serial += 1)}`, doctorId, ...times });

async function made(app: TestApp) {
  const input = wish(await makeDoctor(app));
  const { id } = await app.ok(addRecommendation, input, { as: await keeper(app) });
  return { id, scopeKey: input.scopeKey };
}

export const recommendationCases: readonly CallCase[] = [
  callCase(queryRecommendationList, async (app) => ({ scopeKey: (await made(app)).scopeKey, state: ['WAITING' as const] })),
  callCase(exportRecommendationList, async (app) => ({ scopeKey: (await made(app)).scopeKey })),
  callCase(queryRecommendationOccupancy, async (app) => {
    await made(app);
    return {};
  }),
  callCase(addRecommendation, async (app) => wish(await makeDoctor(app)), { foreign: async () => wish(NONE) }),
  callCase(modifyRecommendation, async (app) => ({ id: (await made(app)).id, version: 1, reason: '省内知名专家', ...times }), {
    foreign: async () => ({ id: NONE, version: 1, ...times }),
  }),
  callCase(offRecommendation, async (app) => ({ id: (await made(app)).id, version: 1, opinion: '停止合作' }), {
    foreign: async () => ({ id: NONE, version: 1, opinion: '停止合作' }),
  }),
  callCase(
    sortRecommendation,
    async (app) => {
      const { id, scopeKey } = await made(app);
      return { position: 'SEARCH' as const, scopeKey, ids: [id] };
    },
    { foreign: async () => ({ position: 'SEARCH' as const, scopeKey: 'keyword:没有', ids: [NONE] }) },
  ),
];
