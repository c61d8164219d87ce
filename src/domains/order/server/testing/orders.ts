import { sql } from 'kysely';
import type { InputOf } from '#kernel/contract/call.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { cardsOf } from '#domains/card/server/index.ts';
import { makeCard, makeType, openBooks } from '#domains/card/server/testing/fixtures.ts';
import { makePatient } from '#domains/patient/server/testing/fixtures.ts';
import { makeOn } from '#domains/pharma/server/testing/fixtures.ts';
import { machineClient, partnerStore, signedHeaders, type MachineWish } from '#testing/signing.ts';
import type { TestApp } from '#testing/testApp.ts';
import { createOrder } from '../../contract/calls/openOrders.ts';
import { auditRx, claimRx } from '../../contract/calls/orders.ts';
import { ORDER_RX } from '../../contract/purposes.ts';
import { own } from '../database.ts';
import { acceptPayment, type PaymentAnswer } from '../orders/pay.ts';
import { keeper } from './fixtures.ts';

/** Partners say what they sold for; the app sells at the catalogue's price. */
const PARTNER: MachineWish = { party: 'OTHER' };

type Wish = InputOf<typeof createOrder>;
let made = 0;
const serial = () => (made += 1);

/** What the system does, in one transaction. */
export const bySystem = <T>(app: TestApp, run: (ctx: Acting) => Promise<T>): Promise<T> =>
  app.kernel.transactions.run('test', (writing) => run(asSystem(writing, { now: app.clock.now(), traceId: 'test' })));

/** Goods of their own, with or without a prescription. */
export async function goodsOf(app: TestApp, { rxRequired = false, coldChain = false } = {}): Promise<string> {
  const { sku } = await makeOn(app, { rxClass: rxRequired ? 'RX' : 'OTC_A', storage: coldChain ? 'COLD' : 'NORMAL' });
  return sku.goodsCode;
}

export const home = {
  receiverName: '王丽华',
  receiverMobile: '13800138000',
  adcode: '330106',
  addressDetail: '文三路90号3幢1201室',
};

export async function orderInput(app: TestApp, more: Partial<Wish> = {}): Promise<Wish> {
  const lines = more.lines ?? [{ goodsCode: await goodsOf(app), quantity: 2, unitPriceFen: 5_000 }];
  const patientId = more.patientId ?? (await makePatient(app)).id;
  return {
    orderType: 'B2C',
    patientId,
    buyerName: '王丽华',
    buyerMobile: '13800138000',
    ...((more.orderType ?? 'B2C') === 'B2C' && { receiver: home }),
    ...more,
    lines,
  };
}

/** A prescription that the app of the tests uploaded. */
async function rxFile(app: TestApp, wish: MachineWish = PARTNER): Promise<string> {
  const { id } = await machineClient(app, createOrder, wish);
  const { fileId } = await app.kernel.transactions.run('test', ({ tx }) =>
    app.kernel.ports.files.store(
      tx,
      {
        purpose: ORDER_RX,
        name: '处方.pdf',
        body: Buffer.from(`%PDF-1.4 rx ${serial()}`),
        contentType: 'application/pdf',
        createdBy: `-${id}`,
      },
      app.clock.now(),
    ),
  );
  return fileId;
}

/** Places an order as the app does. */
export async function placed(app: TestApp, more: Partial<Wish> = {}, wish: MachineWish = PARTNER) {
  const input = await orderInput(app, more);
  return app.ok(createOrder, input, {
    headers: await signedHeaders(app, createOrder, input, wish),
    idempotencyKey: `placing-order-${serial()}`,
  });
}
/** What it is refused with. */
export async function unplaced(app: TestApp, more: Partial<Wish> = {}, wish: MachineWish = PARTNER) {
  const input = await orderInput(app, more);
  return app.refused(createOrder, input, {
    headers: await signedHeaders(app, createOrder, input, wish),
    idempotencyKey: `placing-order-${serial()}`,
  });
}

/** An order with a prescription that waits for a pharmacist. */
export const waitingForRx = async (app: TestApp, more: Partial<Wish> = {}) =>
  placed(app, {
    rxFileIds: [await rxFile(app)],
    lines: [{ goodsCode: await goodsOf(app, { rxRequired: true }), quantity: 1, unitPriceFen: 12_000 }],
    ...more,
  });

export const orderRow = (app: TestApp, orderId: string) =>
  own(app.db).selectFrom('orderOrder').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();

/** A pharmacist takes an order and says what he thinks of it. */
export async function decideRx(app: TestApp, orderId: string, result: 'PASSED' | 'FAILED') {
  const as = await keeper(app);
  const { version, leaseToken } = await app.ok(claimRx, { orderId }, { as });
  return app.ok(
    auditRx,
    { orderId, version, leaseToken, result, ...(result === 'FAILED' && { reasonCodes: ['UNCLEAR' as const], opinion: '处方影像看不清' }) },
    { as },
  );
}

/** The cashier tells a payment of all that is to be paid. */
export async function pay(app: TestApp, orderId: string, more: { paymentNo?: string; amountFen?: number } = {}): Promise<PaymentAnswer> {
  const { selfPayFen } = await orderRow(app, orderId);
  const payment = {
    orderId,
    paymentNo: `PY-T${serial()}`,
    channel: 'WECHAT',
    amountFen: Number(selfPayFen),
    paidAt: app.clock.now(),
    ...more,
  };
  return bySystem(app, (ctx) => acceptPayment(app.kernel, ctx, payment));
}

/** An order of 100 yuan that a card and cash pay: the cash came, the card's hold was gone by then. */
export async function cardFailed(app: TestApp) {
  await openBooks(app);
  const { id: patientId } = await makePatient(app);
  const { cardId } = await makeCard(app, await makeType(app), { funding: [{ amount: 6_000n }] });
  await sql`update card_card set patient_id = ${patientId} where id = ${cardId}`.execute(app.db);
  const order = await placed(app, { patientId, cardIds: [cardId] });
  const { holdId } = await own(app.db)
    .selectFrom('orderFunding')
    .select('holdId')
    .where('orderId', '=', order.orderId)
    .where('kind', '=', 'STORED_VALUE')
    .executeTakeFirstOrThrow();
  await bySystem(app, (ctx) => cardsOf(app.kernel).release(ctx, [holdId!], '预占超时'));
  await pay(app, order.orderId);
  return { ...order, cardId };
}

/** An order that a counter handed over: paid and complete. */
export async function soldAtStore(
  app: TestApp,
  { discountFen = 0, ...line }: { quantity: number; unitPriceFen: number; discountFen?: number },
) {
  const { storeId } = await partnerStore(app);
  const lines = [{ goodsCode: await goodsOf(app), ...line }];
  const order = await placed(app, { orderType: 'STORE_DIRECT', drugstoreId: storeId, lines, discountFen }, { party: 'CHAIN' });
  await pay(app, order.orderId);
  return order;
}
