import { plusDays } from '#kernel/contract/time.ts';
import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadRows } from '#testing/uploads.ts';
import {
  addPremiumOrder,
  addReceipt,
  allocateReceipt,
  auditPremiumOrder,
  claimNextPremiumOrder,
  exportPremiumOrder,
  exportReceipt,
  generateInstalments,
  heartbeatPremiumOrder,
  importReceipt,
  modifyPremiumOrder,
  queryPremiumOrderDetail,
  queryPremiumOrderList,
  queryPremiumOrderTotal,
  queryReceiptList,
  regeneratePremiumOrder,
  releasePremiumOrder,
  removeAllocation,
  reversePremiumOrder,
  setInsurerInvoice,
  suggestAllocation,
  takeoverPremiumOrder,
  voidPremiumOrder,
} from '../contract/calls/premium.ts';
import { plusMonths } from '../contract/rules/premium.ts';
import { receiptImporter } from './premium/receiptImporter.ts';
import { serial } from './testing/fixtures.ts';
import { anAllocation, approvedOrder, aReceipt, coveredPerson, draftOrder, heldOrder, receiptWish } from './testing/orders.ts';

const NONE = '999999999';
const none = { id: NONE, version: 1 };
const opinion = '保司账单有误';

export const premiumCases: readonly CallCase[] = [
  callCase(queryPremiumOrderList, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(queryPremiumOrderTotal, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(exportPremiumOrder, async (app) => {
    await coveredPerson(app);
    return {};
  }),
  callCase(queryPremiumOrderDetail, async (app) => ({ premiumOrderId: (await coveredPerson(app)).orderId }), {
    foreign: async () => ({ premiumOrderId: NONE }),
  }),
  callCase(claimNextPremiumOrder, async (app) => ({ id: (await coveredPerson(app)).orderId })),
  callCase(heartbeatPremiumOrder, async (app, as) => ({ id: (await heldOrder(app, as!)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(releasePremiumOrder, async (app, as) => ({ id: (await heldOrder(app, as!)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(takeoverPremiumOrder, async (app) => ({ id: (await coveredPerson(app)).orderId, opinion: '经办请假' }), {
    foreign: async () => ({ id: NONE, opinion: '经办请假' }),
  }),
  callCase(auditPremiumOrder, async (app, as) => ({ ...(await heldOrder(app, as!)), action: 'approve' as const, opinion: '核对无误' }), {
    foreign: async () => ({ ...none, action: 'approve' as const, opinion: '核对无误' }),
  }),
  callCase(
    modifyPremiumOrder,
    async (app) => ({ ...(await draftOrder(app, { bySystem: true })), dueOn: app.clock.today(), statedFen: null }),
    {
      foreign: async (app) => ({ ...none, dueOn: app.clock.today(), statedFen: null }),
    },
  ),
  callCase(regeneratePremiumOrder, (app) => draftOrder(app, { bySystem: true }), { foreign: async () => none }),
  callCase(voidPremiumOrder, async (app) => ({ ...(await draftOrder(app)), opinion }), { foreign: async () => ({ ...none, opinion }) }),
  callCase(reversePremiumOrder, async (app) => ({ ...(await approvedOrder(app)), opinion }), {
    foreign: async () => ({ ...none, opinion }),
  }),
  callCase(setInsurerInvoice, async (app) => ({ ...(await approvedOrder(app)), insurerInvoiceNo: 'FP001' }), {
    foreign: async () => ({ ...none, insurerInvoiceNo: 'FP001' }),
  }),
  callCase(
    addPremiumOrder,
    async (app) => {
      const { policyId } = await coveredPerson(app, { payMode: 'QUARTER' });
      const first = app.clock.today();
      return { policyId, kind: 'INSTALMENT' as const, periodFrom: plusMonths(first, 3), dueOn: plusDays(first, 92) };
    },
    { foreign: async (app) => ({ policyId: NONE, kind: 'NEW' as const, dueOn: app.clock.today() }) },
  ),
  callCase(
    generateInstalments,
    async (app) => {
      const { policyId } = await coveredPerson(app, { payMode: 'MONTH' });
      return { policyId, until: plusDays(app.clock.today(), 70) };
    },
    { foreign: async (app) => ({ policyId: NONE, until: app.clock.today() }) },
  ),
  callCase(queryReceiptList, async (app) => {
    await aReceipt(app);
    return {};
  }),
  callCase(exportReceipt, async (app) => {
    await aReceipt(app);
    return {};
  }),
  callCase(addReceipt, async (app) => receiptWish(app)),
  callCase(importReceipt, async (app, as) => ({
    fileId: await uploadRows(app, as!, receiptImporter(app.kernel), [
      {
        direction: '收',
        amountFen: '1200.00',
        paidOn: app.clock.today(),
        payerName: '江南科技有限公司',
        bankFlowNo: `FLOW-I${serial()}`,
        bankAccount: '6222020200112233',
      },
    ]),
  })),
  callCase(suggestAllocation, async (app) => ({ receiptId: await aReceipt(app) }), { foreign: async () => ({ receiptId: NONE }) }),
  callCase(
    allocateReceipt,
    async (app) => ({
      receiptId: await aReceipt(app),
      shares: [{ premiumOrderId: (await approvedOrder(app)).id, amountFen: 60_000 }],
    }),
    { foreign: async () => ({ receiptId: NONE, shares: [{ premiumOrderId: NONE, amountFen: 1 }] }) },
  ),
  callCase(removeAllocation, async (app) => ({ allocationId: await anAllocation(app), opinion }), {
    foreign: async () => ({ allocationId: NONE, opinion }),
  }),
];
