import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { Instant } from '#kernel/contract/time.ts';
import { uploadPaper, uploadTable } from '#testing/uploads.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { queryDoctorDetail } from '#domains/doctor/contract/calls/doctors.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail } from '../../contract/calls/accounts.ts';
import {
  auditSettlementBill,
  querySettlementBillList,
  retryPaySettlementBill,
  startSettleRun,
  submitSettlementBill,
} from '../../contract/calls/bills.ts';
import {
  addPayoutBatch,
  auditPayoutBatch,
  exportPayoutBankFile,
  importPayoutResult,
  markPayoutItem,
  queryPayoutBatchDetail,
  queryPayoutItemList,
  queryTaxRecordList,
  reexportPayoutBankFile,
  returnPayoutBatchForTax,
  submitPayoutBatch,
  voidPayoutBatch,
} from '../../contract/calls/payouts.ts';
import { PAYOUT_PROOF } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import {
  acting,
  booksOf,
  completed,
  goTo,
  incomesOf,
  keeper,
  key,
  makeRules,
  newDoctor,
  openBooks,
  payeeInput,
  refunded,
  verifiedAccount,
} from '../testing/fixtures.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let cashier: TestStaff;
let payerId: string;
const opinion = '核对无误';
beforeAll(async () => {
  app = await startTestApp({ now: '2026-09-21T02:00:00.000Z' });
  await openBooks(app);
  ({ payerId } = await makeRules(app));
});
async function people(): Promise<void> {
  maker = await keeper(app);
  checker = await keeper(app);
  cashier = await keeper(app);
}
beforeEach(people);
afterAll(async () => {
  const proof = await acting(app, (ctx) => ledgerOf(app.kernel).prove(ctx, 'DOCTOR', 'MANUAL'));
  expect(proof).toMatchObject({ status: 'PASSED' });
  // What is on its way is what the bank has not answered; what is owed to the tax office is what the records add up to.
  const { rows } = await sql<{ transit: string; tax: string; open: string; records: string }>`
    select coalesce(sum(b.credit_total_fen - b.debit_total_fen) filter (where a.account_type = 'DR_IN_TRANSIT'), 0)::text as transit,
        coalesce(sum(b.credit_total_fen - b.debit_total_fen) filter (where a.account_type = 'DR_TAX_PAYABLE'), 0)::text as tax,
        (select coalesce(sum(net_fen), 0) from settlement_payout_item where status in ('PENDING', 'UNKNOWN'))::text as open,
        (select coalesce(sum(tax_fen), 0) from settlement_tax_record)::text as records
      from ledger_account a
      join ledger_balance b on b.account_id = a.id
      where a.book = 'DOCTOR'`.execute(app.db);
  expect(rows[0]!.transit).toBe(rows[0]!.open);
  expect(rows[0]!.tax).toBe(rows[0]!.records);
  await app.close();
});

async function later(to: Instant): Promise<void> {
  await goTo(app, to);
  await openBooks(app);
  await people();
}
/** Doctors who earned in this month, and their bills passed in the next one. */
async function billed(amounts: readonly number[], next: string): Promise<string[]> {
  const doctors: string[] = [];
  for (const payFen of amounts) {
    const doctorId = await newDoctor(app);
    doctors.push(doctorId);
    for (let left = payFen; left > 0; left -= 500_000)
      await completed(app, doctorId, { payFen: Math.min(left, 500_000), listFen: Math.min(left, 500_000) });
    await verifiedAccount(app, doctorId);
  }
  const period = app.clock.today().slice(0, 7);
  await later(next);
  await app.ok(startSettleRun, { period, payerEntityId: payerId }, key(maker));
  await app.runDue();
  for (const doctorId of doctors) {
    const bill = await billOf(doctorId);
    const { version } = await app.ok(submitSettlementBill, { id: bill.id, version: bill.version }, { as: maker });
    await app.ok(auditSettlementBill, { id: bill.id, version, decision: 'approve', opinion }, { as: checker });
  }
  return doctors;
}
const billOf = async (doctorId: string) => (await app.ok(querySettlementBillList, { doctorId }, { as: maker })).rows[0]!;
const today = () => app.clock.today();
const on = ({ id, version }: { id: string; version: number }) => ({ id, version });
async function batchOf(doctors: readonly string[]) {
  const billIds = await Promise.all(doctors.map(async (doctorId) => (await billOf(doctorId)).id));
  return app.ok(addPayoutBatch, { payerEntityId: payerId, planPayDate: today(), billIds }, key(maker));
}
async function passed(doctors: readonly string[]) {
  const made = await batchOf(doctors);
  const sent = await app.ok(submitPayoutBatch, { ...on(made), planPayDate: today() }, key(maker));
  return app.ok(auditPayoutBatch, { ...on(sent), decision: 'approve', opinion }, key(checker));
}
const reason = '网银代付';
async function sent(doctors: readonly string[]) {
  const batch = await passed(doctors);
  const { body } = await app.file(exportPayoutBankFile, { ...on(batch), reason }, { as: cashier });
  return { batchId: batch.id, file: new TextDecoder('gb18030').decode(body) };
}
const itemsOf = async (batchId: string) => (await app.ok(queryPayoutItemList, { batchId, pageSize: 100 }, { as: maker })).rows;
const stateOf = async (batchId: string) => (await app.ok(queryPayoutBatchDetail, { id: batchId }, { as: maker })).batch.status;

const LABELS = ['业务参考号', '金额(元)', '处理结果', '银行流水号', '交易日期', '失败原因'];
type Line = readonly [ref: string, fen: number, result: string, serial?: string, reason?: string];
/** The bank's file is checked, and what is right of it is written. */
async function answered(batchId: string, lines: readonly Line[]): Promise<void> {
  const rows = lines.map(([ref, fen, result, serial = '', why = '']) => [
    ref,
    (fen / 100).toFixed(2),
    result,
    serial,
    result === '失败' ? '' : today(),
    why,
  ]);
  const reader = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
  const fileId = await uploadTable(app, reader, [LABELS, ...rows]);
  const { importTaskId } = await app.ok(importPayoutResult, { batchId, fileId, mode: 'VALID_ONLY' }, { as: reader });
  await app.runDue();
  // What is right of it is written; where nothing is, there is nothing to write.
  await app.send(commitImportTask, { importTaskId, version: 2 }, key(reader));
  await app.runDue();
}

describe('a batch', () => {
  it('takes passed bills of doctors whose account was looked at, once each', async () => {
    const [doctorId] = await billed([50_000], '2026-10-02T02:00:00.000Z');
    const bill = await billOf(doctorId!);
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: doctorId! }, { as: maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: doctorId!, version: account.version, ...payeeInput() }, { as: maker });
    const input = { payerEntityId: payerId, planPayDate: today(), billIds: [bill.id] };
    expect(await app.refused(addPayoutBatch, input, key(maker))).toMatchObject({ code: 'SCM19041' });
    await verifiedAccount(app, doctorId!);
    expect(await app.refused(addPayoutBatch, { ...input, planPayDate: '2026-10-01' }, key(maker))).toMatchObject({
      fields: [{ message: '计划付款日不能早于今天' }],
    });
    const both = await Promise.all([1, 2].map(() => app.send(addPayoutBatch, input, key(maker))));
    expect(both.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM19048']);
    const batch = both.find(({ envelope }) => envelope.code === '0000000')!.envelope.data as { id: string; version: number };
    await app.ok(voidPayoutBatch, { ...on(batch), opinion }, { as: maker });
    expect(await billOf(doctorId!)).toMatchObject({ status: 'APPROVED' });
  });

  it('is passed by another person, reckoned again in another month, and sent by a third', async () => {
    const [doctorId] = await billed([60_000], '2026-11-02T02:00:00.000Z');
    const made = await batchOf([doctorId!]);
    const sentIn = await app.ok(submitPayoutBatch, { ...on(made), planPayDate: today() }, key(maker));
    const verdict = { ...on(sentIn), decision: 'approve' as const, opinion };
    expect(await app.refused(auditPayoutBatch, verdict, key(maker))).toMatchObject({ code: 'SCM19001' });
    const approved = await app.ok(auditPayoutBatch, verdict, key(checker));
    expect(await app.refused(exportPayoutBankFile, { ...on(approved), reason }, { as: maker })).toMatchObject({ code: 'SCM19001' });
    await later('2026-12-01T02:00:00.000Z');
    expect(await app.refused(exportPayoutBankFile, { ...on(approved), reason }, { as: cashier })).toMatchObject({ code: 'SCM19051' });
    const back = await app.ok(returnPayoutBatchForTax, { ...on(approved), opinion }, key(checker));
    const again = await app.ok(submitPayoutBatch, { ...on(back), planPayDate: today() }, key(maker));
    const passedAgain = await app.ok(auditPayoutBatch, { ...on(again), decision: 'approve', opinion }, key(checker));
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: doctorId! }, { as: maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: doctorId!, version: account.version, ...payeeInput() }, { as: maker });
    expect(await app.refused(exportPayoutBankFile, { ...on(passedAgain), reason }, { as: cashier })).toMatchObject({ code: 'SCM19044' });
  });
});

describe('what the bank says', () => {
  let doctors: string[];
  let batchId: string;

  it('is asked for by a file that says what was reckoned, with tax withheld over the year', async () => {
    doctors = await billed([1_500_000, 100_000, 100_000], '2027-01-02T02:00:00.000Z');
    const out = await sent(doctors);
    batchId = out.batchId;
    const items = await itemsOf(batchId);
    // 10,500.00 of the first month: 1,050,000 - 210,000 - 500,000 = 340,000 at 3 %.
    expect(items.map(({ netFen, taxFen }) => [netFen, taxFen]).toSorted(([a], [b]) => b! - a!)).toEqual([
      [1_039_800, 10_200],
      [70_000, 0],
      [70_000, 0],
    ]);
    expect(out.file).toContain('合计,3,11798.00');
    expect(out.file).toContain('6225881234567890');
    const rich = await billOf(doctors[0]!);
    expect(rich).toMatchObject({ status: 'IN_BATCH' });
    expect(await booksOf(app, doctors[0]!)).toMatchObject({ DR_PAYABLE: 0 });
    const records = await app.ok(queryTaxRecordList, { taxMonth: '2027-01' }, { as: maker });
    expect(records.rows.map(({ taxFen }) => taxFen).toSorted((a, b) => b - a)).toEqual([10_200, 0, 0]);
    expect(await app.refused(exportPayoutBankFile, { id: batchId, version: 99, reason }, { as: cashier })).toMatchObject({
      code: 'SCM90030',
    });
    const clerk = await app.staff({ permissions: ['settlement.payout.view', 'settlement.payout.export'] });
    expect(await app.refused(reexportPayoutBankFile, { id: batchId, reason }, { as: clerk })).toMatchObject({ code: 'SCM90010' });
    const { body } = await app.file(reexportPayoutBankFile, { id: batchId, reason }, { as: cashier });
    expect(new TextDecoder('gb18030').decode(body)).toBe(out.file);
  });

  it('is taken row by row: paid, failed and missing end differently, and another sum is refused', async () => {
    const items = await itemsOf(batchId);
    const rich = items.find(({ netFen }) => netFen === 1_039_800)!;
    const [second, third] = items.filter(({ netFen }) => netFen === 70_000);
    await answered(batchId, [
      [rich.bizRef, rich.netFen, '成功', 'S1001'],
      [second!.bizRef, 1, '成功', 'S1002'],
      ['FK20260101000001-1', 70_000, '成功', 'S1003'],
    ]);
    expect(await stateOf(batchId)).toBe('EXPORTED');
    expect((await itemsOf(batchId)).map(({ status }) => status).toSorted()).toEqual(['PENDING', 'PENDING', 'SUCCESS']);
    expect(await billOf(rich.doctorId)).toMatchObject({ status: 'PAID' });
    expect((await incomesOf(app, maker, rich.doctorId)).map(({ status }) => status)).toEqual(['SETTLED', 'SETTLED', 'SETTLED']);
    const reader = await app.staff({ permissions: app.kernel.registry.permissions.map(({ code }) => code) });
    expect(await app.ok(queryDoctorDetail, { doctorId: rich.doctorId }, { as: reader })).toMatchObject({ unsettledFen: 0 });
    await answered(batchId, [
      [rich.bizRef, rich.netFen, '成功', 'S1001'],
      [second!.bizRef, second!.netFen, '失败', '', '账号户名不符'],
      [third!.bizRef, third!.netFen, '成功', 'S1004'],
    ]);
    expect(await stateOf(batchId)).toBe('PARTIAL');
    expect(await billOf(second!.doctorId)).toMatchObject({ status: 'PAY_FAILED' });
    expect(await booksOf(app, second!.doctorId)).toMatchObject({ DR_PAYABLE: 70_000 });
  });

  it('that failed is tried again only after the account was put right, under a reference of its own', async () => {
    const failed = (await itemsOf(batchId)).find(({ status }) => status === 'FAILED')!;
    const bill = await billOf(failed.doctorId);
    const retry = { ...on(bill), opinion };
    expect(await app.refused(retryPaySettlementBill, retry, { as: checker })).toMatchObject({ code: 'SCM19043' });
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId: failed.doctorId }, { as: maker });
    await app.ok(modifyDoctorPayAccount, { doctorId: failed.doctorId, version: account.version, ...payeeInput() }, { as: maker });
    await verifiedAccount(app, failed.doctorId);
    await app.ok(retryPaySettlementBill, retry, { as: checker });
    const { batchId: next } = await sent([failed.doctorId]);
    const [item] = await itemsOf(next);
    expect(item!.bizRef).not.toBe(failed.bizRef);
    // The old reference is final: a late word about it changes nothing.
    await answered(batchId, [[failed.bizRef, failed.netFen, '成功', 'S9999']]);
    expect((await itemsOf(batchId)).find(({ id }) => id === failed.id)).toMatchObject({ status: 'FAILED' });
    await answered(next, [[item!.bizRef, item!.netFen, '成功', 'S2001']]);
    expect(await stateOf(next)).toBe('FINISHED');
    expect(await billOf(failed.doctorId)).toMatchObject({ status: 'PAID' });
  });

  it('that comes back after it was paid takes back both postings and its tax', async () => {
    const rich = (await itemsOf(batchId)).find(({ netFen }) => netFen === 1_039_800)!;
    await answered(batchId, [[rich.bizRef, rich.netFen, '退票', 'S3001', '账户已销户']]);
    expect((await itemsOf(batchId)).find(({ id }) => id === rich.id)).toMatchObject({ status: 'RETURNED' });
    expect(await billOf(rich.doctorId)).toMatchObject({ status: 'PAY_FAILED' });
    expect(await booksOf(app, rich.doctorId)).toMatchObject({ DR_PAYABLE: 1_050_000 });
    const { rows } = await app.ok(queryTaxRecordList, { taxMonth: '2027-01' }, { as: maker });
    expect(rows.filter(({ doctorId }) => doctorId === rich.doctorId).map(({ taxFen }) => taxFen)).toEqual([-10_200, 10_200]);
  });

  it('that is not known is asked for, never paid again, and closed by the bank’s paper by another person than who sent it', async () => {
    const [doctorId] = await billed([100_000], '2027-02-02T02:00:00.000Z');
    const out = await sent([doctorId!]);
    const sender = cashier;
    await later('2027-02-08T02:00:00.000Z');
    const [item] = await itemsOf(out.batchId);
    expect(item).toMatchObject({ status: 'UNKNOWN' });
    expect(
      await app.refused(
        addPayoutBatch,
        { payerEntityId: payerId, planPayDate: today(), billIds: [(await billOf(doctorId!)).id] },
        key(maker),
      ),
    ).toMatchObject({
      code: 'SCM19048',
    });
    await own(app.db)
      .updateTable('settlementPayoutBatch')
      .set({ exportedBy: cashier.userId })
      .where('exportedBy', '=', sender.userId)
      .execute();
    const proof = async (as: TestStaff) => ({
      id: item!.id,
      version: item!.version,
      result: 'SUCCESS' as const,
      bankSerialNo: 'S4001',
      bankDay: today(),
      fileIds: [await uploadPaper(app, as, PAYOUT_PROOF)],
    });
    expect(await app.refused(markPayoutItem, await proof(cashier), key(cashier))).toMatchObject({ code: 'SCM19001' });
    expect(await app.refused(markPayoutItem, { ...(await proof(checker)), bankDay: '2027-01-01' }, key(checker))).toMatchObject({
      fields: [{ message: '交易日期须在出盘日期与今天之间' }],
    });
    expect(await app.ok(markPayoutItem, await proof(checker), key(checker))).toMatchObject({ state: 'SUCCESS' });
    expect(await stateOf(out.batchId)).toBe('FINISHED');
  });
});

it('a refund after the payment is owed, and set against the next bill', async () => {
  const doctorId = await newDoctor(app);
  const order = await completed(app, doctorId, { payFen: 50_000, listFen: 50_000 });
  await verifiedAccount(app, doctorId);
  await later('2027-03-02T02:00:00.000Z');
  await app.ok(startSettleRun, { period: '2027-02', payerEntityId: payerId }, key(maker));
  await app.runDue();
  const bill = await billOf(doctorId);
  const { version } = await app.ok(submitSettlementBill, on(bill), { as: maker });
  await app.ok(auditSettlementBill, { id: bill.id, version, decision: 'approve', opinion }, { as: checker });
  const { batchId } = await sent([doctorId]);
  const [item] = await itemsOf(batchId);
  await answered(batchId, [[item!.bizRef, item!.netFen, '成功', 'S5001']]);
  await refunded(app, order, 10_000);
  expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 0, DR_CLAWBACK: 7_000 });
  await completed(app, doctorId, { payFen: 40_000, listFen: 40_000 });
  await later('2027-04-02T02:00:00.000Z');
  await app.ok(startSettleRun, { period: '2027-03', payerEntityId: payerId }, key(maker));
  await app.runDue();
  expect(await billOf(doctorId)).toMatchObject({ grossFen: 21_000, consultFen: 28_000, clawbackFen: -7_000 });
  expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 21_000, DR_CLAWBACK: 0 });
});
