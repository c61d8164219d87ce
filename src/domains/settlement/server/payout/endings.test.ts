import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hours } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail } from '../../contract/calls/accounts.ts';
import { retryPaySettlementBill } from '../../contract/calls/bills.ts';
import { addSettlementRule, auditSettlementRule, submitSettlementRule } from '../../contract/calls/rules.ts';
import { payoutRecords } from '../access.ts';
import { own } from '../database.ts';
import { acting, completed, keeper, key, newDoctor, payeeInput, refunded, shareFields, verifiedAccount } from '../testing/fixtures.ts';
import { on, opinion, Paying } from '../testing/payouts.ts';
import { settlePayouts } from './settle.ts';

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

/** The account is put right, and the bill may be paid again. */
async function retried(doctorId: string): Promise<void> {
  const { account } = await app.ok(queryDoctorAccountDetail, { doctorId }, { as: pay.maker });
  await app.ok(modifyDoctorPayAccount, { doctorId, version: account.version, ...payeeInput() }, { as: pay.maker });
  await verifiedAccount(app, doctorId);
  await app.ok(retryPaySettlementBill, { ...on(await pay.billOf(doctorId)), opinion }, { as: pay.checker });
}

it('a file that was checked before somebody marked a row by hand writes nothing and tells the row', async () => {
  const doctors = await pay.doctors([50_000, 60_000], '2026-10-02T02:00:00.000Z');
  const { batchId } = await pay.sent(doctors);
  const [first, second] = await pay.itemsOf(batchId);
  const { importTaskId, reader } = await pay.checked(batchId, [
    [first!.bizRef, first!.netFen, '成功', 'S1'],
    [second!.bizRef, second!.netFen, '成功', 'S2'],
  ]);
  await app.send(commitImportTask, { importTaskId, version: 2 }, key(reader));
  let committing = Promise.resolve();
  await acting(app, async (ctx) => {
    await payoutRecords.lock(ctx.tx, payoutRecords.everyone, batchId);
    committing = app.runDue();
    const waiting = () => sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(ctx.tx);
    await expect.poll(async () => (await waiting()).rows[0]!.n, { timeout: 20_000 }).toBeGreaterThan(0);
    await settlePayouts(ctx, ledgerOf(app.kernel), batchId, [
      { itemId: first!.id, result: 'FAILED', serial: null, day: null, failReason: '账号户名不符' },
    ]);
  });
  await committing;
  expect((await pay.itemsOf(batchId)).map(({ status }) => status).toSorted()).toEqual(['FAILED', 'PENDING']);
  const { rows } = await sql<{ text: string }>`select t::text as text from files_import_task t where t.id = ${importTaskId}`.execute(
    app.db,
  );
  expect(rows[0]!.text).toContain('第2行数据在校验后已变化');
});

it('one batch whose rows end differently and hours apart: row, bill and batch follow each of them', async () => {
  const doctors = await pay.doctors([50_000, 60_000, 70_000], '2026-11-02T02:00:00.000Z');
  const { batchId } = await pay.sent(doctors);
  const ofDoctor = async (n: number) => (await pay.itemsOf(batchId)).find(({ doctorId }) => doctorId === doctors[n])!;
  const ends = async () => ({
    rows: await Promise.all([0, 1, 2].map(async (n) => (await ofDoctor(n)).status)),
    bills: await Promise.all(doctors.map(async (doctorId) => (await pay.billOf(doctorId)).status)),
    batch: await pay.stateOf(batchId),
  });
  const [paid, failed, back] = [await ofDoctor(0), await ofDoctor(1), await ofDoctor(2)];
  await pay.answered(batchId, [[back.bizRef, back.netFen, '成功', 'B1']]);
  expect(await ends()).toEqual({
    rows: ['PENDING', 'PENDING', 'SUCCESS'],
    bills: ['IN_BATCH', 'IN_BATCH', 'PAID'],
    batch: 'EXPORTED',
  });
  await app.advance(hours(3), ['settlement', 'doctor']);
  await pay.people();
  await pay.answered(batchId, [[failed.bizRef, failed.netFen, '失败', '', '账号户名不符']]);
  await app.advance(hours(5), ['settlement', 'doctor']);
  await pay.people();
  await pay.answered(batchId, [[back.bizRef, back.netFen, '退票', 'B2', '账户已销户']]);
  expect(await ends()).toEqual({
    rows: ['PENDING', 'FAILED', 'RETURNED'],
    bills: ['IN_BATCH', 'PAY_FAILED', 'PAY_FAILED'],
    batch: 'EXPORTED',
  });
  // A retry over a part of it never touches the others.
  await app.advance(hours(2), ['settlement', 'doctor']);
  await pay.people();
  await retried(failed.doctorId);
  const { batchId: next } = await pay.sent([failed.doctorId]);
  expect((await pay.itemsOf(next)).map(({ doctorId, netFen }) => [doctorId, netFen])).toEqual([[failed.doctorId, failed.netFen]]);
  expect((await ends()).rows).toEqual(['PENDING', 'FAILED', 'RETURNED']);
  await pay.answered(batchId, [[paid.bizRef, paid.netFen, '成功', 'B3']]);
  expect(await ends()).toEqual({
    rows: ['SUCCESS', 'FAILED', 'RETURNED'],
    bills: ['PAID', 'IN_BATCH', 'PAY_FAILED'],
    batch: 'PARTIAL',
  });
  // The predecessor is answered late as paid: it was final by the bank's word, and nothing follows from the contradiction.
  await pay.answered(batchId, [[failed.bizRef, failed.netFen, '成功', 'B4']]);
  expect((await ofDoctor(1)).status).toBe('FAILED');
  const [again] = await pay.itemsOf(next);
  await pay.answered(next, [[again!.bizRef, again!.netFen, '成功', 'B5']]);
  expect([await pay.stateOf(next), (await ends()).bills]).toEqual(['FINISHED', ['PAID', 'PAID', 'PAY_FAILED']]);
});

it('a result file that comes again, names a strange row, another sum, a row twice or another batch changes nothing by that', async () => {
  const doctors = await pay.doctors([50_000, 60_000], '2026-12-02T02:00:00.000Z');
  const old = await pay.paid([doctors[0]!]);
  const { batchId } = await pay.sent([doctors[1]!]);
  const [was] = await pay.itemsOf(old);
  const [row] = await pay.itemsOf(batchId);
  await pay.answered(batchId, [['FK20260101000001-1', 100, '成功', 'N1']]);
  await pay.answered(batchId, [[row!.bizRef, row!.netFen - 1, '成功', 'N2']]);
  await pay.answered(batchId, [[was!.bizRef, was!.netFen, '失败', '', '账号户名不符']]);
  await pay.answered(batchId, [
    [row!.bizRef, row!.netFen, '成功', 'N3'],
    [row!.bizRef, row!.netFen, '失败', '', '账号户名不符'],
  ]);
  expect([await pay.stateOf(batchId), await pay.stateOf(old)]).toEqual(['EXPORTED', 'FINISHED']);
  const file: Parameters<Paying['answered']>[1] = [
    [row!.bizRef, row!.netFen, '成功', 'N4'],
    [row!.bizRef, row!.netFen, '成功', 'N4'],
  ];
  await pay.answered(batchId, file);
  expect(await pay.stateOf(batchId)).toBe('FINISHED');
  const posted = () => sql<{ n: number }>`select count(*)::int as n from ledger_transfer`.execute(app.db);
  const before = (await posted()).rows[0]!.n;
  // The same bytes are known; other bytes that say the same say nothing new.
  await expect(pay.answered(batchId, file)).rejects.toThrow('SCM02038');
  await pay.answered(batchId, [file[0]!]);
  await pay.answered(batchId, [[was!.bizRef, was!.netFen, '成功', `S${was!.bizRef}`]]);
  expect((await posted()).rows[0]!.n).toBe(before);
});

it('an income of an earlier month that is taken back never makes a negative tax, and the year adds up', async () => {
  const doctorId = await newDoctor(app);
  const order = await completed(app, doctorId, { payFen: 500_000, listFen: 500_000 });
  await pay.earns(doctorId, 1_000_000);
  await verifiedAccount(app, doctorId);
  await pay.billed([doctorId], '2027-01-03T02:00:00.000Z');
  await pay.paid([doctorId]);
  await refunded(app, order, 500_000);
  await pay.earns(doctorId, 600_000);
  await pay.billed([doctorId], '2027-02-03T02:00:00.000Z');
  await pay.paid([doctorId]);
  await pay.earns(doctorId, 1_500_000);
  await pay.billed([doctorId], '2027-03-03T02:00:00.000Z');
  await pay.paid([doctorId]);
  const records = await own(app.db).selectFrom('settlementTaxRecord').selectAll().where('doctorId', '=', doctorId).orderBy('id').execute();
  // 10,500.00; 700.00 after 3,500.00 were taken back; 10,500.00: 21,700.00 less a fifth and three months' 5,000.00 is 2,360.00 at 3 %.
  expect(records.map(({ grossFen, taxFen, cumTaxFen }) => [grossFen, taxFen, cumTaxFen])).toEqual([
    ['1050000', '10200', '10200'],
    ['70000', '0', '0'],
    ['1050000', '0', '7080'],
  ]);
});

it('the rule that holds on the day of the service reckons it, also where it changes in the middle of the month', async () => {
  const doctorId = await newDoctor(app);
  await completed(app, doctorId, { payFen: 10_000, listFen: 10_000 });
  const maker = await keeper(app);
  const scoped = shareFields(pay.today(), {
    ratioBp: 8_000,
    doctorId,
    testCases: [{ paidFen: 10_000, listFen: 10_000, expectFen: 8_000 }],
  });
  const rule = await app.ok(addSettlementRule, scoped, { as: maker });
  const sent = await app.ok(submitSettlementRule, { id: rule.id, version: rule.version }, { as: maker });
  await app.ok(auditSettlementRule, { id: rule.id, version: sent.version, decision: 'approve', opinion }, { as: await keeper(app) });
  await pay.later('2027-03-10T02:00:00.000Z');
  await completed(app, doctorId, { payFen: 10_000, listFen: 10_000 });
  await pay.billed([], '2027-04-03T02:00:00.000Z');
  expect(await pay.billOf(doctorId)).toMatchObject({ grossFen: 15_000, itemCount: 2 });
});
