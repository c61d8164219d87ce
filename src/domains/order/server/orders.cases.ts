import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { createOrder, openOrderState } from '../contract/calls/openOrders.ts';
import {
  addOrderRemark,
  auditRx,
  cancelOrder,
  claimNextRx,
  claimRx,
  exportOrderList,
  heartbeatRx,
  modifyOrderAddress,
  payCardsAgain,
  queryOrderDetail,
  queryOrderList,
  queryOrderSum,
  releaseRx,
  revealOrder,
} from '../contract/calls/orders.ts';
import { NONE } from './testing/fixtures.ts';
import { cardFailed, goodsOf, home, orderInput, orderRow, placed, waitingForRx } from './testing/orders.ts';

async function versioned(app: TestApp) {
  const { orderId } = await placed(app);
  return { orderId, version: (await orderRow(app, orderId)).version };
}
async function held(app: TestApp, as: TestStaff | null) {
  const { orderId } = await waitingForRx(app);
  const { leaseToken, version } = await app.ok(claimRx, { orderId }, { as: as! });
  return { orderId, leaseToken, version };
}
const missing = { orderId: NONE, version: 1 };
const lost = { orderId: NONE, leaseToken: 'none' };
const ending = { reasonCode: 'PATIENT' as const, opinion: '患者不再需要' };
/** The price at which the app shows goods of the tests. */
const SHOWN_FEN = 550_000;
const appLines = async (app: TestApp) => [{ goodsCode: await goodsOf(app), quantity: 1, unitPriceFen: SHOWN_FEN }];

export const ordersCases: readonly CallCase[] = [
  callCase(queryOrderList, async (app) => ({ orderNo: (await placed(app)).orderNo })),
  callCase(exportOrderList, async (app) => ({ orderNo: (await placed(app)).orderNo })),
  callCase(queryOrderSum, async (app) => ({ orderNo: (await placed(app)).orderNo })),
  callCase(queryOrderDetail, async (app) => ({ orderId: (await placed(app)).orderId }), { foreign: async () => ({ orderId: NONE }) }),
  callCase(revealOrder, async (app) => ({ id: (await placed(app)).orderId, field: 'buyerMobile' as const }), {
    foreign: async () => ({ id: NONE, field: 'buyerMobile' as const }),
  }),
  callCase(claimRx, async (app) => ({ orderId: (await waitingForRx(app)).orderId }), { foreign: async () => ({ orderId: NONE }) }),
  callCase(claimNextRx, async (app) => {
    await waitingForRx(app);
    return {};
  }),
  callCase(
    heartbeatRx,
    async (app, as) => {
      const { orderId, leaseToken } = await held(app, as);
      return { orderId, leaseToken };
    },
    { foreign: async () => lost },
  ),
  callCase(
    releaseRx,
    async (app, as) => {
      const { orderId, leaseToken } = await held(app, as);
      return { orderId, leaseToken };
    },
    { foreign: async () => lost },
  ),
  callCase(auditRx, async (app, as) => ({ ...(await held(app, as)), result: 'PASSED' as const }), {
    foreign: async () => ({ ...lost, version: 1, result: 'PASSED' as const }),
  }),
  callCase(modifyOrderAddress, async (app) => ({ ...(await versioned(app)), ...home, addressDetail: '天目山路2号' }), {
    foreign: async () => ({ ...missing, ...home }),
  }),
  callCase(addOrderRemark, async (app) => ({ ...(await versioned(app)), staffRemark: '周末送达' }), {
    foreign: async () => ({ ...missing, staffRemark: '周末送达' }),
  }),
  callCase(
    payCardsAgain,
    async (app) => {
      const { orderId } = await cardFailed(app);
      return { orderId, version: (await orderRow(app, orderId)).version };
    },
    { foreign: async () => missing },
  ),
  callCase(cancelOrder, async (app) => ({ ...(await versioned(app)), ...ending }), { foreign: async () => ({ ...missing, ...ending }) }),
  callCase(createOrder, async (app) => orderInput(app, { lines: await appLines(app) }), {
    foreign: async (app) => orderInput(app, { lines: await appLines(app), patientId: NONE }),
  }),
  callCase(openOrderState, async (app) => ({ orderNo: (await placed(app, { lines: await appLines(app) }, {})).orderNo }), {
    foreign: async () => ({ orderNo: 'OR20200101000001' }),
  }),
];
