import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { days, hours, minutes, plusMs } from '#kernel/contract/time.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { uploadPaper } from '#testing/uploads.ts';
import { createConsultOrder } from '../../contract/calls/consultOrders.ts';
import {
  addConsultRefund,
  auditConsultRefund,
  auditRefundResult,
  previewConsultRefund,
  registerRefundResult,
} from '../../contract/calls/refunds.ts';
import { REFUND_PROOF } from '../../contract/purposes.ts';
import { advance, eventsOf, makeOffer, paidOrder, patientOf, person, refundOnWay, signedRefusal, stored } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const once = () => ({ idempotencyKey: randomUUID() });
const refundRow = async (orderId: string) =>
  (
    await sql<{
      id: string;
      state: string;
      amountFen: string;
      askedAt: string | null;
    }>`select id, state, amount_fen, asked_at from doctor_consult_refund where order_id = ${orderId} order by id desc limit 1`.execute(
      app.db,
    )
  ).rows[0]!;

/** Seven of twenty replies used. */
async function served(price = 9900) {
  const { openingId } = await makeOffer(app, {}, { priceFen: price });
  const order = await paidOrder(app, { openingId });
  await advance(app, order.orderId, 'ACCEPT');
  await advance(app, order.orderId, 'FIRST_REPLY', 1);
  await advance(app, order.orderId, 'REPLY', 7);
  return order;
}
const wish = (orderId: string, amountFen: number, reason: 'PATIENT' | 'COMPLAINT' = 'PATIENT') => ({
  orderId,
  amountFen,
  reason,
  opinion: '患者要求退款',
});

describe('a refund', () => {
  it('is computed, limited, decided by a second person, and never doubled', async () => {
    const maker = await person(app);
    const checker = await person(app, 'checker');
    const order = await served();
    expect((await app.ok(previewConsultRefund, { orderId: order.orderId, reason: 'PATIENT' }, { as: maker })).calc).toMatchObject({
      rule: 'REPLIES',
      total: 20,
      used: 7,
      proposedFen: 6435,
      limitFen: 6435,
    });
    expect(await app.refused(addConsultRefund, wish(order.orderId, 6436), { as: maker, ...once() })).toMatchObject({
      code: 'SCM07072',
      message: '退款金额超过可退金额（64.35元）',
    });
    const { id, state } = await app.ok(addConsultRefund, wish(order.orderId, 6435), { as: maker, ...once() });
    expect(state).toBe('APPLIED');
    expect(await app.refused(addConsultRefund, wish(order.orderId, 100), { as: maker, ...once() })).toMatchObject({ code: 'SCM07073' });
    expect(await app.refused(auditConsultRefund, { refundId: id, action: 'approve' }, { as: maker, ...once() })).toMatchObject({
      code: 'SCM07075',
    });
    expect(await app.refused(auditConsultRefund, { refundId: id, action: 'reject' }, { as: checker, ...once() })).toMatchObject({
      code: 'SCM90020',
    });
    const answers = await Promise.all(
      [1, 2].map(() => app.send(auditConsultRefund, { refundId: id, action: 'approve' }, { as: checker, ...once() })),
    );
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM90031']);
    await app.runDue();
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'SERVING', refundedFen: '6435' });
    expect(await eventsOf(app, 'doctor.consultOrder.refunded', order.orderId)).toEqual([
      expect.objectContaining({ refundFen: 6435, refundedFen: 6435, result: 'PART' }),
    ]);
    expect(await app.refused(addConsultRefund, wish(order.orderId, 3466, 'COMPLAINT'), { as: maker, ...once() })).toMatchObject({
      code: 'SCM07072',
    });
    await app.ok(addConsultRefund, wish(order.orderId, 3465, 'COMPLAINT'), { as: maker, ...once() });
    await app.runDue();
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: '9900' });
  });

  it('in small parts waits for a second person as soon as the parts together would', async () => {
    const maker = await person(app);
    const { orderId } = await served(20_000);
    const left = async () => (await app.ok(previewConsultRefund, { orderId, reason: 'COMPLAINT' }, { as: maker })).autoFen;
    expect(await left()).toBe(5000);
    const first = await app.ok(addConsultRefund, wish(orderId, 3000, 'COMPLAINT'), { as: maker, ...once() });
    expect(first.state).toBe('PENDING');
    await app.runDue();
    expect(await left()).toBe(2000);
    expect(await app.ok(addConsultRefund, wish(orderId, 2001, 'COMPLAINT'), { as: maker, ...once() })).toMatchObject({ state: 'APPLIED' });
  });

  it('that two ask for at once is written once', async () => {
    const maker = await person(app);
    const order = await served();
    const answers = await Promise.all([1, 2, 3].map(() => app.send(addConsultRefund, wish(order.orderId, 6000), { as: maker, ...once() })));
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM07073', 'SCM07073']);
  });

  it('that is refused leads back; a completion in between follows the refund and tells it', async () => {
    const maker = await person(app);
    const checker = await person(app, 'checker');
    const order = await served();
    const { patientId, openingId } = await stored(app, order.orderId);
    const first = await app.ok(addConsultRefund, wish(order.orderId, 6435), { as: maker, ...once() });
    // Another order of the same would stand in the way back.
    expect(await signedRefusal(app, createConsultOrder, { patient: patientOf(patientId), openingId })).toMatchObject({ code: 'SCM07079' });
    await app.ok(auditConsultRefund, { refundId: first.id, action: 'reject', opinion: '服务已提供' }, { as: checker, ...once() });
    expect((await stored(app, order.orderId)).state).toBe('SERVING');
    const second = await app.ok(addConsultRefund, wish(order.orderId, 6435), { as: maker, ...once() });
    expect(await advance(app, order.orderId, 'COMPLETE', 7)).toMatchObject({ state: 'REFUNDING' });
    await app.ok(auditConsultRefund, { refundId: second.id, action: 'approve' }, { as: checker, ...once() });
    await app.runDue();
    expect((await stored(app, order.orderId)).state).toBe('COMPLETED');
    expect(await eventsOf(app, 'doctor.consultOrder.completed', order.orderId)).toEqual([expect.objectContaining({ refundedFen: 6435 })]);
    await app.advance(days(7) + minutes(1), ['doctor']);
    expect(await app.refused(addConsultRefund, wish(order.orderId, 1, 'COMPLAINT'), { as: await person(app), ...once() })).toMatchObject({
      code: 'SCM07074',
    });
  });

  it('that the channel refuses or does not know is told, asked again, and never guessed', async () => {
    const maker = await person(app);
    const failing = await served();
    await app.ok(addConsultRefund, wish(failing.orderId, 4993, 'COMPLAINT'), { as: maker, ...once() });
    await app.runDue();
    expect(await refundRow(failing.orderId)).toMatchObject({ state: 'FAILED' });
    expect((await stored(app, failing.orderId)).state).toBe('SERVING');

    const open = await served();
    await app.ok(addConsultRefund, wish(open.orderId, 4994, 'COMPLAINT'), { as: maker, ...once() });
    await app.runDue();
    expect(await refundRow(open.orderId)).toMatchObject({ state: 'UNKNOWN' });
    expect((await stored(app, open.orderId)).state).toBe('REFUNDING');
    // Asked 1, 5 and 15 minutes afterwards, not at every run between.
    const asked = async () => {
      const at = new Set<string | null>();
      for (let minute = 0; minute < 5; minute += 1) {
        await app.advance(minutes(1));
        at.add((await refundRow(open.orderId)).askedAt);
      }
      return at;
    };
    expect((await asked()).size).toBe(2);
    expect(await refundRow(open.orderId)).toMatchObject({ state: 'UNKNOWN' });
    await app.advance(minutes(11));
    await app.runDue();
    expect(await refundRow(open.orderId)).toMatchObject({ state: 'SUCCESS' });
    expect(await stored(app, open.orderId)).toMatchObject({ state: 'SERVING', refundedFen: '4994' });
  });

  it('that is open ends by what one found out of the channel with proof and another one confirmed', async () => {
    const [maker, checker] = [await person(app), await person(app, 'checker')];
    const refundId = await refundOnWay(app, maker);
    const audit = (action: 'confirm' | 'dismiss', as = checker, opinion = '与渠道账单一致') =>
      app.send(auditRefundResult, { refundId, action, opinion }, { as, ...once() });
    const found = async (outcome: 'SUCCESS' | 'FAILED', more: object = {}) => ({
      refundId,
      outcome,
      fileId: await uploadPaper(app, maker, REFUND_PROOF),
      opinion: '渠道后台已查询',
      ...more,
    });
    expect((await audit('confirm')).envelope).toMatchObject({ code: 'SCM07080' });
    expect(await app.refused(registerRefundResult, await found('SUCCESS'), { as: maker, ...once() })).toMatchObject({
      code: 'SCM90020',
      fields: [{ path: 'channelRefundNo', message: '渠道已退款的，请填写渠道退款单号' }],
    });
    const foreign = { ...(await found('FAILED')), fileId: await uploadPaper(app, checker, REFUND_PROOF) };
    expect(await app.refused(registerRefundResult, foreign, { as: maker, ...once() })).toMatchObject({ code: 'SCM02014' });
    await app.ok(registerRefundResult, await found('FAILED'), { as: maker, ...once() });
    expect((await audit('confirm', maker)).envelope).toMatchObject({ code: 'SCM07075' });
    expect((await audit('dismiss', checker, '')).envelope).toMatchObject({ code: 'SCM90020' });
    expect((await audit('dismiss')).envelope).toMatchObject({ code: '0000000' });
    expect((await audit('confirm')).envelope).toMatchObject({ code: 'SCM07080' });
    await app.ok(registerRefundResult, await found('SUCCESS', { channelRefundNo: '5030020261121' }), { as: maker, ...once() });
    const decided = await Promise.all(Array.from({ length: 20 }, async () => (await audit('confirm')).envelope.code));
    expect(decided.toSorted()).toEqual(['0000000', ...Array.from({ length: 19 }, () => 'SCM90031')]);
    // The channel's own answer comes later and changes nothing.
    await app.advance(minutes(20));
    const { rows } = await sql<{ refunded: string; state: string; no: string }>`
      select o.refunded_fen as refunded, r.state, r.channel_refund_no as no
        from doctor_consult_refund r join doctor_consult_order o on o.id = r.order_id
        where r.id = ${refundId}`.execute(app.db);
    expect(rows).toEqual([{ refunded: '4994', state: 'SUCCESS', no: '5030020261121' }]);
  });

  it('that is open for a day is a to-do, which is done with its outcome', async () => {
    const { orderId } = await served();
    await app.ok(addConsultRefund, wish(orderId, 4994, 'COMPLAINT'), { as: await person(app), ...once() });
    await app.runDue();
    const { id } = await refundRow(orderId);
    await sql`
      update kernel_pay_simulated_refund
        set unknown_until = ${plusMs(app.clock.now(), hours(27))}::timestamptz
        where refund_no = (select refund_no from doctor_consult_refund where id = ${id})`.execute(app.db);
    const todo = async () =>
      (
        await sql<{ state: string }>`
          select state from identity_notice where business_key = ${`doctor.consultRefund.unknown.${id}`}`.execute(app.db)
      ).rows;
    await app.advance(hours(23), ['doctor']);
    expect(await todo()).toEqual([]);
    await app.advance(hours(2));
    expect(await todo()).toEqual([{ state: 'PUBLISHED' }]);
    await app.advance(hours(4));
    expect(await refundRow(orderId)).toMatchObject({ state: 'SUCCESS' });
    expect(await todo()).toEqual([{ state: 'DONE' }]);
  });
});
