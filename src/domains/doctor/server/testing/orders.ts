import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AnswerOf, InputOf } from '#kernel/contract/call.ts';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { asSystem } from '#kernel/server/command/acting.ts';
import { signScan } from '#domains/channel/server/landing/scanToken.ts';
import { signedHeaders } from '#testing/signing.ts';
import type { TestStaff } from '#testing/staff.ts';
import type { TestApp } from '#testing/testApp.ts';
import { advanceConsultOrder, createConsultOrder, type notifyConsultPay } from '../../contract/calls/consultOrders.ts';
import { addConsultRefund } from '../../contract/calls/refunds.ts';
import { attributeDoctor } from '../attribution/attribute.ts';
import { makeItem, makeSeller, openFor, operator } from './services.ts';

let serial = 50_000;
export const nextPatient = () => String((serial += 1));
type Call = Parameters<TestApp['ok']>[0];

/** A machine's signed call. */
export const signed = async <C extends Call>(app: TestApp, call: C, input: InputOf<C>): Promise<AnswerOf<C>> =>
  app.ok(call, input, { headers: await signedHeaders(app, call, input) });
export const signedRefusal = async <C extends Call>(app: TestApp, call: C, input: InputOf<C>) =>
  app.refused(call, input, { headers: await signedHeaders(app, call, input) });

export interface Offer {
  openingId: string;
  itemId: string;
  doctorId: string;
}

type ItemChange = Parameters<typeof makeItem>[1];
/** A doctor who sells one item. */
export async function makeOffer(app: TestApp, item: ItemChange = {}, opening: Parameters<typeof openFor>[1] = {}): Promise<Offer> {
  const doctorId = await makeSeller(app);
  const itemId = await makeItem(app, item);
  const { id } = await openFor(app, { doctorId, itemId, priceFen: 9900, ...opening });
  return { openingId: id, itemId, doctorId };
}

export const patientOf = (patientId = nextPatient()) => ({ patientId, name: '张建国', mobile: '13800001234' });

export async function makeOrder(app: TestApp, change: Partial<InputOf<typeof createConsultOrder>> = {}) {
  const openingId = change.openingId ?? (await makeOffer(app)).openingId;
  return signed(app, createConsultOrder, { patient: patientOf(), ...change, openingId });
}
let trade = 0;
type PayNotice = InputOf<typeof notifyConsultPay>;
/** What a gateway says of an order, whether anybody paid or not. */
export const payOf = (app: TestApp, order: { orderNo: string; payFen: number }, change: Partial<PayNotice> = {}): PayNotice => ({
  payChannel: 'WECHAT',
  orderNo: order.orderNo,
  channelTradeNo: `4200${(trade += 1)}`,
  amountFen: order.payFen,
  paidAt: app.clock.now(),
  ...change,
});
/** The channel took the money, and nobody has told us yet. @returns what a gateway says of it */
export async function paidAtChannel(app: TestApp, order: { orderNo: string; payFen: number }, change: Partial<PayNotice> = {}) {
  const notice = payOf(app, order, change);
  await sql`
    insert into kernel_pay_simulation (channel, trade_no, amount_fen, subject, state, channel_trade_no, paid_at, created_at)
      values (${notice.payChannel}, ${order.orderNo}, ${notice.amountFen}, 'x', 'PAID', ${notice.channelTradeNo}, ${notice.paidAt},
        ${app.clock.now()})
      on conflict (channel, trade_no) do update
      set amount_fen = excluded.amount_fen, state = 'PAID', channel_trade_no = excluded.channel_trade_no, paid_at = excluded.paid_at,
        unknown_until = null`.execute(app.db);
  return notice;
}
/** Paid through the simulated channel, so that refunds find their payment. */
export async function paidOrder(app: TestApp, change: Partial<InputOf<typeof createConsultOrder>> = {}) {
  const order = await makeOrder(app, change);
  await payBySimulator(app, order.payUrl!);
  return order;
}
export async function payBySimulator(app: TestApp, payUrl: string, outcome = 'SUCCESS') {
  const url = new URL(payUrl).pathname;
  await app.inject({ method: 'GET', url });
  return app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `outcome=${outcome}`,
  });
}
export const advance = (app: TestApp, orderId: string, step: InputOf<typeof advanceConsultOrder>['step'], usedReplies = 0) =>
  signed(app, advanceConsultOrder, { orderId, step, usedReplies });

/** Orders' rows as they are stored. */
export async function stored(app: TestApp, orderId: string) {
  const { rows } = await sql<{
    state: string;
    payFlag: string | null;
    refundedFen: string;
    slotHeld: boolean;
    channelId: string | null;
    assistantId: string | null;
    patientId: string;
    openingId: string;
    version: number;
  }>`
    select state, pay_flag, refunded_fen, slot_held, channel_id, assistant_id, patient_id, opening_id, version
      from doctor_consult_order
      where id = ${orderId}`.execute(app.db);
  return rows[0]!;
}
export async function eventsOf(app: TestApp, name: string, aggregateId: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<{
    payload: Record<string, unknown>;
  }>`select payload from kernel_outbox where name = ${name} and aggregate_id = ${aggregateId} order by seq`.execute(app.db);
  return rows.map(({ payload }) => payload);
}

/** A browser that scanned a channel's code at some time. @returns the proof that the landing page hands out. */
export async function scanned(
  app: TestApp,
  channelId: string,
  visitorId: string,
  at = plusMs(app.clock.now(), -minutes(60)),
  doctorId: string | null = null,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into channel_qr_scan (code_id, token, channel_id, doctor_id, at, visitor_id, ip_hash, client, os, is_new, counted, result)
      values (null, 'AAAAAAAAAA', ${channelId}, ${doctorId}, ${at}, ${visitorId}, 'x', 'WECHAT', 'iOS', false, false, 'OK')
      returning id`.execute(app.db);
  return signScan(app.kernel.secrets, { scanId: rows[0]!.id, codeId: '1', visitorId, issuedAt: at });
}

export const acting = <T>(app: TestApp, work: (ctx: ReturnType<typeof asSystem>) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => work(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

/** A doctor with his attribution. */
export async function attributedDoctor(app: TestApp, scanToken?: string): Promise<string> {
  const doctorId = await makeSeller(app);
  await acting(app, (ctx) => attributeDoctor(app.kernel, ctx, { doctorId, ...(scanToken === undefined ? {} : { scanToken }) }));
  return doctorId;
}
export const person = (app: TestApp, name = 'maker'): Promise<TestStaff> => operator(app, name);

/** A refund whose outcome the channel keeps to itself for ten minutes. @returns its id */
export async function refundOnWay(app: TestApp, as: TestStaff): Promise<string> {
  const { orderId } = await paidOrder(app);
  const wish = { orderId, amountFen: 4994, reason: 'COMPLAINT' as const, opinion: '患者投诉' };
  const { id } = await app.ok(addConsultRefund, wish, { as, idempotencyKey: randomUUID() });
  await app.runDue();
  return id;
}
