import { randomUUID } from 'node:crypto';
import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadPaper } from '#testing/uploads.ts';
import {
  advanceConsultOrder,
  cancelPayConsultation,
  createConsultOrder,
  exportPayConsultationList,
  notifyConsultPay,
  queryPayConsultationDetail,
  queryPayConsultationList,
  queryPayConsultationSum,
  revealPayConsultation,
  syncPayConsultation,
} from '../../contract/calls/consultOrders.ts';
import {
  addConsultRefund,
  auditConsultRefund,
  auditRefundResult,
  previewConsultRefund,
  registerRefundResult,
} from '../../contract/calls/refunds.ts';
import { REFUND_PROOF } from '../../contract/purposes.ts';
import { makeOffer, makeOrder, paidOrder, paidAtChannel, patientOf, payOf, person, refundOnWay, stored } from '../testing/orders.ts';
import { NONE } from '../testing/services.ts';

const REASON = '患者要求退款';

/** One try of every call of paid consultations. */
export const orderCases: readonly CallCase[] = [
  callCase(queryPayConsultationList, async (app) => {
    await paidOrder(app);
    return {};
  }),
  callCase(queryPayConsultationSum, async (app) => {
    await paidOrder(app);
    return {};
  }),
  callCase(queryPayConsultationDetail, async (app) => ({ id: (await paidOrder(app)).orderId }), { foreign: async () => ({ id: NONE }) }),
  callCase(exportPayConsultationList, async (app) => {
    await paidOrder(app);
    return {};
  }),
  callCase(
    cancelPayConsultation,
    async (app) => {
      const { orderId } = await makeOrder(app);
      return { id: orderId, version: (await stored(app, orderId)).version };
    },
    { foreign: async () => ({ id: NONE, version: 1 }) },
  ),
  callCase(syncPayConsultation, async (app) => ({ id: (await makeOrder(app)).orderId }), { foreign: async () => ({ id: NONE }) }),
  callCase(revealPayConsultation, async (app) => ({ id: (await makeOrder(app)).orderId, field: 'patientMobile' as const }), {
    foreign: async () => ({ id: NONE, field: 'patientName' as const }),
  }),
  callCase(previewConsultRefund, async (app) => ({ orderId: (await paidOrder(app)).orderId, reason: 'PATIENT' as const }), {
    foreign: async () => ({ orderId: NONE, reason: 'PATIENT' as const }),
  }),
  callCase(
    addConsultRefund,
    async (app) => ({ orderId: (await paidOrder(app)).orderId, amountFen: 9900, reason: 'PATIENT' as const, opinion: REASON }),
    { foreign: async () => ({ orderId: NONE, amountFen: 1, reason: 'PATIENT' as const, opinion: REASON }) },
  ),
  callCase(
    auditConsultRefund,
    async (app) => {
      const { orderId } = await paidOrder(app);
      const { id } = await app.ok(
        addConsultRefund,
        { orderId, amountFen: 9900, reason: 'PATIENT', opinion: REASON },
        { as: await person(app), idempotencyKey: randomUUID() },
      );
      return { refundId: id, action: 'approve' as const };
    },
    { foreign: async () => ({ refundId: NONE, action: 'approve' as const }) },
  ),
  callCase(
    registerRefundResult,
    async (app, as) => {
      const refundId = await refundOnWay(app, as!);
      return { refundId, outcome: 'FAILED' as const, fileId: await uploadPaper(app, as!, REFUND_PROOF), opinion: REASON };
    },
    { foreign: async () => ({ refundId: NONE, outcome: 'FAILED' as const, fileId: NONE, opinion: REASON }) },
  ),
  callCase(
    auditRefundResult,
    async (app) => {
      const as = await person(app);
      const [refundId, fileId] = [await refundOnWay(app, as), await uploadPaper(app, as, REFUND_PROOF)];
      const found = { refundId, outcome: 'FAILED' as const, fileId, opinion: REASON };
      await app.ok(registerRefundResult, found, { as, idempotencyKey: randomUUID() });
      return { refundId, action: 'confirm' as const };
    },
    { foreign: async () => ({ refundId: NONE, action: 'confirm' as const }) },
  ),
  callCase(createConsultOrder, async (app) => ({ patient: patientOf(), openingId: (await makeOffer(app)).openingId }), {
    as: null,
    foreign: async () => ({ patient: patientOf(), openingId: NONE }),
  }),
  callCase(advanceConsultOrder, async (app) => ({ orderId: (await paidOrder(app)).orderId, step: 'ACCEPT' as const }), {
    as: null,
    foreign: async () => ({ orderId: NONE, step: 'ACCEPT' as const }),
  }),
  callCase(notifyConsultPay, async (app) => paidAtChannel(app, await makeOrder(app)), {
    as: null,
    foreign: async (app) => payOf(app, { orderNo: 'ZX-NONE', payFen: 1 }),
  }),
];
