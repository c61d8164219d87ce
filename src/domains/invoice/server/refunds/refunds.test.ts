import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { days, hours, minutes, plusDays } from '#kernel/contract/time.ts';
import { unknownRefund } from '#kernel/server/pay/port.ts';
import { refundFailed, refundSucceeded } from '#events/invoice.ts';
import type { TestStaff } from '#testing/staff.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addRefund,
  auditOfflineRefund,
  auditRefund,
  confirmOfflineRefund,
  queryRefundDetail,
  queryRefundResult,
  reopenRefund,
  revealRefundPayee,
} from '../../contract/calls/refunds.ts';
import { own } from '../database.ts';
import { brokenInvariants } from '../invariants.ts';
import {
  acting,
  asked,
  batchOf,
  executed,
  keeper,
  key,
  NONE,
  paid,
  passed,
  pay,
  PAYEE,
  paymentOf,
  refundOf,
  refundsOf,
  refundVersion,
  transfer,
  voucher,
  wish,
} from '../testing/fixtures.ts';
import { anOrder, playOrders } from '../testing/orders.ts';
import { refundAfterSale } from './afterSale.ts';

let app: TestApp;
let maker: TestStaff;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  playOrders();
  maker = await keeper(app);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  expect(await brokenInvariants(app.db)).toEqual([]);
  await app.close();
});

const told = async (name: string, refundNo: string) =>
  (
    await sql<{ payload: object }>`
      select payload from kernel_outbox where name = ${name} and payload ->> 'refundNo' = ${refundNo} order by id`.execute(app.db)
  ).rows.map(({ payload }) => payload);
const channelOf = () => app.kernel.pay.channel('WECHAT');

describe('what may go back', () => {
  it('is nothing of a payment that did not come, and no more than is left', async () => {
    const open = await paymentOf(app, (await pay(app, anOrder(app).orderId)).paymentNo);
    expect(await app.refused(addRefund, wish(open.id, 1), key(maker))).toMatchObject({ code: 'SCM20060', message: '可退金额为0.00元' });
    expect(await app.refused(addRefund, wish(NONE, 1), key(maker))).toMatchObject({ code: 'SCM90040' });
    const { id, paymentNo } = await paid(app);
    await app.ok(addRefund, wish(id, 3_333), key(maker));
    await app.ok(addRefund, wish(id, 3_333), key(maker));
    expect(await app.refused(addRefund, wish(id, 3_335), key(maker))).toMatchObject({ code: 'SCM20060', message: '可退金额为33.34元' });
    await app.ok(addRefund, wish(id, 3_334), key(maker));
    expect(await paymentOf(app, paymentNo)).toMatchObject({ reservedFen: '10000', refundedFen: '0' });
  });

  it('is never more than was paid, however many ask at once', async () => {
    const { id, paymentNo } = await paid(app);
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.send(addRefund, wish(id, 1_300), key(maker))));
    expect(answers.filter(({ envelope }) => envelope.code === '0000000')).toHaveLength(7);
    expect(new Set(answers.map(({ envelope }) => envelope.code))).toEqual(new Set(['0000000', 'SCM20060']));
    expect(await paymentOf(app, paymentNo)).toMatchObject({ reservedFen: '9100' });
    expect(await refundsOf(app, id)).toHaveLength(7);
  });

  it('is free again where it was rejected', async () => {
    const { payment, refundId, version } = await asked(app, 10_000);
    const wanted = { refundId, version, decision: 'reject' as const };
    expect(await app.refused(auditRefund, wanted, key(maker))).toMatchObject({ code: 'SCM90020' });
    await app.ok(auditRefund, { ...wanted, opinion: '凭证不足' }, key(maker));
    expect(await paymentOf(app, payment.paymentNo)).toMatchObject({ reservedFen: '0' });
    await app.ok(addRefund, wish(payment.id, 10_000), key(maker));
  });

  it('does not go back the way it came after a year', async () => {
    const { id } = await paid(app);
    await own(app.db)
      .updateTable('invoicePayment')
      .set({ paidAt: `${plusDays(app.clock.today(), -366)}T02:00:00.000Z` })
      .where('id', '=', id)
      .execute();
    expect(await app.refused(addRefund, wish(id, 100), key(maker))).toMatchObject({ code: 'SCM20062' });
    expect(await app.refused(addRefund, { ...wish(id, 100), way: 'OFFLINE' }, key(maker))).toMatchObject({ code: 'SCM90020' });
    await app.ok(addRefund, { ...wish(id, 100), way: 'OFFLINE', ...PAYEE }, key(maker));
  });

  it('is passed by another person than whoever asked', async () => {
    const { refundId, version, maker: asker } = await asked(app);
    const wanted = { refundId, version, decision: 'approve' as const };
    expect(await app.refused(auditRefund, wanted, key(asker))).toMatchObject({ code: 'SCM20003' });
    expect(await app.refused(auditRefund, { ...wanted, version: version + 1 }, key(maker))).toMatchObject({ code: 'SCM90030' });
    expect(await app.ok(auditRefund, wanted, key(maker))).toMatchObject({ state: 'APPROVED' });
  });
});

describe('a refund at the channel', () => {
  it('that fails is told, frees its sum, and is tried again under another number', async () => {
    const { refundId, payment } = await passed(app, 3_393);
    const { refundNo } = await refundOf(app, refundId);
    const { refundBatchId } = await executed(app, [refundId]);
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'FAILED', failReason: '模拟支付渠道：账户异常' });
    expect((await batchOf(app, refundBatchId)).batch).toMatchObject({ status: 'PART_FAILED', failCount: 1 });
    expect(await told(refundFailed.name, refundNo)).toMatchObject([{ refundNo, sourceType: 'MANUAL', amount: 3_393 }]);
    expect(await paymentOf(app, payment.paymentNo)).toMatchObject({ reservedFen: '0' });
    const again = { refundId, version: await refundVersion(app, refundId), way: 'ORIGINAL' as const };
    expect(await app.ok(reopenRefund, again, { as: maker })).toMatchObject({ state: 'APPROVED' });
    const sent = vi.spyOn(channelOf(), 'refund');
    await executed(app, [refundId]);
    expect(sent.mock.calls.map(([{ refundNo: number }]) => number)).toEqual([`${refundNo}-2`]);
    // What became of it in the first batch stays there.
    expect((await batchOf(app, refundBatchId)).items).toMatchObject([{ outcome: 'FAILED' }]);
  });

  it('that is not known is asked for and never sent again', async () => {
    const { refundId, payment } = await passed(app, 3_394);
    const sent = vi.spyOn(channelOf(), 'refund');
    const { refundBatchId } = await executed(app, [refundId]);
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'UNKNOWN' });
    expect((await batchOf(app, refundBatchId)).batch).toMatchObject({ status: 'RUNNING', unknownCount: 1 });
    expect(await app.ok(queryRefundResult, { refundId }, { as: maker })).toMatchObject({ state: 'UNKNOWN' });
    expect(await app.refused(queryRefundResult, { refundId }, { as: maker })).toMatchObject({ code: 'SCM90011' });
    await app.advance(minutes(16));
    const done = await refundOf(app, refundId);
    expect(done).toMatchObject({ status: 'SUCCESS' });
    expect(sent).toHaveBeenCalledTimes(1);
    expect((await batchOf(app, refundBatchId)).batch).toMatchObject({ status: 'DONE', okCount: 1, unknownCount: 0 });
    expect(await paymentOf(app, payment.paymentNo)).toMatchObject({ refundedFen: '3394', reservedFen: '3394' });
    expect(await told(refundSucceeded.name, done.refundNo)).toHaveLength(1);
  });

  it('that the channel has never seen counts as failed only after two hours and two answers', async () => {
    const { refundId } = await passed(app);
    vi.spyOn(channelOf(), 'refund').mockResolvedValue(unknownRefund);
    vi.spyOn(channelOf(), 'queryRefund').mockResolvedValue(null);
    await executed(app, [refundId]);
    await app.advance(minutes(100));
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'UNKNOWN' });
    await app.advance(minutes(90));
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'FAILED', failReason: '支付渠道没有这笔退款' });
  });

  it('whose process died is found again: before it was sent, and after', async () => {
    for (const wasSent of [false, true]) {
      const { refundId, payment } = await passed(app);
      const { refundNo } = await refundOf(app, refundId);
      const asks = vi.spyOn(channelOf(), 'refund').mockRejectedValueOnce(new Error('killed'));
      await executed(app, [refundId]);
      asks.mockRestore();
      expect(await refundOf(app, refundId)).toMatchObject({ status: 'PROCESSING' });
      if (wasSent)
        await channelOf().refund({ tradeNo: payment.paymentNo, refundNo, amountFen: 3_333, totalFen: 10_000, reason: '协商退款' });
      const again = vi.spyOn(channelOf(), 'refund');
      await app.advance(minutes(10));
      expect(await refundOf(app, refundId)).toMatchObject({ status: 'SUCCESS' });
      expect(again).toHaveBeenCalledTimes(wasSent ? 0 : 1);
      vi.restoreAllMocks();
      playOrders();
    }
  });

  it('of an after-sale goes by itself, once; one that cannot is told as failed', async () => {
    const { order, id, paymentNo } = await paid(app);
    const sale = {
      afterSaleId: '77001',
      orderId: order.orderId,
      orderNo: order.orderNo,
      cause: 'AFTER_SALE',
      cashAmount: 4_000,
      paymentNo: null,
    };
    for (let n = 0; n < 2; n += 1) await acting(app, (ctx) => refundAfterSale(app.kernel, ctx, sale));
    await acting(app, (ctx) => refundAfterSale(app.kernel, ctx, { ...sale, afterSaleId: '77002', cashAmount: 0 }));
    await acting(app, (ctx) => refundAfterSale(app.kernel, ctx, { ...sale, afterSaleId: '77003', cashAmount: 6_001, paymentNo }));
    await app.runDue();
    const [first, second, ...more] = await refundsOf(app, id);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ status: 'SUCCESS', sourceType: 'AFTER_SALE', sourceId: '77001', amountFen: '4000' });
    expect(second).toMatchObject({ status: 'FAILED', failReason: '可退金额为60.00元' });
    expect(await told(refundSucceeded.name, first!.refundNo)).toMatchObject([{ sourceId: '77001', amount: 4_000 }]);
    expect(await told(refundFailed.name, second!.refundNo)).toMatchObject([{ sourceId: '77003', reason: '可退金额为60.00元' }]);
    expect(await paymentOf(app, paymentNo)).toMatchObject({ reservedFen: '4000', refundedFen: '4000' });
  });
});

describe('a refund by transfer', () => {
  it('follows one that failed, and is looked at by another person first', async () => {
    const { refundId } = await passed(app, 3_393);
    await executed(app, [refundId]);
    const wanted = { refundId, version: await refundVersion(app, refundId), way: 'OFFLINE' as const };
    expect(await app.refused(reopenRefund, wanted, { as: maker })).toMatchObject({ code: 'SCM90020' });
    const { version } = await app.ok(reopenRefund, { ...wanted, ...PAYEE }, { as: maker });
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'PENDING_AUDIT', payeeAccountMasked: '************7890' });
    expect(await app.refused(auditRefund, { refundId, version, decision: 'approve' }, key(maker))).toMatchObject({ code: 'SCM20003' });
    expect((await app.ok(revealRefundPayee, { id: refundId }, { as: maker })).value).toBe(PAYEE.payeeAccount);
  });

  it('needs its paper and a second person', async () => {
    const { refundId, version, refundBatchId, payment } = await transfer(app);
    expect(await refundOf(app, refundId)).toMatchObject({ status: 'PROCESSING', way: 'OFFLINE' });
    const cashier = await keeper(app);
    const wanted = { refundId, version, result: 'PAID' as const, bankSerialNo: `SN${refundId}`, paidOn: app.clock.today() };
    expect(await app.refused(confirmOfflineRefund, wanted, key(cashier))).toMatchObject({ code: 'SCM90020' });
    const told = { ...wanted, voucherFileId: await voucher(app, cashier) };
    expect(await app.refused(confirmOfflineRefund, { ...told, paidOn: plusDays(app.clock.today(), 1) }, key(cashier))).toMatchObject({
      code: 'SCM90020',
    });
    const registered = await app.ok(confirmOfflineRefund, told, key(cashier));
    expect(registered).toMatchObject({ state: 'CHECKING' });
    const verdict = { refundId, version: registered.version, decision: 'confirm' as const };
    expect(await app.refused(auditOfflineRefund, verdict, key(cashier))).toMatchObject({ code: 'SCM20003' });
    const denied = await app.ok(auditOfflineRefund, { ...verdict, decision: 'deny', opinion: '金额不清' }, key(maker));
    expect(denied).toMatchObject({ state: 'PROCESSING' });
    const second = await app.ok(
      confirmOfflineRefund,
      { ...told, version: denied.version, voucherFileId: await voucher(app, cashier) },
      key(cashier),
    );
    await app.ok(auditOfflineRefund, { ...verdict, version: second.version }, key(maker));
    const { refund, voucher: paper } = await app.ok(queryRefundDetail, { refundId }, { as: maker });
    expect(refund).toMatchObject({ status: 'SUCCESS', channelRefundNo: `SN${refundId}` });
    expect(paper).toMatchObject({ fileName: '转账凭证.pdf' });
    expect((await batchOf(app, refundBatchId)).batch).toMatchObject({ status: 'DONE' });
    expect(await paymentOf(app, payment.paymentNo)).toMatchObject({ refundedFen: '3333' });
  });

  it('that the bank returned fails, so that its account can be put right', async () => {
    const { refundId, version } = await transfer(app);
    const wanted = { refundId, version, result: 'FAILED' as const };
    expect(await app.refused(confirmOfflineRefund, wanted, key(maker))).toMatchObject({ code: 'SCM90020' });
    expect(await app.ok(confirmOfflineRefund, { ...wanted, failReason: '户名不符' }, key(maker))).toMatchObject({ state: 'FAILED' });
  });

  it('is a matter of transfers alone', async () => {
    const { refundId } = await passed(app, 3_394);
    await executed(app, [refundId]);
    const wanted = { refundId, version: await refundVersion(app, refundId), result: 'FAILED' as const, failReason: '户名不符' };
    expect(await app.refused(confirmOfflineRefund, wanted, key(maker))).toMatchObject({ code: 'SCM90031' });
    await app.advance(hours(1));
  });
});

it('an outcome that is open for a day is somebody’s to-do, until it is known', async () => {
  const { refundId } = await passed(app);
  vi.spyOn(channelOf(), 'refund').mockResolvedValue(unknownRefund);
  const asks = vi.spyOn(channelOf(), 'queryRefund').mockResolvedValue(unknownRefund);
  await executed(app, [refundId]);
  await app.advance(days(1) + hours(2));
  const todos = async () =>
    (
      await sql<{ state: string }>`
        select state from identity_notice where business_key = ${`invoice.refund.unknown.${refundId}`}`.execute(app.db)
    ).rows.map(({ state }) => state);
  expect(await todos()).toEqual(['PUBLISHED']);
  asks.mockResolvedValue({ state: 'SUCCESS', channelRefundNo: '5001', failReason: null });
  await app.advance(hours(2));
  expect(await refundOf(app, refundId)).toMatchObject({ status: 'SUCCESS' });
  expect(await todos()).toEqual(['DONE']);
});
