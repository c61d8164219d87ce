import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import {
  addRefundBatch,
  auditRefundBatch,
  batchRefund,
  exportRefundBatch,
  queryRefundBatchDetail,
  queryRefundBatchList,
  voidRefundBatch,
} from '../contract/calls/batches.ts';
import { createPay, queryPay } from '../contract/calls/open.ts';
import { exportPayment, queryChannelResult, queryPaymentDetail, queryPaymentList, queryPaymentTotal } from '../contract/calls/payments.ts';
import {
  addRefund,
  auditOfflineRefund,
  auditRefund,
  confirmOfflineRefund,
  exportRefund,
  queryRefundDetail,
  queryRefundList,
  queryRefundResult,
  reopenRefund,
  revealRefundPayee,
} from '../contract/calls/refunds.ts';
import {
  approved,
  asked,
  batched,
  executed,
  keeper,
  key,
  NONE,
  paid,
  passed,
  pay,
  refundVersion,
  transfer,
  voucher,
  wish,
} from './testing/fixtures.ts';
import { anOrder, playOrders } from './testing/orders.ts';

const opinion = '按规定办理';
const missing = { version: 1 };
const noRefund = { refundId: NONE, ...missing };
const noBatch = { refundBatchId: NONE, ...missing };

/** Something to be paid for. */
const played = (app: TestApp) => {
  playOrders();
  return app;
};
const aPayment = (app: TestApp) => paid(played(app));
const aRefund = (app: TestApp) => asked(played(app));
const aBatch = async (app: TestApp) => batched(app, [(await passed(played(app))).refundId]);

/** Bound for another channel than ours: what was transferred by hand. */
async function transferred(app: TestApp) {
  const { refundId, version } = await transfer(played(app));
  const cashier = await keeper(app);
  const input = { refundId, version, result: 'PAID' as const, bankSerialNo: `SN-${refundId}`, paidOn: app.clock.today() };
  const made = await app.ok(confirmOfflineRefund, { ...input, voucherFileId: await voucher(app, cashier) }, key(cashier));
  return { refundId, version: made.version };
}
async function failed(app: TestApp) {
  const { refundId } = await passed(played(app), 3_393);
  await executed(app, [refundId]);
  return { refundId, version: await refundVersion(app, refundId) };
}

export const paymentCases: readonly CallCase[] = [
  callCase(createPay, async (app) => ({ orderId: anOrder(played(app)).orderId, channel: 'WECHAT' as const }), {
    foreign: async (app) => ({ orderId: (played(app), NONE), channel: 'WECHAT' as const }),
  }),
  callCase(queryPay, async (app) => ({ paymentNo: (await pay(app, anOrder(played(app)).orderId)).paymentNo }), {
    foreign: async () => ({ paymentNo: 'PY20200101000001' }),
  }),
  callCase(queryPaymentList, async (app) => {
    await aPayment(app);
    return {};
  }),
  callCase(exportPayment, async (app) => {
    await aPayment(app);
    return {};
  }),
  callCase(queryPaymentTotal, async (app) => {
    await aPayment(app);
    return {};
  }),
  callCase(queryPaymentDetail, async (app) => ({ paymentId: (await aPayment(app)).id }), { foreign: async () => ({ paymentId: NONE }) }),
  callCase(queryChannelResult, async (app) => ({ paymentId: (await aPayment(app)).id }), { foreign: async () => ({ paymentId: NONE }) }),
  callCase(queryRefundList, async (app) => {
    await aRefund(app);
    return {};
  }),
  callCase(exportRefund, async (app) => {
    await aRefund(app);
    return {};
  }),
  callCase(queryRefundDetail, async (app) => ({ refundId: (await aRefund(app)).refundId }), { foreign: async () => ({ refundId: NONE }) }),
  callCase(addRefund, async (app) => wish((await aPayment(app)).id, 100), { foreign: async () => wish(NONE, 100) }),
  callCase(
    auditRefund,
    async (app) => {
      const { refundId, version } = await aRefund(app);
      return { refundId, version, decision: 'approve' as const };
    },
    { foreign: async () => ({ ...noRefund, decision: 'approve' as const }) },
  ),
  callCase(reopenRefund, async (app) => ({ ...(await failed(app)), way: 'ORIGINAL' as const }), {
    foreign: async () => ({ ...noRefund, way: 'ORIGINAL' as const }),
  }),
  callCase(queryRefundResult, async (app) => ({ refundId: (await aRefund(app)).refundId }), { foreign: async () => ({ refundId: NONE }) }),
  callCase(
    confirmOfflineRefund,
    async (app) => {
      const { refundId, version } = await transfer(played(app));
      return { refundId, version, result: 'FAILED' as const, failReason: '户名不符' };
    },
    { foreign: async () => ({ ...noRefund, result: 'FAILED' as const, failReason: '户名不符' }) },
  ),
  callCase(auditOfflineRefund, async (app) => ({ ...(await transferred(app)), decision: 'confirm' as const }), {
    foreign: async () => ({ ...noRefund, decision: 'confirm' as const }),
  }),
  callCase(revealRefundPayee, async (app) => ({ id: (await asked(played(app), 3_333, 10_000, 'OFFLINE')).refundId }), {
    foreign: async () => ({ id: NONE }),
  }),
  callCase(queryRefundBatchList, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(exportRefundBatch, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(queryRefundBatchDetail, async (app) => ({ refundBatchId: (await aBatch(app)).refundBatchId }), {
    foreign: async () => ({ refundBatchId: NONE }),
  }),
  callCase(addRefundBatch, async (app) => ({ refundIds: [(await passed(played(app))).refundId] }), {
    foreign: async () => ({ refundIds: [NONE] }),
  }),
  callCase(
    auditRefundBatch,
    async (app) => {
      const { refundBatchId, version } = await aBatch(app);
      return { refundBatchId, version, decision: 'approve' as const };
    },
    { foreign: async () => ({ ...noBatch, decision: 'approve' as const }) },
  ),
  callCase(
    voidRefundBatch,
    async (app) => {
      const { refundBatchId, version } = await aBatch(app);
      return { refundBatchId, version, opinion };
    },
    { foreign: async () => ({ ...noBatch, opinion }) },
  ),
  callCase(
    batchRefund,
    async (app) => {
      const { refundBatchId, version } = await approved(app, [(await passed(played(app))).refundId]);
      return { refundBatchId, version };
    },
    { foreign: async () => noBatch },
  ),
];
