import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { addRefundBatch, auditRefundBatch, batchRefund, queryRefundBatchList, voidRefundBatch } from '../../contract/calls/batches.ts';
import { addRefund } from '../../contract/calls/refunds.ts';
import { brokenInvariants } from '../invariants.ts';
import { approved, asked, batched, batchOf, keeper, key, NONE, passed, paymentOf, refundOf, wish } from '../testing/fixtures.ts';
import { playOrders } from '../testing/orders.ts';

let app: TestApp;
let other: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
  playOrders();
});
beforeEach(async () => {
  other = await keeper(app);
});
afterEach(() => {
  vi.restoreAllMocks();
  playOrders();
});
afterAll(async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
  await app.close();
});

const opinion = '金额有误';

describe('a batch of refunds', () => {
  it('holds what was passed, and nothing twice', async () => {
    const waiting = await asked(app);
    const [one, two] = [await passed(app), await passed(app, 4_000)];
    const mixed = { refundIds: [one.refundId, waiting.refundId] };
    expect(await app.refused(addRefundBatch, mixed, key(other))).toMatchObject({ code: 'SCM20063', message: '含1条不可退记录' });
    expect(await app.refused(addRefundBatch, { refundIds: [NONE] }, key(other))).toMatchObject({ code: 'SCM90040' });
    const { refundBatchId } = await batched(app, [one.refundId, two.refundId, one.refundId]);
    const { batch, items } = await batchOf(app, refundBatchId);
    expect(batch).toMatchObject({ itemCount: 2, amountFen: 7_333, status: 'DRAFT' });
    expect(items.map(({ refund }) => refund.status)).toEqual(['IN_BATCH', 'IN_BATCH']);
    expect(await app.refused(addRefundBatch, { refundIds: [two.refundId] }, key(other))).toMatchObject({ code: 'SCM20063' });
  });

  it('is one for each refund, of twenty who add it at once', async () => {
    const { refundId } = await passed(app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => app.send(addRefundBatch, { refundIds: [refundId] }, key(other))));
    expect(answers.filter(({ envelope }) => envelope.code === '0000000')).toHaveLength(1);
  });

  it('is made by one, passed by another, started by a third', async () => {
    const { refundId } = await passed(app);
    const { maker, refundBatchId, version } = await batched(app, [refundId]);
    const start = { refundBatchId, version };
    expect(await app.refused(batchRefund, start, key(other))).toMatchObject({ code: 'SCM20061', message: '退款批次未复核或已作废' });
    const verdict = { refundBatchId, version, decision: 'approve' as const };
    expect(await app.refused(auditRefundBatch, verdict, key(maker))).toMatchObject({ code: 'SCM20003' });
    const passing = await app.ok(auditRefundBatch, verdict, key(other));
    const run = { refundBatchId, version: passing.version };
    expect(await app.refused(batchRefund, run, key(other))).toMatchObject({ code: 'SCM20003' });
    expect(await app.refused(batchRefund, run, key(maker))).toMatchObject({ code: 'SCM20003' });
    const third = await keeper(app);
    expect(await app.refused(batchRefund, start, key(third))).toMatchObject({ code: 'SCM90030' });
    expect((await app.send(batchRefund, run, { as: third })).envelope.code).not.toBe('0000000');
    const answer = await app.send(batchRefund, run, key(third));
    expect(answer.envelope.data).toEqual({ status: 'RUNNING', count: 1, started: true });
    expect(answer.headers['cache-control']).toContain('no-store');
    await app.runDue();
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('is started once: five at a time and repeated, each refund is sent once and the answer is the same', async () => {
    const refunds = [await passed(app), await passed(app, 2_000), await passed(app, 1_000)];
    const { refundBatchId, version } = await approved(
      app,
      refunds.map(({ refundId }) => refundId),
    );
    const sent = vi.spyOn(app.kernel.pay.channel('WECHAT'), 'refund');
    const executor = await keeper(app);
    const run = { refundBatchId, version };
    const five = await Promise.all(Array.from({ length: 5 }, () => app.ok(batchRefund, run, key(executor))));
    expect(five).toEqual(Array.from({ length: 5 }, () => ({ status: 'RUNNING', count: 3, started: true })));
    await app.runDue();
    expect(await app.ok(batchRefund, run, key(executor))).toEqual({ status: 'DONE', count: 3, started: true });
    await app.runDue();
    expect(sent).toHaveBeenCalledTimes(3);
    expect((await batchOf(app, refundBatchId)).batch).toMatchObject({ status: 'DONE', okCount: 3, failCount: 0 });
    for (const { payment } of refunds) {
      const { reservedFen, refundedFen } = await paymentOf(app, payment.paymentNo);
      expect(refundedFen).toBe(reservedFen);
    }
  });

  it('gives its refunds back where it is voided or rejected', async () => {
    const { refundId } = await passed(app);
    const first = await batched(app, [refundId]);
    const wanted = { refundBatchId: first.refundBatchId, version: first.version };
    expect(await app.refused(voidRefundBatch, { ...wanted, opinion: '' }, { as: other })).toMatchObject({ code: 'SCM90020' });
    expect(await app.ok(voidRefundBatch, { ...wanted, opinion }, { as: first.maker })).toMatchObject({ state: 'VOIDED' });
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'APPROVED', batchId: null });
    const second = await batched(app, [refundId]);
    const verdict = { refundBatchId: second.refundBatchId, version: second.version, decision: 'reject' as const };
    expect(await app.refused(auditRefundBatch, verdict, key(other))).toMatchObject({ code: 'SCM90020' });
    await app.ok(auditRefundBatch, { ...verdict, opinion }, key(other));
    const third = await approved(app, [refundId]);
    await app.ok(voidRefundBatch, { refundBatchId: third.refundBatchId, version: third.version, opinion }, { as: third.maker });
    const run = { refundBatchId: third.refundBatchId, version: third.version + 1 };
    expect(await app.refused(batchRefund, run, key(await keeper(app)))).toMatchObject({ code: 'SCM20061' });
    expect((await batchOf(app, third.refundBatchId)).items).toMatchObject([{ outcome: 'REMOVED' }]);
  });

  it('sums partial refunds of one payment exactly', async () => {
    const first = await passed(app, 3_333);
    const maker = await keeper(app);
    const rest = [];
    for (const fen of [3_333, 3_334]) rest.push(await app.ok(addRefund, wish(first.payment.id, fen), key(maker)));
    expect(await app.refused(addRefund, wish(first.payment.id, 1), key(maker))).toMatchObject({ code: 'SCM20060' });
    expect(rest).toHaveLength(2);
    expect(await paymentOf(app, first.payment.paymentNo)).toMatchObject({ reservedFen: '10000' });
    expect((await app.ok(queryRefundBatchList, {}, { as: maker })).rows.length).toBeGreaterThan(0);
  });
});
