import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { minutes } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { commitImportTask } from '#domains/files/contract/calls/imports.ts';
import { ledgerOf } from '#domains/ledger/server/index.ts';
import { modifyDoctorPayAccount, queryDoctorAccountDetail, queryDoctorAccountList } from '../../contract/calls/accounts.ts';
import { printSettlementBill, retryPaySettlementBill, startSettleRun } from '../../contract/calls/bills.ts';
import { addPayoutBatch, exportPayoutBankFile, queryPayableBills } from '../../contract/calls/payouts.ts';
import { modifyPayerEntity, queryPayerEntityList } from '../../contract/calls/rules.ts';
import { payableOf } from '../chart.ts';
import { own } from '../database.ts';
import { getPayerEntities } from '../index.ts';
import { acting, booksOf, completed, key, payeeInput, verifiedAccount } from '../testing/fixtures.ts';
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

const messagesOf = (batchId: string) =>
  own(app.db)
    .selectFrom('settlementPayoutMessage as m')
    .innerJoin('settlementPayoutItem as i', 'i.id', 'm.itemId')
    .select(['m.kind', 'm.status', 'm.tryCount', 'i.doctorId'])
    .where('i.batchId', '=', batchId)
    .orderBy('m.id')
    .execute();
const finished = async (batchNo: string): Promise<unknown[]> => {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from kernel_outbox where name = 'settlement.batch.finished' and payload ->> 'batchNo' = ${batchNo} order by id`.execute(
    app.db,
  );
  return rows.map(({ payload }) => payload);
};

it('a message that fails after the payment stops nobody’s payment and comes later by itself; a batch is told to be over once', async () => {
  const doctors = await pay.doctors([50_000, 60_000], '2026-10-02T02:00:00.000Z');
  const { batchId } = await pay.sent(doctors);
  const [first, second] = await pay.itemsOf(batchId);
  const { mobileCipher } = await own(app.db)
    .selectFrom('settlementAccount')
    .select('mobileCipher')
    .where('doctorId', '=', first!.doctorId)
    .executeTakeFirstOrThrow();
  const writeMobile = (cipher: string | null) =>
    own(app.db).updateTable('settlementAccount').set({ mobileCipher: cipher }).where('doctorId', '=', first!.doctorId).execute();
  await writeMobile('unreadable');
  const { importTaskId, reader } = await pay.checked(batchId, [
    [first!.bizRef, first!.netFen, '成功', 'S1'],
    [second!.bizRef, second!.netFen, '成功', 'S2'],
  ]);
  await app.send(commitImportTask, { importTaskId, version: 2 }, key(reader));
  await expect(app.runDue()).rejects.toThrow(first!.bizRef);
  expect([await pay.stateOf(batchId), (await pay.itemsOf(batchId)).map(({ status }) => status)]).toEqual([
    'FINISHED',
    ['SUCCESS', 'SUCCESS'],
  ]);
  const states = async () => new Map((await messagesOf(batchId)).map(({ doctorId, status }) => [doctorId, status]));
  expect(await states()).toEqual(
    new Map([
      [first!.doctorId, 'WAITING'],
      [second!.doctorId, 'SENT'],
    ]),
  );
  await writeMobile(mobileCipher);
  await app.advance(minutes(90));
  expect((await states()).get(first!.doctorId)).toBe('SENT');
  const [{ batchNo } = { batchNo: '' }] = await pay.itemsOf(batchId);
  const once = [{ batchNo, payerEntityId: pay.payerId, taxMonth: '2026-10', successFen: 77_000, taxFen: 0, failFen: 0 }];
  expect(await finished(batchNo)).toMatchObject(once);
  await pay.people();
  await pay.answered(batchId, [[first!.bizRef, first!.netFen, '退票', 'S3', '账户已销户']]);
  expect(await pay.stateOf(batchId)).toBe('PARTIAL');
  expect(await finished(batchNo)).toMatchObject(once);
  await app.advance(minutes(2));
  expect((await messagesOf(batchId)).map(({ kind, status }) => [kind, status])).toContainEqual(['FAILED', 'SENT']);
  const { body } = await app.file(printSettlementBill, { id: (await pay.billOf(second!.doctorId)).id }, { as: pay.maker });
  expect(body.subarray(0, 5).toString()).toBe('%PDF-');
});

it('the file has the form of its company’s bank, and is made again in that form whatever the company has by then', async () => {
  const payer = async () => (await app.ok(queryPayerEntityList, {}, { as: pay.maker })).rows.find(({ id }) => id === pay.payerId)!;
  const change = async (bankTemplate: 'CMB_AGENCY' | 'GENERIC_CSV') => {
    const { id, version, entityName, taxNo, bankName, isPlatform, enabled } = await payer();
    await app.ok(modifyPayerEntity, { id, version, entityName, taxNo, bankName, isPlatform, enabled, bankTemplate }, { as: pay.maker });
  };
  const doctors = await pay.doctors([50_000], '2026-11-02T02:00:00.000Z');
  await change('CMB_AGENCY');
  const { batchId, file } = await pay.sent(doctors);
  const [item] = await pay.itemsOf(batchId);
  expect(file.split('\r\n')).toEqual([
    '账号,户名,金额,开户行,开户地,注释',
    `6225881234567890,张医生,350.00,招商银行,上海分行,${item!.bizRef}`,
    '',
  ]);
  await change('GENERIC_CSV');
  await pay.answered(batchId, [[item!.bizRef, item!.netFen, '成功', 'S1']]);
  const { id, version, entityName, taxNo, bankName, bankTemplate, enabled } = await payer();
  const other = { id, version, entityName, taxNo, bankName, bankTemplate, enabled, isPlatform: false };
  expect(await app.refused(modifyPayerEntity, other, { as: pay.maker })).toMatchObject({ code: 'SCM19028' });
  expect(await getPayerEntities(app.db, [id, '999999999'])).toEqual([
    { payerEntityId: id, entityCode: expect.any(String), entityName, taxNo, enabled: true },
  ]);
});

describe('an account of the books that is frozen', () => {
  const freeze = (doctorId: string, act: 'freeze' | 'unfreeze') =>
    acting(app, (ctx) =>
      ledgerOf(app.kernel)[act](ctx, payableOf(doctorId, pay.payerId), {
        reason: '司法协助',
        actor: { id: pay.checker.userId, name: pay.checker.displayName },
      }),
    ).then(() => app.runDue());

  it('keeps its doctor out of batches, files and bills of that company until it is free again', async () => {
    const [doctorId, other] = (await pay.doctors([50_000, 60_000], '2026-12-02T02:00:00.000Z')) as [string, string];
    await freeze(doctorId, 'freeze');
    const found = await app.ok(queryDoctorAccountList, { isBookFrozen: true }, { as: pay.maker });
    expect(found.rows).toMatchObject([{ doctorId, frozenBooks: expect.any(String) }]);
    const { balances } = await app.ok(queryDoctorAccountDetail, { doctorId }, { as: pay.maker });
    expect(balances).toMatchObject([{ frozenReason: '司法协助' }]);
    const bill = await pay.billOf(doctorId);
    const rows = await app.ok(queryPayableBills, { payerEntityId: pay.payerId }, { as: pay.maker });
    expect(rows.find(({ id }) => id === bill.id)!.reason).toContain('在该付款主体的账户已冻结');
    const input = { payerEntityId: pay.payerId, planPayDate: pay.today(), billIds: [bill.id] };
    expect(await app.refused(addPayoutBatch, input, key(pay.maker))).toMatchObject({ code: 'SCM19038' });
    await freeze(doctorId, 'unfreeze');
    const batch = await pay.passed([doctorId, other]);
    await freeze(doctorId, 'freeze');
    expect(await app.refused(exportPayoutBankFile, { ...on(batch), reason }, { as: pay.cashier })).toMatchObject({ code: 'SCM19038' });
    await freeze(doctorId, 'unfreeze');
    await app.file(exportPayoutBankFile, { ...on(batch), reason }, { as: pay.cashier });
    await freeze(doctorId, 'freeze');
    // The payment fails while it is frozen: nothing can be set aside, until it is paid again.
    const items = await pay.itemsOf(batch.id);
    const [mine, its] = [items.find((item) => item.doctorId === doctorId)!, items.find((item) => item.doctorId === other)!];
    await pay.answered(batch.id, [
      [mine.bizRef, mine.netFen, '失败', '', '账号户名不符'],
      [its.bizRef, its.netFen, '成功', 'S1'],
    ]);
    expect([(await pay.billOf(doctorId)).status, (await pay.billOf(other)).status]).toEqual(['PAY_FAILED', 'PAID']);
    await completed(app, doctorId, { payFen: 50_000, listFen: 50_000 });
    await pay.later('2027-01-03T02:00:00.000Z');
    await app.ok(startSettleRun, { period: '2026-12', payerEntityId: pay.payerId }, key(pay.maker));
    await app.runDue();
    expect(await pay.billOf(doctorId)).toMatchObject({ period: '2026-11' });
    const { account } = await app.ok(queryDoctorAccountDetail, { doctorId }, { as: pay.maker });
    await app.ok(modifyDoctorPayAccount, { doctorId, version: account.version, ...payeeInput() }, { as: pay.maker });
    await verifiedAccount(app, doctorId);
    const retry = { ...on(await pay.billOf(doctorId)), opinion };
    expect(await app.refused(retryPaySettlementBill, retry, { as: pay.checker })).toMatchObject({ code: 'SCM18002' });
    await freeze(doctorId, 'unfreeze');
    await app.ok(retryPaySettlementBill, retry, { as: pay.checker });
    await pay.paid([doctorId]);
    expect(await booksOf(app, doctorId)).toMatchObject({ DR_PAYABLE: 35_000 });
  });
});
