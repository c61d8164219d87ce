import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addAfterSale,
  auditAfterSale,
  cancelAfterSale,
  exportAfterSaleList,
  inspectReturn,
  previewAfterSale,
  queryAfterSaleDetail,
  queryAfterSaleList,
  receiveReturn,
} from '../contract/calls/afterSales.ts';
import { own } from './database.ts';
import { keeper, NONE } from './testing/fixtures.ts';
import { soldAtStore } from './testing/orders.ts';

let keys = 0;
const key = () => `after-sale-case-${(keys += 1)}`;

async function wish(app: TestApp, type: 'REFUND_ONLY' | 'RETURN_REFUND' = 'REFUND_ONLY') {
  const { orderId } = await soldAtStore(app, { quantity: 2, unitPriceFen: 4_000 });
  const { id } = await own(app.db).selectFrom('orderLine').select('id').where('orderId', '=', orderId).executeTakeFirstOrThrow();
  return { orderId, type, reasonCode: 'SHORT' as const, lines: [{ orderLineId: id, quantity: 1 }] };
}
async function waiting(app: TestApp, type?: 'RETURN_REFUND') {
  const { id, version } = await app.ok(addAfterSale, await wish(app, type), { as: await keeper(app), idempotencyKey: key() });
  return { afterSaleId: id, version };
}
const approval = { level: 'NORMAL' as const, decision: 'approve' as const };
async function sentBack(app: TestApp) {
  const on = await waiting(app, 'RETURN_REFUND');
  const { version } = await app.ok(auditAfterSale, { ...on, ...approval }, { as: await keeper(app), idempotencyKey: key() });
  return { ...on, version };
}
async function received(app: TestApp) {
  const on = await sentBack(app);
  const { version } = await app.ok(receiveReturn, { ...on, returnWaybill: 'SF1234567890' }, { as: await keeper(app) });
  return { ...on, version };
}
const missing = { afterSaleId: NONE, version: 1 };
const foreignWish = async (app: TestApp) => ({ ...(await wish(app)), orderId: NONE });

export const afterSalesCases: readonly CallCase[] = [
  callCase(queryAfterSaleList, async (app) => {
    await waiting(app);
    return {};
  }),
  callCase(exportAfterSaleList, async (app) => {
    await waiting(app);
    return {};
  }),
  callCase(queryAfterSaleDetail, async (app) => ({ afterSaleId: (await waiting(app)).afterSaleId }), {
    foreign: async () => ({ afterSaleId: NONE }),
  }),
  callCase(previewAfterSale, async (app) => wish(app), { foreign: foreignWish }),
  callCase(addAfterSale, async (app) => wish(app), { foreign: foreignWish }),
  callCase(auditAfterSale, async (app) => ({ ...(await waiting(app)), ...approval }), {
    foreign: async () => ({ ...missing, ...approval }),
  }),
  callCase(receiveReturn, async (app) => ({ ...(await sentBack(app)), returnWaybill: 'SF1234567890' }), {
    foreign: async () => ({ ...missing, returnWaybill: 'SF1234567890' }),
  }),
  callCase(inspectReturn, async (app) => ({ ...(await received(app)), passes: true }), {
    foreign: async () => ({ ...missing, passes: true }),
  }),
  callCase(cancelAfterSale, async (app) => ({ ...(await waiting(app)), opinion: '患者撤回' }), {
    foreign: async () => ({ ...missing, opinion: '患者撤回' }),
  }),
];
