import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { querySettlementBillList } from '../../contract/calls/bills.ts';
import { auditPayoutBatch, exportPayoutBankFile, returnPayoutBatchForTax } from '../../contract/calls/payouts.ts';
import { own } from '../database.ts';
import { key } from '../testing/fixtures.ts';
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

const SUCCESS = '0000000';
const twenty = <T>(work: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: 20 }, work));

it('twenty who pass, send or write the result of one batch at once do so once', async () => {
  const doctors = await pay.doctors([50_000], '2026-10-02T02:00:00.000Z');
  const sent = await pay.submitted(await pay.batchOf(doctors));
  const verdict = { ...on(sent), decision: 'approve' as const, opinion };
  const passes = await twenty(() => app.send(auditPayoutBatch, verdict, key(pay.checker)));
  expect(passes.filter(({ envelope }) => envelope.code === SUCCESS)).toHaveLength(1);
  const wish = { id: sent.id, version: sent.version + 1, reason };
  const files = await Promise.allSettled(Array.from({ length: 20 }, () => app.file(exportPayoutBankFile, wish, { as: pay.cashier })));
  expect(files.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const [item] = await pay.itemsOf(sent.id);
  const { importTaskId, reader } = await pay.checked(sent.id, [[item!.bizRef, item!.netFen, '成功', 'S1']]);
  const writes = await twenty(() => app.send(commitImportTask, { importTaskId, version: 2 }, key(reader)));
  expect(writes.filter(({ envelope }) => envelope.code === SUCCESS)).toHaveLength(1);
  await app.runDue();
  expect([await pay.stateOf(sent.id), (await pay.billOf(doctors[0]!)).status]).toEqual(['FINISHED', 'PAID']);
});

it('two batches with one doctor in a month: what the first withheld counts in the second, which is reckoned again', async () => {
  const doctorId = await pay.earned(1_500_000);
  await pay.billed([doctorId], '2026-11-02T02:00:00.000Z');
  await pay.earns(doctorId, 1_500_000);
  await pay.billed([doctorId], '2026-12-02T02:00:00.000Z');
  const bills = (await app.ok(querySettlementBillList, { doctorId }, { as: pay.maker })).rows.toSorted((a, b) =>
    a.period < b.period ? -1 : 1,
  );
  const [first, second] = [await pay.passedBatch(await pay.batchOfBills([bills[0]!.id])), await pay.batchOfBills([bills[1]!.id])];
  const passed = await pay.passedBatch(second);
  await app.file(exportPayoutBankFile, { ...on(first), reason }, { as: pay.cashier });
  expect(await app.refused(exportPayoutBankFile, { ...on(passed), reason }, { as: pay.cashier })).toMatchObject({ code: 'SCM19051' });
  // Who passed it does not take it back.
  await pay.people();
  const back = await app.ok(returnPayoutBatchForTax, { ...on(passed), opinion }, key(pay.checker));
  const again = await pay.passedBatch(back);
  await app.file(exportPayoutBankFile, { ...on(again), reason }, { as: pay.cashier });
  const records = await own(app.db).selectFrom('settlementTaxRecord').selectAll().where('doctorId', '=', doctorId).orderBy('id').execute();
  // 10,500.00 twice in one month: 21,000.00 less a fifth and 5,000.00 is 11,800.00 at 3 %.
  expect(records.map(({ grossFen, taxFen }) => [grossFen, taxFen])).toEqual([
    ['1050000', '10200'],
    ['1050000', '25200'],
  ]);
});
