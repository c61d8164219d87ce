import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onInquiryChanged } from '../assistants/load.ts';
import { hours, minutes } from '#kernel/contract/time.ts';
import { inquiryEnded, inquiryReopened } from '#events/consultation.ts';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { liveVip } from '#domains/channel/server/testing/fixtures.ts';
import { bindAccount } from '#domains/patient/contract/calls/intranet.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { signedHeaders } from '#testing/signing.ts';
import {
  advanceConsultOrder,
  cancelPayConsultation,
  createConsultOrder,
  notifyConsultPay,
  queryPayConsultationDetail,
  queryPayConsultationList,
  syncPayConsultation,
} from '../../contract/calls/consultOrders.ts';
import { ordersModule } from './module.ts';
import { refundWaitingOf } from './onDoctorChanged.ts';
import {
  acting,
  advance,
  eventsOf,
  makeOffer,
  makeOrder,
  nextPatient,
  paidOrder,
  patientOf,
  payBySimulator,
  paidAtChannel,
  payOf,
  person,
  scanned,
  signed,
  signedRefusal,
  stored,
} from '../testing/orders.ts';
import { mondayMorning, videoItem } from '../testing/services.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  // What the nightly check looks for must not be there after all this.
  for (const [name, statement] of ordersModule.invariants ?? []) {
    const { rows } = await sql.raw<{ n: number }>(statement).execute(app.db);
    expect(rows[0]!.n, name).toBe(0);
  }
  await app.close();
});

const slotAt = '2026-11-23T01:00:00.000Z';
const video = (quota = 1) => makeOffer(app, { ...videoItem }, { slots: mondayMorning.map((slot) => ({ ...slot, quota })) });

describe('a purchase', () => {
  it('is refused where the doctor is off, the time is not offered, or the same service runs', async () => {
    const offer = await video();
    const patient = patientOf();
    const input = { patient, openingId: offer.openingId };
    expect(await signedRefusal(app, createConsultOrder, { ...input, openingId: '999999999' })).toMatchObject({ code: 'SCM90040' });
    expect(await signedRefusal(app, createConsultOrder, input)).toMatchObject({ code: 'SCM90020', message: expect.stringContaining('') });
    expect((await signedRefusal(app, createConsultOrder, { ...input, slotAt: '2026-11-24T01:00:00.000Z' })).fields).toEqual([
      { path: 'slotAt', message: '请选择可预约的时段' },
    ]);
    await sql`update doctor_doctor set accept_state = 'OFF', off_until = '2026-11-21' where id = ${offer.doctorId}`.execute(app.db);
    expect(await signedRefusal(app, createConsultOrder, { ...input, slotAt })).toMatchObject({ code: 'SCM07077', message: '医生已停诊' });
    await sql`update doctor_doctor set off_until = '2026-11-20', off_from = '2026-11-19' where id = ${offer.doctorId}`.execute(app.db);
    const order = await signed(app, createConsultOrder, { ...input, slotAt });
    expect(order).toMatchObject({
      state: 'WAIT_PAY',
      payFen: 9900,
      expireAt: '2026-11-21T02:15:00.000Z',
      payUrl: expect.stringContaining(`/pay/${order.orderNo}.`),
    });
    expect(await signedRefusal(app, createConsultOrder, { ...input, slotAt })).toMatchObject({ code: 'SCM07076' });
    await sql`update doctor_opening_slot set quota = 2 where opening_id = ${offer.openingId}`.execute(app.db);
    expect(await signedRefusal(app, createConsultOrder, { ...input, slotAt })).toMatchObject({ code: 'SCM07079' });
  });

  it('of the last place by two at once makes one order; unpaid for 15 minutes it is free again', async () => {
    const { openingId } = await video();
    const buy = async () => {
      const input = { patient: patientOf(), openingId, slotAt };
      return app.send(createConsultOrder, input, { headers: await signedHeaders(app, createConsultOrder, input) });
    };
    const answers = await Promise.all([buy(), buy(), buy()]);
    expect(answers.map(({ envelope }) => envelope.code).toSorted()).toEqual(['0000000', 'SCM07076', 'SCM07076']);
    const won = answers.find(({ envelope }) => envelope.code === '0000000')!.envelope.data as { orderId: string };
    await app.advance(minutes(14));
    await app.runDue();
    expect((await stored(app, won.orderId)).state).toBe('WAIT_PAY');
    await app.advance(minutes(1));
    await app.runDue();
    expect(await stored(app, won.orderId)).toMatchObject({ state: 'CLOSED', slotHeld: false });
    expect(await eventsOf(app, 'doctor.consultOrder.closed', won.orderId)).toHaveLength(1);
    expect((await buy()).envelope.code).toBe('0000000');
  });

  it('through a VIP channel is cheaper, never below the band, and dearer again when the budget is used up', async () => {
    const vip = await liveVip(app, { totalBudgetFen: 2_000, defaultDiscountBp: 1250 });
    const scanToken = await scanned(app, vip.channelId, 'visitor-vip');
    const offer = await makeOffer(app);
    const first = await makeOrder(app, { openingId: offer.openingId, patient: patientOf(), scanToken });
    expect(first).toMatchObject({ priceFen: 9900, discountFen: 1237, payFen: 8663, discountSource: 'VIP', budgetUsedUp: false });
    const second = await makeOrder(app, { openingId: offer.openingId, patient: patientOf(), scanToken });
    expect(second).toMatchObject({ discountFen: 0, payFen: 9900, discountSource: 'NONE', budgetUsedUp: true });
    // The closed order gives its discount back.
    await advance(app, first.orderId, 'PATIENT');
    const third = await makeOrder(app, { openingId: offer.openingId, patient: patientOf(), scanToken });
    expect(third).toMatchObject({ discountFen: 1237 });
    // So does one that nobody pays, once.
    const used = async () =>
      (await sql<{ usedFen: string }>`select used_fen from channel_vip where id = ${vip.id}`.execute(app.db)).rows[0]!.usedFen;
    expect(await used()).toBe('1237');
    await app.advance(hours(2));
    await app.runDue();
    await app.runDue();
    expect([(await stored(app, third.orderId)).state, await used()]).toEqual(['CLOSED', '0']);
    const dear = await makeOffer(app, {
      priceBands: {
        CHIEF: { minFen: 9_000, defaultFen: 9_900, maxFen: 20_000 },
        ASSOCIATE: { minFen: 9_000, defaultFen: 9_900, maxFen: 20_000 },
        ATTENDING: { minFen: 9_000, defaultFen: 9_900, maxFen: 20_000 },
        RESIDENT: { minFen: 9_000, defaultFen: 9_900, maxFen: 20_000 },
      },
    });
    const { channelId } = await liveVip(app, { defaultDiscountBp: 1250 });
    expect(await makeOrder(app, { openingId: dear.openingId, scanToken: await scanned(app, channelId, 'visitor-vip2') })).toMatchObject({
      discountFen: 900,
      payFen: 9000,
    });
  });
});

describe('a payment', () => {
  it('of another amount is flagged and not counted; the right notice counts once, however often it comes', async () => {
    const order = await makeOrder(app);
    expect(await signedRefusal(app, notifyConsultPay, await paidAtChannel(app, order, { amountFen: order.payFen - 1 }))).toMatchObject({
      code: 'SCM07070',
    });
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'WAIT_PAY', payFlag: 'AMOUNT' });
    const notice = await paidAtChannel(app, order);
    const send = async () =>
      (await app.send(notifyConsultPay, notice, { headers: await signedHeaders(app, notifyConsultPay, notice) })).envelope;
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ code, data }) => `${code}/${(data as { outcome: string }).outcome}`).toSorted()).toEqual([
      '0000000/PAID',
      '0000000/REPEATED',
      '0000000/REPEATED',
    ]);
    expect(await eventsOf(app, 'doctor.consultOrder.paid', order.orderId)).toEqual([
      expect.objectContaining({
        orderNo: order.orderNo,
        payFen: 9900,
        itemSnapshot: expect.objectContaining({ quotaReplies: 20, acceptHours: 24 }),
      }),
    ]);
    expect(await signed(app, notifyConsultPay, await paidAtChannel(app, order))).toMatchObject({ outcome: 'TWICE', state: 'PAID' });
  });

  it('of an order that an assistant’s load knows already counts, and the load is his who gets it', async () => {
    const offer = await makeOffer(app);
    const order = await makeOrder(app, { openingId: offer.openingId });
    const news = { orderId: order.orderId, inquiryId: '990001', doctorId: offer.doctorId, assistantId: null, open: true, seq: 0 };
    await acting(app, (ctx) => onInquiryChanged(ctx, news));
    expect(await signed(app, notifyConsultPay, await paidAtChannel(app, order))).toMatchObject({ outcome: 'PAID' });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from doctor_assistant a
        where a.active_count <> (select count(*) from doctor_assistant_load l where l.assistant_id = a.id and l.open)`.execute(app.db);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('that a gateway reports counts only as the channel knows it', async () => {
    const order = await makeOrder(app);
    const told = payOf(app, order);
    expect(await signedRefusal(app, notifyConsultPay, told)).toMatchObject({ code: 'SCM07078' });
    await payBySimulator(app, order.payUrl!, 'UNKNOWN');
    expect(await signedRefusal(app, notifyConsultPay, told)).toMatchObject({ code: 'SCM07071' });
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'WAIT_PAY', payFlag: null });
    const paid = await paidAtChannel(app, order);
    expect(await signedRefusal(app, notifyConsultPay, told)).toMatchObject({ code: 'SCM07078' });
    // The gateway's amount and time are its own; what the channel took counts.
    expect(await signed(app, notifyConsultPay, { ...paid, amountFen: 1, paidAt: '2026-01-01T00:00:00.000Z' })).toMatchObject({
      outcome: 'PAID',
      state: 'PAID',
    });
    const { rows } = await sql<{ amountFen: string; paidAt: string }>`
      select amount_fen, paid_at from doctor_pay_notice where channel_trade_no = ${paid.channelTradeNo}`.execute(app.db);
    expect(rows).toMatchObject([{ amountFen: String(order.payFen) }]);
  });

  it('of 86.62 for 86.63 is flagged; the right one, however often it comes, opens one inquiry (scenario 16)', async () => {
    const { channelId } = await liveVip(app, { defaultDiscountBp: 1250 });
    const { openingId } = await makeOffer(app);
    const { id: patientId } = await makePatient(app);
    await signed(app, bindAccount, {
      externalRequestNo: 'account-of-a-payer',
      operatorId: '61001',
      mobile: '13711116666',
      nick: '张建国',
      patientId,
      relation: 'SELF',
      isDefault: true,
    });
    const order = await makeOrder(app, {
      openingId,
      patient: patientOf(patientId),
      scanToken: await scanned(app, channelId, `visitor-${patientId}`),
    });
    expect(order).toMatchObject({ payFen: 8663 });
    expect(await signedRefusal(app, notifyConsultPay, await paidAtChannel(app, order, { amountFen: 8662 }))).toMatchObject({
      code: 'SCM07070',
      message: '支付金额与应付金额不一致',
    });
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'WAIT_PAY', payFlag: 'AMOUNT' });
    const notice = await paidAtChannel(app, order);
    expect((await signed(app, notifyConsultPay, notice)).outcome).toBe('PAID');
    expect((await signed(app, notifyConsultPay, notice)).outcome).toBe('REPEATED');
    await app.runDue();
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'PAID', channelId });
    expect(await eventsOf(app, 'doctor.consultOrder.paid', order.orderId)).toHaveLength(1);
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n
        from kernel_outbox
        where name = 'consultation.inquiry.opened' and payload->>'orderId' = ${order.orderId}`.execute(app.db);
    expect(rows[0]!.n).toBe(1);
  });

  it('through the page is proven by the channel; a forged link or notice does nothing', async () => {
    const order = await makeOrder(app);
    const url = new URL(order.payUrl!).pathname;
    expect((await app.inject({ method: 'GET', url: `${url.slice(0, -1)}x` })).status).toBe(404);
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/pay/notice/wechat',
          headers: { 'content-type': 'application/json', 'x-simulated-signature': 'x' },
          payload: JSON.stringify({ tradeNo: order.orderNo, channelTradeNo: '1', amountFen: 9900, paidAt: app.clock.now() }),
        })
      ).status,
    ).toBe(400);
    expect((await app.inject({ method: 'GET', url })).body.toString()).toContain('¥99.00');
    await payBySimulator(app, order.payUrl!, 'FAILURE');
    expect((await stored(app, order.orderId)).state).toBe('WAIT_PAY');
    await payBySimulator(app, order.payUrl!);
    expect((await stored(app, order.orderId)).state).toBe('PAID');
    expect((await app.inject({ method: 'GET', url })).body.toString()).toContain('支付成功');
  });

  it('with an open outcome keeps the order until the channel knows', async () => {
    const as = await person(app);
    const order = await makeOrder(app);
    await payBySimulator(app, order.payUrl!, 'UNKNOWN');
    const { version } = await stored(app, order.orderId);
    expect(await app.refused(cancelPayConsultation, { id: order.orderId, version }, { as })).toMatchObject({ code: 'SCM07071' });
    expect(await app.refused(syncPayConsultation, { id: order.orderId }, { as })).toMatchObject({ code: 'SCM07071' });
    expect(await app.refused(syncPayConsultation, { id: order.orderId }, { as })).toMatchObject({ code: 'SCM90011' });
    await app.advance(minutes(11));
    await app.runDue();
    expect((await stored(app, order.orderId)).state).toBe('PAID');
  });

  it('that comes after the order was closed goes back as a whole', async () => {
    const as = await person(app);
    const order = await makeOrder(app);
    expect(await app.refused(cancelPayConsultation, { id: order.orderId, version: 99 }, { as })).toMatchObject({ code: 'SCM90030' });
    await app.ok(cancelPayConsultation, { id: order.orderId, version: (await stored(app, order.orderId)).version }, { as });
    // The channel took the money all the same.
    await app.kernel.pay
      .channel('WECHAT')
      .create({ tradeNo: order.orderNo, amountFen: order.payFen, subject: 'x', expireAt: order.expireAt, notifyUrl: '', returnUrl: '' });
    await sql`update kernel_pay_simulation set state = 'WAITING' where trade_no = ${order.orderNo}`.execute(app.db);
    const notice = await app.kernel.pay.simulator('WECHAT')!.act(order.orderNo, 'SUCCESS');
    expect(
      (
        await app.inject({
          method: 'POST',
          url: '/pay/notice/wechat',
          headers: { ...notice!.headers, 'content-type': 'application/json' },
          payload: notice!.body,
        })
      ).status,
    ).toBe(200);
    await app.runDue();
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'CLOSED', payFlag: 'LATE', refundedFen: '9900' });
    expect(await eventsOf(app, 'doctor.consultOrder.paid', order.orderId)).toEqual([]);
  });
});

describe('a service', () => {
  it('that nobody accepts is refunded once; after the acceptance that step is refused', async () => {
    const order = await paidOrder(app);
    const answers = await Promise.all([1, 2].map(() => advance(app, order.orderId, 'NO_ACCEPT')));
    expect(answers.toSorted((a, b) => Number(a.repeated) - Number(b.repeated))).toMatchObject([
      { state: 'REFUNDING', refundFen: 9900, repeated: false },
      { repeated: true, refundFen: 0 },
    ]);
    expect(await advance(app, order.orderId, 'NO_ACCEPT')).toMatchObject({ repeated: true, refundFen: 0 });
    const { refunds } = await app.ok(queryPayConsultationDetail, { id: order.orderId }, { as: await person(app) });
    expect(refunds).toMatchObject([{ amountFen: '9900', reason: 'NO_ACCEPT', makerName: '系统', checkerName: null }]);
    await app.runDue();
    expect(await stored(app, order.orderId)).toMatchObject({ state: 'REFUNDED', refundedFen: '9900' });
    expect(await eventsOf(app, 'doctor.consultOrder.refunded', order.orderId)).toEqual([
      expect.objectContaining({ refundFen: 9900, result: 'ALL' }),
    ]);

    const accepted = await paidOrder(app);
    await advance(app, accepted.orderId, 'ACCEPT');
    expect(await signedRefusal(app, advanceConsultOrder, { orderId: accepted.orderId, step: 'NO_ACCEPT' })).toMatchObject({
      code: 'SCM90031',
    });
  });

  it('counts its replies and its completion once each, in parallel too', async () => {
    const order = await paidOrder(app);
    await advance(app, order.orderId, 'ACCEPT');
    await Promise.all([advance(app, order.orderId, 'FIRST_REPLY', 1), advance(app, order.orderId, 'FIRST_REPLY', 1)]);
    await advance(app, order.orderId, 'REPLY', 5);
    await advance(app, order.orderId, 'REPLY', 3);
    const { usedReplies } = await app.ok(queryPayConsultationDetail, { id: order.orderId }, { as: await person(app) });
    expect(usedReplies).toBe(5);
    await Promise.all([advance(app, order.orderId, 'COMPLETE', 5), advance(app, order.orderId, 'COMPLETE', 5)]);
    expect(await eventsOf(app, 'doctor.consultOrder.completed', order.orderId)).toEqual([
      expect.objectContaining({ payFen: 9900, listFen: 9900, refundedFen: 0 }),
    ]);
  });

  it('that ended may be bought again at once; until then, and when it is taken up again, it may not', async () => {
    const offer = await makeOffer(app);
    const patient = patientOf();
    const input = { openingId: offer.openingId, patient };
    const first = await paidOrder(app, input);
    await advance(app, first.orderId, 'ACCEPT');
    await advance(app, first.orderId, 'FIRST_REPLY', 1);
    const told = async (event: typeof inquiryEnded | typeof inquiryReopened, to: string) => {
      const status = {
        serverId: first.orderId,
        inquiryNo: 'WZ1',
        orderId: first.orderId,
        orderNo: first.orderNo,
        groupId: null,
        doctorId: offer.doctorId,
        patientId: patient.patientId,
        assistantId: null,
        from: '2',
        to,
        reason: null,
        at: app.clock.now(),
        serviceType: 'TEXT',
      };
      await app.kernel.transactions.run('test', ({ publish }) =>
        event === inquiryEnded
          ? publish(inquiryEnded, first.orderId, { ...status, endReason: 'DOCTOR', roundUsed: 1, doctorPatientSec: 0 })
          : publish(inquiryReopened, first.orderId, status),
      );
      await app.runDue();
    };
    expect(await signedRefusal(app, createConsultOrder, input)).toMatchObject({ code: 'SCM07079' });
    await told(inquiryEnded, '4');
    await told(inquiryReopened, '2');
    expect(await signedRefusal(app, createConsultOrder, input)).toMatchObject({ code: 'SCM07079' });
    await told(inquiryEnded, '4');
    expect((await signed(app, createConsultOrder, input)).orderId).not.toBe(first.orderId);
    // A late word of the old one changes nothing: the newer one runs.
    await told(inquiryReopened, '2');
    expect(await app.ok(queryPayConsultationDetail, { id: first.orderId }, { as: await person(app) })).toMatchObject({
      order: { state: 'SERVING' },
      endedAt: expect.any(String),
    });
    expect(await signedRefusal(app, createConsultOrder, input)).toMatchObject({ code: 'SCM07079' });
    await advance(app, first.orderId, 'COMPLETE', 1);
    expect(await stored(app, first.orderId)).toMatchObject({ state: 'COMPLETED' });
  });

  it('that consultation never opened is refunded half an hour after the deadline', async () => {
    const order = await paidOrder(app);
    await app.advance(hours(24) + minutes(29), ['doctor']);
    await app.runDue();
    expect((await stored(app, order.orderId)).state).toBe('PAID');
    expect(
      (await app.ok(queryPayConsultationList, { queue: 'OVERDUE', orderNo: order.orderNo }, { as: await person(app) })).rows,
    ).toHaveLength(1);
    await app.advance(minutes(1));
    await app.runDue();
    await app.runDue();
    expect((await stored(app, order.orderId)).state).toBe('REFUNDED');
  });

  it('of a frozen doctor ends before it began: paid ones go back, unpaid ones are closed', async () => {
    const offer = await makeOffer(app);
    const paid = await paidOrder(app, { openingId: offer.openingId });
    const unpaid = await makeOrder(app, { openingId: offer.openingId, patient: patientOf(nextPatient()) });
    const running = await paidOrder(app, { openingId: offer.openingId });
    await advance(app, running.orderId, 'ACCEPT');
    await acting(app, (ctx) => refundWaitingOf(ctx, offer.doctorId));
    await app.runDue();
    expect(
      [await stored(app, paid.orderId), await stored(app, unpaid.orderId), await stored(app, running.orderId)].map(({ state }) => state),
    ).toEqual(['REFUNDED', 'CLOSED', 'SERVING']);
  });
});
