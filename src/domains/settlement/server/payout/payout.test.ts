import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { queryDoctorDetail } from '#domains/doctor/contract/calls/doctors.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail } from '../../contract/calls/accounts.ts';
import {
  auditSettlementBill,
  querySettlementBillDetail,
  retryPaySettlementBill,
  startSettleRun,
  submitSettlementBill,
} from '../../contract/calls/bills.ts';
import {
  addPayoutBatch,
  auditPayoutBatch,
  exportPayoutBankFile,
  markPayoutItem,
  queryTaxRecordList,
  reexportPayoutBankFile,
  returnPayoutBatchForTax,
  submitPayoutBatch,
  voidPayoutBatch,
} from '../../contract/calls/payouts.ts';
import { PAYOUT_PROOF } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { booksOf, completed, incomesOf, key, newDoctor, payeeInput, refunded, verifiedAccount } from '../testing/fixtures.ts';
import { on, opinion, Paying, reason } from '../testing/payouts.ts';

let app: TestApp;
let pay: Paying;
beforeAll(async () => {
  app = await startTestApp({ now: '2026-09-21T02:00:00.000Z' });
  pay = await Paying.begin(app);
});
beforeEach(() => pay.people());
afterAll(async () => {
  await pay.sound();
  await app.close();
});

describe('a batch', () => {
  it('takes passed bills of doctors whose account was looked at, once each', async () => {
    const [doctorId] = await pay.doctors([50_000], '2026-10-02T02:00:00.000Z');
    const bill = await pay.billOf(doctorId!);
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: doctorId! }, { as: pay.maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: doctorId!, version: account.version, ...payeeInput() }, { as: pay.maker });
    const input = { payerEntityId: pay.payerId, planPayDate: pay.today(), billIds: [bill.id] };
    expect(await app.refused(addPayoutBatch, input, key(pay.maker))).toMatchObject({ code: 'SCM19041' });
    await verifiedAccount(app, doctorId!);
    expect(await app.refused(addPayoutBatch, { ...input, planPayDate: '2026-10-01' }, key(pay.maker))).toMatchObject({
      fields: [{ message: '计划付款日不能早于今天' }],
    });
    const both = await Promise.all([1, 2].map(() => app.send(addPayoutBatch, input, key(pay.maker))));
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM19048']);
    const batch = both.find(({ envelope }) => envelope.code === '0000000')!.envelope.data as { id: string; version: number };
    await app.ok(voidPayoutBatch, { ...on(batch), opinion }, { as: pay.maker });
    expect(await pay.billOf(doctorId!)).toMatchObject({ status: 'APPROVED' });
  });

  it('is passed by another person, reckoned again in another month, and sent by a third', async () => {
    const [doctorId] = await pay.doctors([60_000], '2026-11-02T02:00:00.000Z');
    const made = await pay.batchOf([doctorId!]);
    const sentIn = await app.ok(submitPayoutBatch, { ...on(made), planPayDate: pay.today() }, key(pay.maker));
    const verdict = { ...on(sentIn), decision: 'approve' as const, opinion };
    expect(await app.refused(auditPayoutBatch, verdict, key(pay.maker))).toMatchObject({ code: 'SCM19001' });
    const approved = await app.ok(auditPayoutBatch, verdict, key(pay.checker));
    expect(await app.refused(exportPayoutBankFile, { ...on(approved), reason }, { as: pay.maker })).toMatchObject({ code: 'SCM19001' });
    await pay.later('2026-12-01T02:00:00.000Z');
    expect(await app.refused(exportPayoutBankFile, { ...on(approved), reason }, { as: pay.cashier })).toMatchObject({ code: 'SCM19051' });
    const back = await app.ok(returnPayoutBatchForTax, { ...on(approved), opinion }, key(pay.checker));
    const again = await app.ok(submitPayoutBatch, { ...on(back), planPayDate: pay.today() }, key(pay.maker));
    const passedAgain = await app.ok(auditPayoutBatch, { ...on(again), decision: 'approve', opinion }, key(pay.checker));
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: doctorId! }, { as: pay.maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: doctorId!, version: account.version, ...payeeInput() }, { as: pay.maker });
    expect(await app.refused(exportPayoutBankFile, { ...on(passedAgain), reason }, { as: pay.cashier })).toMatchObject({
      code: 'SCM19044',
    });
  });
});

describe('what the bank says', () => {
  let doctors: string[];
  let batchId: string;

  it('is asked for by a file that says what was reckoned, with tax withheld over the year', async () => {
    doctors = await pay.doctors([1_500_000, 100_000, 100_000], '2027-01-02T02:00:00.000Z');
    const out = await pay.sent(doctors);
    batchId = out.batchId;
    const items = await pay.itemsOf(batchId);
    // 10,500.00 of the first month: 1,050,000 - 210,000 - 500,000 = 340,000 at 3 %.
    expect(items.map(({ netFen, taxFen }) => [netFen, taxFen]).toSorted(([a], [b]) => b! - a!)).toEqual([
      [1_039_800, 10_200],
      [70_000, 0],
      [70_000, 0],
    ]);
    expect(out.file).toContain('合计,3,11798.00');
    expect(out.file).toContain('6225881234567890');
    const rich = await pay.billOf(doctors[0]!);
    expect(rich).toMatchObject({ status: 'IN_BATCH' });
    expect(await booksOf(app, doctors[0]!)).toMatchObject({ DR_PAYABLE: 0 });
    const records = await app.ok(queryTaxRecordList, { taxMonth: '2027-01' }, { as: pay.maker });
    expect(records.rows.map(({ taxFen }) => taxFen).toSorted((a, b) => b - a)).toEqual([10_200, 0, 0]);
    expect(await app.refused(exportPayoutBankFile, { id: batchId, version: 99, reason }, { as: pay.cashier })).toMatchObject({
      code: 'SCM90030',
    });
    const clerk = await app.staff({ permissions: ['settlement.payout.view', 'settlement.payout.export'] });
    expect(await app.refused(reexportPayoutBankFile, { id: batchId, reason }, { as: clerk })).toMatchObject({ code: 'SCM90010' });
    const { body } = await app.file(reexportPayoutBankFile, { id: batchId, reason }, { as: pay.cashier });
    expect(new TextDecoder('gb18030').decode(body)).toBe(out.file);
  });

  it('is taken row by row: paid, failed and missing end differently, and another sum is refused', async () => {
    const items = await pay.itemsOf(batchId);
    const rich = items.find(({ netFen }) => netFen === 1_039_800)!;
    const [second, third] = items.filter(({ netFen }) => netFen === 70_000);
    await pay.answered(batchId, [
      [rich.bizRef, rich.netFen, '成功', 'S1001'],
      [second!.bizRef, 1, '成功', 'S1002'],
      ['FK20260101000001-1', 70_000, '成功', 'S1003'],
    ]);
    expect(await pay.stateOf(batchId)).toBe('EXPORTED');
    expect((await pay.itemsOf(batchId)).map(({ status }) => status).toSorted()).toEqual(['PENDING', 'PENDING', 'SUCCESS']);
    const paid = await pay.billOf(rich.doctorId);
    expect(paid).toMatchObject({ status: 'PAID' });
    expect(await app.ok(querySettlementBillDetail, { id: paid.id }, { as: pay.maker })).toMatchObject({
      tax: null,
      payout: { status: 'SUCCESS', bizRef: rich.bizRef, taxFen: 10_200, netFen: 1_039_800, bankSerialNo: 'S1001' },
    });
    expect((await incomesOf(app, pay.maker, rich.doctorId)).map(({ status }) => status)).toEqual(['SETTLED', 'SETTLED', 'SETTLED']);
    const reader = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
    expect(await app.ok(queryDoctorDetail, { doctorId: rich.doctorId }, { as: reader })).toMatchObject({ unsettledFen: 0 });
    await pay.answered(batchId, [
      [rich.bizRef, rich.netFen, '成功', 'S1001'],
      [second!.bizRef, second!.netFen, '失败', '', '账号户名不符'],
      [third!.bizRef, third!.netFen, '成功', 'S1004'],
    ]);
    expect(await pay.stateOf(batchId)).toBe('PARTIAL');
    expect(await pay.billOf(second!.doctorId)).toMatchObject({ status: 'PAY_FAILED' });
    expect(await booksOf(app, second!.doctorId)).toMatchObject({ DR_PAYABLE: 70_000 });
  });

  it('that failed is tried again only after the account was put right, under a reference of its own', async () => {
    const failed = (await pay.itemsOf(batchId)).find(({ status }) => status === 'FAILED')!;
    const bill = await pay.billOf(failed.doctorId);
    const retry = { ...on(bill), opinion };
    expect(await app.refused(retryPaySettlementBill, retry, { as: pay.checker })).toMatchObject({ code: 'SCM19043' });
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: failed.doctorId }, { as: pay.maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: failed.doctorId, version: account.version, ...payeeInput() }, { as: pay.maker });
    await verifiedAccount(app, failed.doctorId);
    await app.ok(retryPaySettlementBill, retry, { as: pay.checker });
    const { batchId: next } = await pay.sent([failed.doctorId]);
    const [item] = await pay.itemsOf(next);
    expect(item!.bizRef).not.toBe(failed.bizRef);
    // The old reference is final: a late word about it changes nothing.
    await pay.answered(batchId, [[failed.bizRef, failed.netFen, '成功', 'S9999']]);
    expect((await pay.itemsOf(batchId)).find(({ id }) => id === failed.id)).toMatchObject({ status: 'FAILED' });
    await pay.answered(next, [[item!.bizRef, item!.netFen, '成功', 'S2001']]);
    expect(await pay.stateOf(next)).toBe('FINISHED');
    expect(await pay.billOf(failed.doctorId)).toMatchObject({ status: 'PAID' });
  });

  it('that comes back after it was paid takes back both postings and its tax', async () => {
    const rich = (await pay.itemsOf(batchId)).find(({ netFen }) => netFen === 1_039_800)!;
    await pay.answered(batchId, [[rich.bizRef, rich.netFen, '退票', 'S3001', '账户已销户']]);
    expect((await pay.itemsOf(batchId)).find(({ id }) => id === rich.id)).toMatchObject({ status: 'RETURNED' });
    expect(await pay.billOf(rich.doctorId)).toMatchObject({ status: 'PAY_FAILED' });
    expect(await booksOf(app, rich.doctorId)).toMatchObject({ DR_PAYABLE: 1_050_000 });
    const { rows } = await app.ok(queryTaxRecordList, { taxMonth: '2027-01' }, { as: pay.maker });
    expect(rows.filter(({ doctorId }) => doctorId === rich.doctorId).map(({ taxFen }) => taxFen)).toEqual([-10_200, 10_200]);
  });

  it('that is not known is asked for, never paid again, and closed by the bank’s paper by another person than who sent it', async () => {
    const [doctorId] = await pay.doctors([100_000], '2027-02-02T02:00:00.000Z');
    const out = await pay.sent([doctorId!]);
    const sender = pay.cashier;
    await pay.later('2027-02-08T02:00:00.000Z');
    const [item] = await pay.itemsOf(out.batchId);
    expect(item).toMatchObject({ status: 'UNKNOWN' });
    const bill = await pay.billOf(doctorId!);
    const again = { payerEntityId: pay.payerId, planPayDate: pay.today(), billIds: [bill.id] };
    expect(await app.refused(addPayoutBatch, again, key(pay.maker))).toMatchObject({ code: 'SCM19052' });
    expect(await app.refused(retryPaySettlementBill, { ...on(bill), opinion }, { as: pay.checker })).toMatchObject({ code: 'SCM19052' });
    await own(app.db)
      .updateTable('settlementPayoutBatch')
      .set({ exportedBy: pay.cashier.userId })
      .where('exportedBy', '=', sender.userId)
      .execute();
    const proof = async (as: TestStaff) => ({
      id: item!.id,
      version: item!.version,
      result: 'SUCCESS' as const,
      bankSerialNo: 'S4001',
      bankDay: pay.today(),
      fileIds: [await uploadPaper(app, as, PAYOUT_PROOF)],
    });
    expect(await app.refused(markPayoutItem, await proof(pay.cashier), key(pay.cashier))).toMatchObject({ code: 'SCM19001' });
    expect(await app.refused(markPayoutItem, { ...(await proof(pay.checker)), bankDay: '2027-01-01' }, key(pay.checker))).toMatchObject({
      fields: [{ message: '交易日期须在出盘日期与今天之间' }],
    });
    expect(await app.ok(markPayoutItem, await proof(pay.checker), key(pay.checker))).toMatchObject({ state: 'SUCCESS' });
    expect(await pay.stateOf(out.batchId)).toBe('FINISHED');
  });
});

it('a refund after the payment is owed, and set against the next bill', async () => {
  const doctorId = await newDoctor(app);
  const order = await completed(app, doctorId, { payFen: 50_000, listFen: 50_000 });
  await verifiedAccount(app, doctorId);
  await pay.later('2027-03-02T02:00:00.000Z');
  await app.ok(startSettleRun, { period: '2027-02', payerEntityId: pay.payerId }, key(pay.maker));
  await app.runDue();
  const bill = await pay.billOf(doctorId);
  const { version } = await app.ok(submitSettlementBill, on(bill), { as: pay.maker });
  await app.ok(auditSettlementBill, { id: bill.id, version, decision: 'approve', opinion }, { as: pay.checker });
  const { batchId } = await pay.sent([doctorId]);
  const [item] = await pay.itemsOf(batchId);
  await pay.answered(batchId, [[item!.bizRef, item!.netFen, '成功', 'S5001']]);
  await refunded(app, order, 10_000);
  expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 0, DR_CLAWBACK: 7_000 });
  await completed(app, doctorId, { payFen: 40_000, listFen: 40_000 });
  await pay.later('2027-04-02T02:00:00.000Z');
  await app.ok(startSettleRun, { period: '2027-03', payerEntityId: pay.payerId }, key(pay.maker));
  await app.runDue();
  expect(await pay.billOf(doctorId)).toMatchObject({ grossFen: 21_000, consultFen: 28_000, clawbackFen: -7_000 });
  expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 21_000, DR_CLAWBACK: 0 });
});
