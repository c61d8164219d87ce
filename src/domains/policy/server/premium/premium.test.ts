import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plusDays, startOfDay } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addPremiumOrder,
  addReceipt,
  allocateReceipt,
  auditPremiumOrder,
  claimNextPremiumOrder,
  generateInstalments,
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
} from '../../contract/calls/premium.ts';
import { uploadPaper, uploadRows } from '#testing/uploads.ts';
import { commitImportTask, queryImportResult, queryImportRowList } from '#domains/files/contract/calls/imports.ts';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { addEndorsement } from '../../contract/calls/endorsements.ts';
import { addPolicy } from '../../contract/calls/policies.ts';
import { POLICY_VOUCHER } from '../../contract/purposes.ts';
import { findCover } from '../cover/live.ts';
import { own } from '../database.ts';
import { itemOf, keeper, makeProduct, passed, personWish, policyWish, serial, type MadeProduct } from '../testing/fixtures.ts';
import { graceJob } from './instalments.ts';
import { receiptImporter } from './receiptImporter.ts';

let app: TestApp;
let maker: TestStaff;
let checker: TestStaff;
let second: TestStaff;
let product: MadeProduct;
beforeAll(async () => {
  app = await startTestApp();
  maker = await keeper(app);
  checker = await keeper(app);
  second = await keeper(app);
  product = await makeProduct(app);
});
afterAll(() => app.close());

const key = () => `premium-order-key-${serial()}`;
const versionOf = async (id: string) =>
  (await own(app.db).selectFrom('policyPremiumOrder').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

/** An order that waits for its check; its first line is made to cost as much as is asked for. */
async function waiting(amountFen?: number, more: Parameters<typeof policyWish>[1] = {}) {
  const today = app.clock.today();
  const policy = await app.ok(
    addPolicy,
    policyWish(product.productId, { coverageStart: today, coverageEnd: plusDays(today, 364), ...more }),
    { as: maker },
  );
  await passed(app, maker, checker, {
    policyId: policy.id,
    kind: 'ADD',
    effectiveOn: more.coverageStart ?? today,
    after: { person: personWish(), planCode: 'P1' },
  });
  const { id } = await own(app.db)
    .selectFrom('policyPremiumOrder')
    .select('id')
    .where('policyId', '=', policy.id)
    .executeTakeFirstOrThrow();
  if (amountFen !== undefined) {
    // Lines are never changed: another generation of them says the other rate.
    await sql`insert into policy_premium_order_item
        (
          premium_order_id, generation, line_no, insured_item_id, plan_code, annual_premium_fen, date_from, date_to, days, basis, fee_fen,
          amount_fen, calc
        )
      select premium_order_id, 2, line_no, insured_item_id, plan_code, ${amountFen}, date_from, date_to, days, basis, 0, ${amountFen}, calc
      from policy_premium_order_item where premium_order_id = ${id}`.execute(app.db);
    await sql`update policy_premium_order set amount_fen = ${amountFen}, generation = 2 where id = ${id}`.execute(app.db);
  }
  return { id, policyId: policy.id };
}
const take = async (id: string, as: TestStaff) => {
  // All others rest, so that this one is the next.
  await sql`update policy_premium_order set due_on = due_on - 1000 where id = ${id}`.execute(app.db);
  expect((await app.ok(claimNextPremiumOrder, {}, { as })).id).toBe(id);
};
const decide = async (id: string, action: 'approve' | 'reject' | 'secondApprove', more: object = {}) => ({
  id,
  version: await versionOf(id),
  action,
  opinion: '核对无误',
  ...more,
});
async function approved(amountFen?: number) {
  const order = await waiting(amountFen);
  await take(order.id, checker);
  await app.ok(auditPremiumOrder, await decide(order.id, 'approve'), { as: checker, idempotencyKey: key() });
  return order;
}
const receipt = (amountFen: number, more: object = {}) =>
  app.ok(
    addReceipt,
    {
      direction: 'COLLECT',
      amountFen,
      paidOn: app.clock.today(),
      payerName: '江南科技有限公司',
      bankFlowNo: `FLOW${serial()}`,
      bankAccount: '6222020200112233',
      ...more,
    },
    { as: maker },
  );

describe('a premium order', () => {
  // policy.md acceptance 16
  it('is checked by who holds it, not by its maker, and only where its lines say its amount', async () => {
    const { id } = await waiting();
    const wish = await decide(id, 'approve');
    const refused = (as: TestStaff, input: object = wish) => app.refused(auditPremiumOrder, input, { as, idempotencyKey: key() });
    expect(await refused(maker)).toMatchObject({ code: 'SCM13044' });
    expect(await refused(checker)).toMatchObject({ code: 'SCM13043' });
    await take(id, checker);
    const recall = { ...wish, action: 'recall', version: await versionOf(id) };
    expect(await refused(maker, recall)).toMatchObject({ code: 'SCM13041' });
    expect(await refused(second)).toMatchObject({ code: 'SCM13043' });
    expect(await refused(checker, await decide(id, 'reject'))).toMatchObject({ code: 'SCM13047' });
    await sql`update policy_premium_order set amount_fen = 119999 where id = ${id}`.execute(app.db);
    expect(await refused(checker)).toMatchObject({
      code: 'SCM13045',
      message: '重算金额1200.00元与订单金额1199.99元不符，请驳回或重新生成',
    });
    await sql`update policy_premium_order set amount_fen = 120000 where id = ${id}`.execute(app.db);
    expect(await app.ok(auditPremiumOrder, wish, { as: checker, idempotencyKey: key() })).toMatchObject({ state: 'APPROVED' });
    const detail = await app.ok(queryPremiumOrderDetail, { premiumOrderId: id }, { as: checker });
    expect(detail).toMatchObject({ recomputedFen: '120000', items: [{ amountFen: '120000', recomputedFen: '120000' }], lease: null });
    const { rows } = await app.ok(queryPremiumOrderList, { policyNo: detail.policyNo }, { as: checker });
    expect(rows).toMatchObject([{ state: 'APPROVED', direction: 'COLLECT', amountFen: '120000' }]);
  });

  // policy.md acceptance 15
  it('of a million yuan is passed by a second person too', async () => {
    const { id } = await waiting(100_000_000);
    await take(id, checker);
    expect(await app.ok(auditPremiumOrder, await decide(id, 'approve'), { as: checker, idempotencyKey: key() })).toMatchObject({
      state: 'PENDING_SECOND',
    });
    const again = await decide(id, 'secondApprove');
    expect(await app.refused(auditPremiumOrder, again, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13046' });
    expect(await app.refused(auditPremiumOrder, again, { as: maker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13046' });
    expect(await app.ok(auditPremiumOrder, again, { as: second, idempotencyKey: key() })).toMatchObject({ state: 'APPROVED' });
    const below = await approved(99_999_999);
    expect(await app.ok(queryPremiumOrderDetail, { premiumOrderId: below.id }, { as: maker })).toMatchObject({ state: 'APPROVED' });
  });

  it('is rejected with a reason, handed in again, with a voucher where the insurer says another amount', async () => {
    const { id } = await waiting();
    await take(id, checker);
    const rejected = await app.ok(auditPremiumOrder, await decide(id, 'reject', { rejectReasons: ['P01'] }), {
      as: checker,
      idempotencyKey: key(),
    });
    expect(rejected).toMatchObject({ state: 'REJECTED' });
    const stated = await app.ok(
      modifyPremiumOrder,
      { id, version: rejected.version, dueOn: '2027-01-31', statedFen: 119_000 },
      { as: maker },
    );
    const submit = { id, version: stated.version, action: 'submit' as const };
    expect(await app.refused(auditPremiumOrder, submit, { as: maker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13040' });
    // A voucher stays while it is named again, and is gone when it is not.
    const vouchers = async () => (await app.ok(queryFileList, { ownerType: 'policy.premiumOrder', ownerId: id }, { as: maker })).length;
    const told = async ({ version }: { version: number }, fileIds: string[], statedFen = 119_000) =>
      app.ok(modifyPremiumOrder, { id, version, dueOn: '2027-01-31', statedFen, fileIds }, { as: maker });
    const fileId = await uploadPaper(app, maker, POLICY_VOUCHER);
    const shown = await told(await told(stated, [fileId]), [fileId], 118_000);
    expect(await vouchers()).toBe(1);
    const bare = await told(shown, []);
    expect(await vouchers()).toBe(0);
    const without = { ...submit, version: bare.version };
    expect(await app.refused(auditPremiumOrder, without, { as: maker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13040' });
    const again = await told(bare, [fileId]);
    await app.ok(auditPremiumOrder, { ...submit, version: again.version }, { as: maker, idempotencyKey: key() });
  });

  // policy.md acceptance 19
  it('two checkers are given two orders, a lease that is over is lost, a supervisor takes over', async () => {
    await sql`update policy_premium_order set state = 'VOIDED' where state = 'PENDING_AUDIT'`.execute(app.db);
    expect(await app.refused(claimNextPremiumOrder, {}, { as: checker })).toMatchObject({ code: 'SCM13042' });
    const ids = [(await waiting()).id, (await waiting()).id];
    const given = await Promise.all([checker, second].map((as) => app.ok(claimNextPremiumOrder, {}, { as })));
    expect(given.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const [first] = given;
    expect(await app.refused(claimNextPremiumOrder, {}, { as: await keeper(app) })).toMatchObject({ code: 'SCM13042' });
    expect(await app.ok(takeoverPremiumOrder, { id: first!.id, opinion: '经办请假' }, { as: second })).toMatchObject({ id: first!.id });
    const late = await decide(first!.id, 'approve');
    expect(await app.refused(auditPremiumOrder, late, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13043' });
    app.clock.advance(16 * 60_000);
    expect(await app.refused(auditPremiumOrder, late, { as: second, idempotencyKey: key() })).toMatchObject({ code: 'SCM13043' });
    await app.ok(releasePremiumOrder, { id: first!.id }, { as: second });
    await sql`update policy_premium_order set state = 'VOIDED' where state = 'PENDING_AUDIT'`.execute(app.db);
  });
});

describe('bank money', () => {
  // policy.md acceptance 17, 18
  it('is shared over orders within both amounts, never twice, and taken back by another person', async () => {
    await sql`update policy_premium_order set payer_name = '旧付款人' where state = 'APPROVED'`.execute(app.db);
    await sql`update policy_policy set holder_name = '旧付款人'`.execute(app.db);
    const [one, other] = [await approved(600_000), await approved(500_000)];
    const { id: receiptId } = await receipt(1_000_000, { bankFlowNo: 'FLOW-A' });
    const again = {
      direction: 'COLLECT',
      amountFen: 1,
      paidOn: '2026-11-21',
      payerName: '江南',
      bankFlowNo: 'FLOW-A',
      bankAccount: '6222020200112233',
    };
    expect(await app.refused(addReceipt, again, { as: maker })).toMatchObject({ code: 'SCM13054' });
    const suggested = await app.ok(suggestAllocation, { receiptId }, { as: maker });
    expect(suggested.map(({ premiumOrderId, amountFen }) => [premiumOrderId, amountFen])).toEqual([
      [one.id, '600000'],
      [other.id, '400000'],
    ]);
    const shares = (a: number, b: number) => ({
      receiptId,
      shares: [
        { premiumOrderId: one.id, amountFen: a },
        { premiumOrderId: other.id, amountFen: b },
      ],
    });
    const refused = (input: object) => app.refused(allocateReceipt, input, { as: maker, idempotencyKey: key() });
    expect(await refused(shares(600_000, 500_000))).toMatchObject({ code: 'SCM13049', message: '超过到账记录可分配余额4000.00元' });
    expect(await refused(shares(600_001, 1))).toMatchObject({ code: 'SCM13048' });
    const back = await receipt(1000, { direction: 'REFUND' });
    expect(await refused({ receiptId: back.id, shares: [{ premiumOrderId: one.id, amountFen: 1 }] })).toMatchObject({ code: 'SCM13050' });
    const done = await app.ok(allocateReceipt, shares(600_000, 400_000), { as: maker, idempotencyKey: key() });
    expect(done).toMatchObject({ restFen: '0', orders: [{ state: 'SETTLED' }, { state: 'PART_SETTLED' }] });
    const { allocations } = await app.ok(queryPremiumOrderDetail, { premiumOrderId: one.id }, { as: maker });
    const undo = { allocationId: allocations[0]!.id, opinion: '分配错误' };
    const invoiced = await app.ok(
      setInsurerInvoice,
      { id: one.id, version: await versionOf(one.id), insurerInvoiceNo: 'FP001' },
      { as: maker },
    );
    expect(await app.refused(removeAllocation, undo, { as: maker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13044' });
    expect(await app.refused(removeAllocation, undo, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13051' });
    const reversal = { id: one.id, version: invoiced.version, opinion: '收错' };
    expect(await app.refused(reversePremiumOrder, reversal, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM13052' });
    await app.ok(setInsurerInvoice, { id: one.id, version: invoiced.version, insurerInvoiceNo: null }, { as: maker });
    expect(await app.ok(removeAllocation, undo, { as: checker, idempotencyKey: key() })).toEqual({
      orderState: 'APPROVED',
      settledFen: '0',
    });
    expect(await app.refused(removeAllocation, undo, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM90031' });
    const now = { ...reversal, version: await versionOf(one.id) };
    await app.ok(reversePremiumOrder, now, { as: checker, idempotencyKey: key() });
    const twice = { ...reversal, version: await versionOf(one.id) };
    expect(await app.refused(reversePremiumOrder, twice, { as: checker, idempotencyKey: key() })).toMatchObject({ code: 'SCM90031' });
    const { rows } = await sql<{ sum: string }>`select sum(l.amount_fen)::text as sum from policy_premium_order o
      join policy_premium_order_item l on l.premium_order_id = o.id and l.generation = o.generation
      where o.id = ${one.id} or o.reverses_order_id = ${one.id}`.execute(app.db);
    expect(rows).toEqual([{ sum: '0' }]);
  });

  it('of several receipts at once pays an order once, and one receipt is never shared twice', async () => {
    const one = await approved(100_000);
    const receipts = await Promise.all(['FLOW-R1', 'FLOW-R2', 'FLOW-R3'].map((bankFlowNo) => receipt(100_000, { bankFlowNo })));
    const share = (receiptId: string, premiumOrderId: string) =>
      app.send(allocateReceipt, { receiptId, shares: [{ premiumOrderId, amountFen: 100_000 }] }, { as: maker, idempotencyKey: key() });
    const codes = async (sent: ReturnType<typeof share>[]) => (await Promise.all(sent)).map(({ envelope }) => envelope.code).toSorted();
    expect(await codes(receipts.map(({ id }) => share(id, one.id)))).toEqual(['0000000', 'SCM13048', 'SCM13048']);
    const { id: last } = await receipt(100_000, { bankFlowNo: 'FLOW-R4' });
    const orders = [await approved(100_000), await approved(100_000), await approved(100_000)];
    expect(await codes(orders.map(({ id }) => share(last, id)))).toEqual(['0000000', 'SCM13049', 'SCM13049']);
  });
});

// policy.md acceptance 20
it('instalments come with their periods; past the grace the policy rests, and goes on only when all is paid', async () => {
  const { id, policyId } = await waiting(undefined, {
    coverageStart: '2026-10-01',
    coverageEnd: '2027-09-30',
    payMode: 'MONTH',
    graceDays: 10,
  });
  await sql`update policy_premium_order set kind = 'NEW', part_no = 1, part_of = 12 where id = ${id}`.execute(app.db);
  const { orderNos } = await app.ok(generateInstalments, { policyId, until: '2026-12-31' }, { as: maker });
  expect(orderNos).toHaveLength(2);
  expect(await app.refused(generateInstalments, { policyId, until: '2026-12-31' }, { as: maker })).toMatchObject({ code: 'SCM13053' });
  const parts = await own(app.db)
    .selectFrom('policyPremiumOrder')
    .select(['periodFrom', 'amountFen'])
    .where('policyId', '=', policyId)
    .where('kind', '=', 'INSTALMENT')
    .orderBy('id')
    .execute();
  expect(parts).toEqual([
    { periodFrom: '2026-11-01', amountFen: '10000' },
    { periodFrom: '2026-12-01', amountFen: '10000' },
  ]);
  await sql`
    update policy_premium_order
      set state = 'APPROVED'
      where policy_id = ${policyId} and kind = 'INSTALMENT' and period_from = '2026-11-01'`.execute(app.db);
  const run = (day: string) => graceJob(app.kernel).run({}, jobContext(app, { now: startOfDay(day, '00:30') }));
  const item = await itemOf(app, policyId, '张建国');
  const covered = async (day: string) => (await findCover(app.db, { insuredItemId: item, day })) !== null;
  await run('2026-11-11');
  expect(await covered('2026-11-20')).toBe(true);
  await run('2026-11-21');
  expect([await covered('2026-11-11'), await covered('2026-11-12')]).toEqual([true, false]);
  const again = { policyId, kind: 'REINSTATE', effectiveOn: '2026-11-25', reason: '已缴费' };
  expect(await app.refused(addEndorsement, again, { as: maker })).toMatchObject({
    code: 'SCM13004',
    message: '仍有1笔保费未结清，不能复效',
  });
});

describe('an order of the first cover', () => {
  it('is a new one, in parts where it is paid so; whoever comes later is charged beside it', async () => {
    const { id, policyId } = await waiting(undefined, { payMode: 'QUARTER' });
    const detail = await app.ok(queryPremiumOrderDetail, { premiumOrderId: id }, { as: maker });
    expect(detail).toMatchObject({ kind: 'NEW', amountFen: '30000', recomputedFen: '30000', periodFrom: app.clock.today() });
    expect(detail.items[0]!.calc).toContain('第1期/共4期');
    await passed(app, maker, checker, {
      policyId,
      kind: 'ADD',
      effectiveOn: app.clock.today(),
      after: { person: personWish({ name: '李秀兰' }), planCode: 'P1' },
    });
    const { rows } = await app.ok(queryPremiumOrderList, { policyId }, { as: maker });
    expect(rows.map(({ kind, amountFen }) => [kind, amountFen])).toEqual(
      expect.arrayContaining([
        ['NEW', '30000'],
        ['ADJUST', '120000'],
      ]),
    );
    expect(await app.ok(queryPremiumOrderTotal, { policyId }, { as: maker })).toEqual({
      orders: 2,
      collectFen: '0',
      refundFen: '0',
      premiumFen: '0',
      waitingFen: '150000',
      receivedFen: '0',
    });
  });

  it('is made again where it is missing, never twice, its lines from the cover alone', async () => {
    const { id, policyId } = await waiting(undefined, { payMode: 'MONTH' });
    const wish = { policyId, kind: 'NEW' as const, dueOn: plusDays(app.clock.today(), 20), statedFen: 9_000 };
    const taken = await app.refused(addPremiumOrder, wish, { as: maker });
    expect(taken).toMatchObject({ code: 'SCM13053', message: expect.stringMatching(/^该期间已有保费订单BF\d{14}$/) });
    const recalled = await app.ok(auditPremiumOrder, { id, version: 1, action: 'recall' }, { as: maker, idempotencyKey: key() });
    await app.ok(voidPremiumOrder, { id, version: recalled.version, opinion: '重开' }, { as: maker });
    expect(await app.refused(addPremiumOrder, { ...wish, kind: 'ADJUST' }, { as: maker })).toMatchObject({
      fields: [{ path: 'endorsementId', message: '请选择批单' }],
    });
    expect(await app.refused(addPremiumOrder, { ...wish, kind: 'INSTALMENT', periodFrom: '2020-01-01' }, { as: maker })).toMatchObject({
      fields: [{ path: 'periodFrom' }],
    });
    const made = await app.ok(addPremiumOrder, wish, { as: maker });
    expect(made.state).toBe('DRAFT');
    expect(await app.ok(queryPremiumOrderDetail, { premiumOrderId: made.id }, { as: maker })).toMatchObject({
      kind: 'NEW',
      amountFen: '10000',
      statedFen: '9000',
      differenceFen: '-1000',
    });
    await sql`update policy_premium_order set amount_fen = 1 where id = ${made.id}`.execute(app.db);
    expect(await app.ok(regeneratePremiumOrder, { id: made.id, version: made.version }, { as: maker })).toMatchObject({
      amountFen: '10000',
      state: 'DRAFT',
    });
    expect(await app.refused(regeneratePremiumOrder, { id: made.id, version: made.version }, { as: maker })).toMatchObject({
      code: 'SCM90030',
    });
    const { items } = await app.ok(queryPremiumOrderDetail, { premiumOrderId: made.id }, { as: maker });
    expect(items).toHaveLength(1);
  });
});

it('an order is taken by its number, unless somebody else has it', async () => {
  const { id } = await waiting();
  expect(await app.ok(claimNextPremiumOrder, { id }, { as: checker })).toMatchObject({ id });
  expect(await app.refused(claimNextPremiumOrder, { id }, { as: second })).toMatchObject({ code: 'SCM13041' });
  expect(await app.refused(claimNextPremiumOrder, { id: '999999999' }, { as: second })).toMatchObject({ code: 'SCM90040' });
});

// policy.md acceptance 18
it('a bank statement brings each flow once', async () => {
  const row = {
    direction: '收',
    amountFen: '1200.00',
    paidOn: app.clock.today(),
    payerName: '江南科技有限公司',
    bankFlowNo: 'IMPORT-1',
    bankAccount: '6222020200112233',
  };
  const load = async (rows: readonly Record<string, string>[]) => {
    const fileId = await uploadRows(app, maker, receiptImporter(app.kernel), rows);
    const { importTaskId } = await app.ok(importReceipt, { fileId }, { as: maker });
    await app.runDue();
    return { importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as: maker }) };
  };
  const bad = await load([row, { ...row, bankAccount: '12' }, row]);
  const { rows: faults } = await app.ok(queryImportRowList, { importTaskId: bad.importTaskId, hasError: true }, { as: maker });
  expect(faults.map(({ rowNo }) => rowNo)).toEqual([3, 4]);
  const good = await load([row, { ...row, bankFlowNo: 'IMPORT-2', amountFen: '8.5' }]);
  await app.ok(commitImportTask, { importTaskId: good.importTaskId, version: good.checked.version }, { as: maker, idempotencyKey: key() });
  await app.runDue();
  const { rows } = await app.ok(queryReceiptList, { bankFlowNo: 'IMPORT-2' }, { as: maker });
  expect(rows).toMatchObject([{ amountFen: '850', restFen: '850', source: 'IMPORT', bankAccount: expect.stringContaining('*') }]);
  const again = await load([row]);
  await app.ok(
    commitImportTask,
    { importTaskId: again.importTaskId, version: again.checked.version },
    { as: maker, idempotencyKey: key() },
  );
  await app.runDue();
  expect((await app.ok(queryReceiptList, { bankFlowNo: 'IMPORT-1' }, { as: maker })).total).toBe(1);

  // The same flow with another sum is told; the number of last year is another flow, and told too.
  const lastYear = { ...row, paidOn: '2025-11-21' };
  const odd = await load([{ ...row, amountFen: '1200.01' }, { ...row, direction: '退' }, lastYear]);
  const odds = await app.ok(queryImportRowList, { importTaskId: odd.importTaskId }, { as: maker });
  expect(odds.rows.flatMap(({ rowNo, errors }) => errors.map(({ message }) => `${rowNo}: ${message}`))).toEqual([
    '2: 该流水已登记为收1200.00元，与本行不一致；请向银行核实',
    '3: 银行流水号在文件中重复',
    '3: 该流水已登记为收1200.00元，与本行不一致；请向银行核实',
    `4: 该流水号在${row.paidOn}已登记1200.00元；请确认本行是另一笔到账`,
  ]);
  const older = await load([row, lastYear]);
  await app.ok(
    commitImportTask,
    { importTaskId: older.importTaskId, version: older.checked.version },
    { as: maker, idempotencyKey: key() },
  );
  await app.runDue();
  expect((await app.ok(queryReceiptList, { bankFlowNo: 'IMPORT-1' }, { as: maker })).total).toBe(2);
});
