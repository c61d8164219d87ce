import { callCase, type CallCase } from '#testing/cases.ts';
import { uploadPaper, uploadRows } from '#testing/uploads.ts';
import { assignFinding, closeFinding, exportFindingList, fixFinding, queryFindingList, runInvariant } from '../contract/calls/findings.ts';
import {
  addFundPrepay,
  auditFundPrepay,
  exportFundBalanceList,
  exportFundPrepayList,
  queryFundBalanceList,
  queryFundPrepayList,
  queryFunderTypeOptions,
} from '../contract/calls/funds.ts';
import {
  addSettlementBatch,
  auditSettlementBatch,
  confirmBill,
  disputeBill,
  exportBill,
  exportSettlementBatchList,
  exportSettlementBillList,
  exportSettlementLineList,
  importBillStatement,
  previewSettlement,
  querySettlementBatchDetail,
  querySettlementBatchList,
  querySettlementBillList,
  querySettlementLineList,
  remindBill,
  resolveBillLine,
  submitSettlementBatch,
  voidBill,
  voidSettlementBatch,
} from '../contract/calls/settlement.ts';
import {
  addHold,
  captureHold,
  checkCard,
  exportOrderCardList,
  openBalance,
  openCaptureCard,
  openHoldCard,
  openHoldState,
  openReleaseCard,
  queryOrderCardList,
  queryWriteOffOrder,
  releaseHold,
} from '../contract/calls/use.ts';
import {
  addReversal,
  auditReversal,
  exportReversalList,
  exportWriteOffList,
  queryReversalList,
  queryWriteOffDetail,
  queryWriteOffList,
  queryWriteOffTotal,
} from '../contract/calls/writeOffs.ts';
import { CARD_CONFIRM, CARD_VOUCHER } from '../contract/purposes.ts';
import { statementImporter } from './settle/statementImporter.ts';
import { aFinding, aHold, aPrepay, aReversal, aWriteOff, billIn, freshScope, openCard, openHoldOf } from './testing/documents.ts';
import { partnerStore } from '#testing/signing.ts';
import type { TestApp } from '#testing/testApp.ts';
import { makeOrder, makeType, openBooks } from './testing/fixtures.ts';

const NONE = '999999999';

const openOrder = async (app: TestApp, cardNo: string) => {
  const { storeId } = await partnerStore(app);
  const line = { orderLineId: '1', goodsName: '药', quantity: 1, amount: 100, merchantId: storeId, merchantName: '康桥大药房' };
  return {
    cardNo,
    orderId: '1',
    orderNo: 'DD-OPEN',
    orderType: 'STORE_DIRECT',
    drugstoreId: storeId,
    drugstoreName: '康桥大药房',
    lines: [line],
  };
};
const scope = freshScope;

export const cardUseCases: readonly CallCase[] = [
  callCase(queryOrderCardList, async (app) => {
    await aHold(app);
    return {};
  }),
  callCase(exportOrderCardList, async (app) => {
    await aHold(app);
    return {};
  }),
  callCase(checkCard, async (app) => ({ cardId: (await openCard(app)).cardId }), { foreign: async () => ({ cardId: NONE }) }),
  callCase(queryWriteOffOrder, async (app) => ({ orderNo: (await makeOrder(app, [100])).orderNo }), {
    foreign: async () => ({ orderNo: 'DD-NONE' }),
  }),
  callCase(
    addHold,
    async (app) => ({ cardId: (await openCard(app)).cardId, orderNo: (await makeOrder(app, [100])).orderNo, amount: 100 }),
    { foreign: async (app) => ({ cardId: NONE, orderNo: (await makeOrder(app, [100])).orderNo, amount: 100 }) },
  ),
  callCase(captureHold, async (app) => ({ holdId: await aHold(app), version: 1 }), { foreign: async () => ({ holdId: NONE, version: 1 }) }),
  callCase(releaseHold, async (app) => ({ holdId: await aHold(app), version: 1, opinion: '订单取消' }), {
    foreign: async () => ({ holdId: NONE, version: 1, opinion: '订单取消' }),
  }),
  callCase(queryWriteOffList, async (app) => {
    await aWriteOff(app);
    return {};
  }),
  callCase(exportWriteOffList, async (app) => {
    await aWriteOff(app);
    return {};
  }),
  callCase(queryWriteOffTotal, async () => ({})),
  callCase(queryWriteOffDetail, async (app) => ({ writeOffId: await aWriteOff(app) }), { foreign: async () => ({ writeOffId: NONE }) }),
  callCase(addReversal, async (app) => ({ writeOffId: await aWriteOff(app), amount: 10, reasonCode: 'RETURN' as const, opinion: '退货' }), {
    foreign: async () => ({ writeOffId: NONE, amount: 10, reasonCode: 'RETURN' as const, opinion: '退货' }),
  }),
  callCase(auditReversal, async (app) => ({ reversalId: await aReversal(app), version: 1, decision: 'approve' as const }), {
    foreign: async () => ({ reversalId: NONE, version: 1, decision: 'approve' as const }),
  }),
  callCase(queryReversalList, async (app) => {
    await aReversal(app);
    return {};
  }),
  callCase(exportReversalList, async (app) => {
    await aReversal(app);
    return {};
  }),
  callCase(openHoldCard, async (app) => openOrder(app, (await openCard(app)).cardNo), {
    foreign: async (app) => openOrder(app, '3099999999999999'),
  }),
  callCase(openCaptureCard, async (app) => ({ holdId: await openHoldOf(app) }), { foreign: async () => ({ holdId: NONE }) }),
  callCase(openReleaseCard, async (app) => ({ holdId: await openHoldOf(app) }), { foreign: async () => ({ holdId: NONE }) }),
  callCase(openHoldState, async (app) => ({ holdId: await openHoldOf(app) }), { foreign: async () => ({ holdId: NONE }) }),
  callCase(openBalance, async (app) => ({ cardNo: (await openCard(app)).cardNo }), {
    foreign: async () => ({ cardNo: '3099999999999999' }),
  }),
  callCase(previewSettlement, async (app) => scope(app)),
  callCase(addSettlementBatch, async (app) => {
    await openBooks(app);
    return scope(app);
  }),
  callCase(querySettlementBatchList, async (app) => {
    await billIn(app, 'DRAFT');
    return {};
  }),
  callCase(exportSettlementBatchList, async (app) => {
    await billIn(app, 'DRAFT');
    return {};
  }),
  callCase(querySettlementBatchDetail, async (app) => ({ batchId: (await billIn(app, 'DRAFT')).batchId }), {
    foreign: async () => ({ batchId: NONE }),
  }),
  callCase(submitSettlementBatch, async (app) => ({ batchId: (await billIn(app, 'DRAFT')).batchId, version: 1 }), {
    foreign: async () => ({ batchId: NONE, version: 1 }),
  }),
  callCase(
    auditSettlementBatch,
    async (app) => ({ batchId: (await billIn(app, 'DRAFT', 'PENDING_AUDIT')).batchId, version: 1, decision: 'approve' as const }),
    { foreign: async () => ({ batchId: NONE, version: 1, decision: 'approve' as const }) },
  ),
  callCase(voidSettlementBatch, async (app) => ({ batchId: (await billIn(app, 'DRAFT')).batchId, version: 1, opinion: '选错期间' }), {
    foreign: async () => ({ batchId: NONE, version: 1, opinion: '选错期间' }),
  }),
  callCase(querySettlementBillList, async (app) => {
    await billIn(app, 'PENDING_CONFIRM');
    return {};
  }),
  callCase(exportSettlementBillList, async (app) => {
    await billIn(app, 'PENDING_CONFIRM');
    return {};
  }),
  callCase(querySettlementLineList, async (app) => ({ billId: (await billIn(app, 'PENDING_CONFIRM')).billId })),
  callCase(exportSettlementLineList, async (app) => ({ billId: (await billIn(app, 'PENDING_CONFIRM')).billId })),
  callCase(
    disputeBill,
    async (app) => {
      const { billId, lineId } = await billIn(app, 'PENDING_CONFIRM');
      return { billId, version: 1, lines: [{ lineId, theirAmount: 1 }] };
    },
    { foreign: async () => ({ billId: NONE, version: 1, lines: [{ lineId: NONE, theirAmount: 1 }] }) },
  ),
  callCase(
    resolveBillLine,
    async (app) => {
      const { billId, lineId } = await billIn(app, 'DISPUTED');
      return { billId, lineId, version: 1, resolution: 'OURS' as const, opinion: '已核对' };
    },
    { foreign: async () => ({ billId: NONE, lineId: NONE, version: 1, resolution: 'OURS' as const, opinion: '已核对' }) },
  ),
  callCase(
    confirmBill,
    async (app, as) => ({
      billId: (await billIn(app, 'PENDING_CONFIRM')).billId,
      version: 1,
      confirmFileId: await uploadPaper(app, as!, CARD_CONFIRM),
    }),
    { foreign: async (app, as) => ({ billId: NONE, version: 1, confirmFileId: await uploadPaper(app, as!, CARD_CONFIRM) }) },
  ),
  callCase(voidBill, async (app) => ({ billId: (await billIn(app, 'PENDING_CONFIRM')).billId, version: 1, opinion: '对方要求' }), {
    foreign: async () => ({ billId: NONE, version: 1, opinion: '对方要求' }),
  }),
  callCase(remindBill, async (app) => ({ billId: (await billIn(app, 'PENDING_CONFIRM')).billId, version: 1 }), {
    foreign: async () => ({ billId: NONE, version: 1 }),
  }),
  callCase(exportBill, async (app) => ({ billId: (await billIn(app, 'PENDING_CONFIRM')).billId }), {
    foreign: async () => ({ billId: NONE }),
  }),
  callCase(importBillStatement, async (app, as) => ({
    billId: (await billIn(app, 'PENDING_CONFIRM')).billId,
    fileId: await uploadRows(app, as!, statementImporter, [{ sourceNo: 'WO1', amount: '1.00' }]),
  })),
  callCase(queryFundBalanceList, async (app) => {
    await aPrepay(app);
    return {};
  }),
  callCase(exportFundBalanceList, async (app) => {
    await aPrepay(app);
    return {};
  }),
  callCase(queryFunderTypeOptions, async () => ({})),
  callCase(queryFundPrepayList, async (app) => {
    await aPrepay(app);
    return {};
  }),
  callCase(exportFundPrepayList, async (app) => {
    await aPrepay(app);
    return {};
  }),
  callCase(
    addFundPrepay,
    async (app, as) => ({
      cardTypeId: await makeType(app, { fundingMode: 'PREPAID' }),
      amount: 100,
      bankSerialNo: 'BANK-CASE-1',
      receivedOn: '2026-11-01',
      voucherFileId: await uploadPaper(app, as!, CARD_VOUCHER),
    }),
    {
      foreign: async (app, as) => ({
        cardTypeId: NONE,
        amount: 100,
        bankSerialNo: 'BANK-CASE-2',
        receivedOn: '2026-11-01',
        voucherFileId: await uploadPaper(app, as!, CARD_VOUCHER),
      }),
    },
  ),
  callCase(auditFundPrepay, async (app) => ({ prepayId: await aPrepay(app), version: 1, decision: 'approve' as const }), {
    foreign: async () => ({ prepayId: NONE, version: 1, decision: 'approve' as const }),
  }),
  callCase(queryFindingList, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(exportFindingList, async (app) => {
    await aFinding(app);
    return {};
  }),
  callCase(assignFinding, async (app) => ({ findingId: await aFinding(app), version: 1 }), {
    foreign: async () => ({ findingId: NONE, version: 1 }),
  }),
  callCase(fixFinding, async (app) => ({ findingId: await aFinding(app), version: 1 }), {
    foreign: async () => ({ findingId: NONE, version: 1 }),
  }),
  callCase(closeFinding, async (app) => ({ findingId: await aFinding(app), version: 1, fixNote: '已核对' }), {
    foreign: async () => ({ findingId: NONE, version: 1, fixNote: '已核对' }),
  }),
  callCase(runInvariant, async () => ({ codes: ['I1' as const] })),
];
