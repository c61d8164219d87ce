import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addShieldGoods,
  delShieldGoods,
  disableShieldGoods,
  enableShieldGoods,
  exportShieldGoodsList,
  importShieldGoods,
  modifyShieldGoods,
  queryShieldGoodsDetail,
  queryShieldGoodsList,
  SHIELD_IMPORTER,
  testShieldGoods,
} from '../contract/calls/shield.ts';
import { importerOf, keeper, makeGoods, makeShield, NONE, shieldInput } from './testing/fixtures.ts';
import type { TestApp } from '#testing/testApp.ts';

const facts = (app: TestApp) => ({ scope: 'ALL' as const, reason: '价格核对中', effectiveFrom: app.clock.today() });
const missing = { id: NONE, version: 1 };
const named = async (app: TestApp) => {
  const { id, version } = await makeShield(app);
  return { id, version };
};
async function disabled(app: TestApp) {
  const { id, version } = await named(app);
  return { id, version: (await app.ok(disableShieldGoods, { id, version }, { as: await keeper(app) })).version };
}

export const shieldCases: readonly CallCase[] = [
  callCase(queryShieldGoodsList, async (app) => {
    await makeShield(app);
    return {};
  }),
  callCase(exportShieldGoodsList, async (app) => {
    await makeShield(app);
    return {};
  }),
  callCase(queryShieldGoodsDetail, async (app) => ({ id: (await makeShield(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(addShieldGoods, async (app) => shieldInput(app, await makeGoods(app))),
  callCase(modifyShieldGoods, async (app) => ({ ...(await named(app)), ...facts(app) }), {
    foreign: async (app) => ({ ...missing, ...facts(app) }),
  }),
  callCase(delShieldGoods, named, { foreign: async () => missing }),
  callCase(enableShieldGoods, disabled, { foreign: async () => missing }),
  callCase(disableShieldGoods, named, { foreign: async () => missing }),
  callCase(testShieldGoods, async (app) => ({ goodsCode: (await makeShield(app)).goodsCode })),
  callCase(importShieldGoods, async (app, as) => ({
    fileId: await uploadRows(app, as!, importerOf(app, SHIELD_IMPORTER), [
      { goodsCode: await makeGoods(app), scope: '全部', reason: '厂家要求线下购买', effectiveFrom: app.clock.today() },
    ]),
  })),
];
