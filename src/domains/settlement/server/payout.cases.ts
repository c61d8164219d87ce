import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper, uploadRows } from '#testing/uploads.ts';
import { auditSettlementBill, retryPaySettlementBill, submitSettlementBill } from '../contract/calls/bills.ts';
import {
  addPayoutBatch,
  auditPayoutBatch,
  auditPayoutBatchSecond,
  exportPayoutBankFile,
  exportPayoutBatchList,
  exportPayoutItemList,
  exportTaxRecordList,
  importPayoutResult,
  markPayoutItem,
  queryPayableBills,
  queryPayoutBatchDetail,
  queryPayoutBatchList,
  queryPayoutItemList,
  queryTaxRecordList,
  reexportPayoutBankFile,
  removePayoutItem,
  returnPayoutBatchForTax,
  submitPayoutBatch,
  voidPayoutBatch,
} from '../contract/calls/payouts.ts';
import { PAYOUT_PROOF } from '../contract/purposes.ts';
import { aBill } from './bills.cases.ts';
import { own } from './database.ts';
import { resultImporter } from './payout/results.ts';
import { keeper, key, NONE, verifiedAccount } from './testing/fixtures.ts';

const opinion = '按协议处理';
const reason = '网银代付';
const passed = { decision: 'approve' as const, opinion };
const missing = { id: NONE, version: 1 };

/** A bill that was passed, of a doctor whose account was looked at. */
async function payable(app: TestApp) {
  const bill = await aBill(app);
  const row = await own(app.db).selectFrom('settlementBill').selectAll().where('id', '=', bill.id).executeTakeFirstOrThrow();
  await verifiedAccount(app, row.doctorId);
  const { version } = await app.ok(submitSettlementBill, bill, { as: await keeper(app) });
  await app.ok(auditSettlementBill, { id: bill.id, version, ...passed }, { as: await keeper(app) });
  return row;
}
async function batchInput(app: TestApp) {
  const { id, payerEntityId } = await payable(app);
  return { payerEntityId, planPayDate: app.clock.today(), billIds: [id] };
}
async function aBatch(app: TestApp) {
  const { id, version } = await app.ok(addPayoutBatch, await batchInput(app), key(await keeper(app)));
  return { id, version };
}
async function submitted(app: TestApp) {
  const batch = await aBatch(app);
  const { version } = await app.ok(submitPayoutBatch, { ...batch, planPayDate: app.clock.today() }, key(await keeper(app)));
  return { id: batch.id, version };
}
async function approved(app: TestApp) {
  const batch = await submitted(app);
  const { version } = await app.ok(auditPayoutBatch, { ...batch, ...passed }, key(await keeper(app)));
  return { id: batch.id, version };
}
async function sent(app: TestApp) {
  const batch = await approved(app);
  await app.file(exportPayoutBankFile, { ...batch, reason }, { as: await keeper(app) });
  const item = await own(app.db).selectFrom('settlementPayoutItem').selectAll().where('batchId', '=', batch.id).executeTakeFirstOrThrow();
  return { batchId: batch.id, item };
}
async function large(app: TestApp) {
  const batch = await submitted(app);
  await own(app.db)
    .updateTable('settlementPayoutBatch')
    .set({ netFen: '50000000', grossFen: '50000000', taxFen: '0' })
    .where('id', '=', batch.id)
    .execute();
  const { version } = await app.ok(auditPayoutBatch, { ...batch, ...passed }, key(await keeper(app)));
  return { id: batch.id, version };
}
async function markInput(app: TestApp, as: TestStaff) {
  const { item } = await sent(app);
  return {
    id: item.id,
    version: item.version,
    result: 'FAILED' as const,
    failReason: '账号户名不符',
    fileIds: [await uploadPaper(app, as, PAYOUT_PROOF)],
  };
}
async function failed(app: TestApp) {
  const as = await keeper(app);
  const input = await markInput(app, as);
  await app.ok(markPayoutItem, input, key(as));
  const item = await own(app.db).selectFrom('settlementPayoutItem').selectAll().where('id', '=', input.id).executeTakeFirstOrThrow();
  await verifiedAccount(app, item.doctorId);
  const bill = await own(app.db)
    .selectFrom('settlementBill')
    .select(['id', 'version'])
    .where('id', '=', item.billId)
    .executeTakeFirstOrThrow();
  return { ...bill, opinion };
}

export const payoutCases: readonly CallCase[] = [
  callCase(retryPaySettlementBill, failed, { foreign: async () => ({ ...missing, opinion }) }),
  callCase(queryPayoutBatchList, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(exportPayoutBatchList, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(queryPayoutItemList, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(exportPayoutItemList, async (app) => {
    await aBatch(app);
    return {};
  }),
  callCase(queryPayoutBatchDetail, async (app) => ({ id: (await aBatch(app)).id }), { foreign: async () => ({ id: NONE }) }),
  callCase(queryPayableBills, async (app) => ({ payerEntityId: (await payable(app)).payerEntityId })),
  callCase(addPayoutBatch, batchInput, { foreign: async (app) => ({ ...(await batchInput(app)), payerEntityId: NONE }) }),
  callCase(
    removePayoutItem,
    async (app) => {
      const batch = await aBatch(app);
      const { id } = await own(app.db)
        .selectFrom('settlementPayoutItem')
        .select('id')
        .where('batchId', '=', batch.id)
        .executeTakeFirstOrThrow();
      return { ...batch, itemId: id };
    },
    { foreign: async () => ({ ...missing, itemId: NONE }) },
  ),
  callCase(submitPayoutBatch, async (app) => ({ ...(await aBatch(app)), planPayDate: app.clock.today() }), {
    foreign: async (app) => ({ ...missing, planPayDate: app.clock.today() }),
  }),
  callCase(auditPayoutBatch, async (app) => ({ ...(await submitted(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(auditPayoutBatchSecond, async (app) => ({ ...(await large(app)), ...passed }), {
    foreign: async () => ({ ...missing, ...passed }),
  }),
  callCase(returnPayoutBatchForTax, async (app) => ({ ...(await approved(app)), opinion }), {
    foreign: async () => ({ ...missing, opinion }),
  }),
  callCase(voidPayoutBatch, async (app) => ({ ...(await aBatch(app)), opinion }), { foreign: async () => ({ ...missing, opinion }) }),
  callCase(exportPayoutBankFile, async (app) => ({ ...(await approved(app)), reason }), { foreign: async () => ({ ...missing, reason }) }),
  callCase(reexportPayoutBankFile, async (app) => ({ id: (await sent(app)).batchId, reason }), {
    foreign: async () => ({ id: NONE, reason }),
  }),
  callCase(
    importPayoutResult,
    async (app, as) => {
      const { batchId, item } = await sent(app);
      const row = { ref: item.bizRef, amountFen: (Number(item.netFen) / 100).toFixed(2), result: '失败', failReason: '账号户名不符' };
      return { batchId, fileId: await uploadRows(app, as!, resultImporter(app.kernel), [row]) };
    },
    { foreign: async (app, as) => ({ batchId: NONE, fileId: await uploadRows(app, as!, resultImporter(app.kernel), []) }) },
  ),
  callCase(markPayoutItem, (app, as) => markInput(app, as!), {
    foreign: async (app, as) => ({
      ...missing,
      result: 'FAILED' as const,
      failReason: '账号户名不符',
      fileIds: [await uploadPaper(app, as!, PAYOUT_PROOF)],
    }),
  }),
  callCase(queryTaxRecordList, async (app) => {
    await sent(app);
    return {};
  }),
  callCase(exportTaxRecordList, async (app) => {
    await sent(app);
    return {};
  }),
];
