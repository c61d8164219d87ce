import { hours, plusMs } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addSupplier,
  auditSupplier,
  disableSupplier,
  exportSupplierList,
  modifySupplier,
  pauseSupplier,
  querySupplierDetail,
  querySupplierList,
  resumeSupplier,
  revealSupplierMobile,
  submitSupplier,
  testSupplierEndpoint,
} from '../contract/calls/supplier.ts';
import {
  addSupplierGoods,
  addSupplierPause,
  delSupplierGoods,
  delSupplierPause,
  exportSupplierGoodsList,
  importSupplierGoods,
  modifySupplierGoods,
  modifySupplierRegions,
  querySupplierGoodsList,
  SUPPLIER_GOODS_IMPORTER,
} from '../contract/calls/supplierGoods.ts';
import {
  importerOf,
  makeEnabled,
  makeGoods,
  makeSubmitted,
  makeSupplier,
  makeSupplierGoods,
  NONE,
  supplierInput,
  type MadeSupplier,
} from './testing/fixtures.ts';

const missing = { id: NONE, version: 1 };
const named = ({ id, version }: MadeSupplier) => ({ id, version });
const opinion = '合作到期，不再续约';
const price = { supplyPriceFen: 9_800, stockQty: 20, onSale: true };
async function paused(app: TestApp) {
  const made = await makeEnabled(app);
  const { id, version } = await app.ok(pauseSupplier, { ...named(made), opinion: '盘点' }, { as: made.author });
  return { id, version };
}
const API = { integration: 'API', endpoint: 'https://oms.example.com/api', appKey: 'KQ001', secret: 'top-secret-1' } as const;
const time = (app: TestApp) => ({
  fromAt: plusMs(app.clock.now(), hours(1)),
  toAt: plusMs(app.clock.now(), hours(5)),
  reason: '系统升级',
});
const factsOf = (app: TestApp) => {
  const { supplierCode: _, ...facts } = supplierInput(app);
  return facts;
};

export const supplierCases: readonly CallCase[] = [
  callCase(querySupplierList, async (app) => {
    await makeSupplier(app);
    return {};
  }),
  callCase(exportSupplierList, async (app) => {
    await makeSupplier(app);
    return {};
  }),
  callCase(querySupplierDetail, async (app) => ({ id: (await makeSupplier(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(revealSupplierMobile, async (app) => ({ id: (await makeSupplier(app)).id, reason: '联系供应商' }), {
    foreign: async () => ({ id: NONE, reason: '联系供应商' }),
  }),
  callCase(addSupplier, async (app) => supplierInput(app)),
  callCase(modifySupplier, async (app) => ({ ...named(await makeSupplier(app)), ...factsOf(app) }), {
    foreign: async (app) => ({ ...missing, ...factsOf(app) }),
  }),
  callCase(submitSupplier, async (app) => named(await makeSupplier(app)), { foreign: async () => missing }),
  callCase(auditSupplier, async (app) => ({ ...named(await makeSubmitted(app)), decision: 'approve' as const }), {
    foreign: async () => ({ ...missing, decision: 'approve' as const }),
  }),
  callCase(pauseSupplier, async (app) => ({ ...named(await makeEnabled(app)), opinion: '盘点' }), { foreign: async () => missing }),
  callCase(resumeSupplier, paused, { foreign: async () => missing }),
  callCase(disableSupplier, async (app) => ({ ...named(await makeEnabled(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(testSupplierEndpoint, async (app) => ({ id: (await makeSupplier(app, API)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(querySupplierGoodsList, async (app) => {
    const { id } = await makeSupplier(app);
    await makeSupplierGoods(app, id);
    return { supplierId: id };
  }),
  callCase(exportSupplierGoodsList, async (app) => {
    const { id } = await makeSupplier(app);
    await makeSupplierGoods(app, id);
    return { supplierId: id };
  }),
  callCase(addSupplierGoods, async (app) => ({ supplierId: (await makeSupplier(app)).id, goodsCode: await makeGoods(app), ...price }), {
    foreign: async (app) => ({ supplierId: NONE, goodsCode: await makeGoods(app), ...price }),
  }),
  callCase(
    modifySupplierGoods,
    async (app) => {
      const { id, version } = await makeSupplierGoods(app, (await makeSupplier(app)).id);
      return { id, version, ...price };
    },
    { foreign: async () => ({ ...missing, ...price }) },
  ),
  callCase(
    delSupplierGoods,
    async (app) => {
      const { id, version } = await makeSupplierGoods(app, (await makeSupplier(app)).id);
      return { id, version };
    },
    { foreign: async () => missing },
  ),
  callCase(
    importSupplierGoods,
    async (app, as) => ({
      supplierId: (await makeSupplier(app)).id,
      fileId: await uploadRows(app, as!, importerOf(app, SUPPLIER_GOODS_IMPORTER), [
        { goodsCode: await makeGoods(app), supplyPriceFen: '98.00', stockQty: '200', onSale: '是' },
      ]),
    }),
    {
      foreign: async (app, as) => ({
        supplierId: NONE,
        fileId: await uploadRows(app, as!, importerOf(app, SUPPLIER_GOODS_IMPORTER), [
          { goodsCode: await makeGoods(app), supplyPriceFen: '98.00', stockQty: '200', onSale: '是' },
        ]),
      }),
    },
  ),
  callCase(
    modifySupplierRegions,
    async (app) => {
      const { id, version } = await makeSupplier(app);
      return { supplierId: id, version, included: ['310000'], excluded: [] };
    },
    { foreign: async () => ({ supplierId: NONE, version: 1, included: ['310000'], excluded: [] }) },
  ),
  callCase(addSupplierPause, async (app) => ({ supplierId: (await makeSupplier(app)).id, ...time(app) }), {
    foreign: async (app) => ({ supplierId: NONE, ...time(app) }),
  }),
  callCase(
    delSupplierPause,
    async (app) => {
      const { id: supplierId, author } = await makeSupplier(app);
      return app.ok(addSupplierPause, { supplierId, ...time(app) }, { as: author });
    },
    { foreign: async () => missing },
  ),
];
