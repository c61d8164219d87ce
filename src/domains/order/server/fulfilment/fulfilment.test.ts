import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, TEST_NOW, type TestApp } from '#testing/testApp.ts';
import {
  acceptFulfilment,
  confirmSign,
  pushFulfilment,
  queryFulfilmentList,
  queryOrderFulfilments,
  queryPushResult,
  rejectFulfilment,
  shipFulfilment,
  undoShip,
  withdrawFulfilment,
} from '../../contract/calls/fulfilments.ts';
import { own } from '../database.ts';
import { keeper } from '../testing/fixtures.ts';
import { orderRow } from '../testing/orders.ts';
import {
  acceptedPart,
  allocated,
  exceptionsOf,
  parcelInput,
  partsOf,
  pushedPart,
  runOrderJob,
  shippedPart,
  stockOf,
} from '../testing/fulfilment.ts';
import { hours, minutes } from '#kernel/contract/time.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
// Goods of the fixtures are priced as of this day.
beforeEach(() => app.clock.set(TEST_NOW));
afterAll(() => app.close());

describe('a part of an order', () => {
  it('goes from the payment to the signature, its order completed by the last one', async () => {
    const { orderId, goodsCode, seller, part, shipmentId } = await shippedPart(app);
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'FULFILLING', allocAttempts: 1 });
    expect(part).toMatchObject({ state: 'SHIPPED', pushState: 'SENT' });
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 8, reservedQty: 0 });
    const as = await keeper(app);
    const { fulfilments } = await app.ok(queryOrderFulfilments, { orderId }, { as });
    expect(fulfilments[0]!.parcels[0]).toMatchObject({ id: shipmentId, carrierCode: 'SF' });
    const {
      rows: [row],
    } = await app.ok(queryFulfilmentList, { fulfilmentNo: part.fulfilmentNo }, { as });
    expect(row).toMatchObject({ regionText: expect.stringContaining('杭州'), receiverName: '王**' });
    await app.ok(confirmSign, { fulfilmentId: part.id, version: part.version }, { as });
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'SIGNED' });
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'COMPLETED' });
  });

  it('is shipped by the rules alone', async () => {
    const { part } = await acceptedPart(app, { coldChain: true });
    const as = await keeper(app);
    const input = await parcelInput(app, part.id);
    const refusedWith = async (more: object) => (await app.refused(shipFulfilment, { ...input, ...more }, { as })).code;
    expect(await refusedWith({})).toBe('SCM16032');
    expect(await refusedWith({ minTemp: 20, maxTemp: 90 })).toBe('SCM16032');
    expect(await refusedWith({ lines: [{ ...input.lines[0]!, quantity: 3 }] })).toBe('SCM16031');
    expect(await refusedWith({ lines: [{ ...input.lines[0]!, expireDate: app.clock.today() }] })).toBe('SCM16033');
    expect(await refusedWith({ version: input.version - 1 })).toBe('SCM90030');
    const other = await acceptedPart(app);
    const parcel = await parcelInput(app, other.part.id);
    await app.ok(shipFulfilment, parcel, { as });
    const third = await acceptedPart(app);
    const again = { ...(await parcelInput(app, third.part.id)), waybillNo: parcel.waybillNo };
    expect(await app.refused(shipFulfilment, again, { as })).toMatchObject({
      code: 'SCM16030',
      message: `运单号已被${other.part.fulfilmentNo}使用`,
    });
  });

  it('takes an undone parcel back for a day', async () => {
    const { orderId, shipmentId, goodsCode, seller } = await shippedPart(app);
    const as = await keeper(app);
    await app.ok(undoShip, { shipmentId, version: 1, opinion: '发错了' }, { as });
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'WAIT_SHIP', shippedAt: null });
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 10, reservedQty: 2 });
    const signedOne = await shippedPart(app);
    await app.ok(confirmSign, { fulfilmentId: signedOne.part.id, version: signedOne.part.version }, { as });
    const late = { shipmentId: signedOne.shipmentId, version: 2, opinion: '发错了' };
    expect(await app.refused(undoShip, late, { as })).toMatchObject({ code: 'SCM16034' });
    const oldOne = await shippedPart(app);
    app.clock.advance(hours(25));
    const tooLate = { shipmentId: oldOne.shipmentId, version: 1, opinion: '发错了' };
    expect(await app.refused(undoShip, tooLate, { as: await keeper(app) })).toMatchObject({ code: 'SCM16035' });
  });

  it('frees its stock and waits again when it is refused or withdrawn', async () => {
    const { orderId, goodsCode, seller, part } = await pushedPart(app);
    const as = await keeper(app);
    await app.ok(rejectFulfilment, { fulfilmentId: part.id, version: part.version, opinion: '缺货' }, { as });
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'PENDING_ALLOCATION' });
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 10, reservedQty: 0 });
    await runOrderJob(app, 'order.allocate', { orderId });
    const [trouble] = await exceptionsOf(app, orderId);
    expect(trouble).toMatchObject({ type: 'ALLOC_FAILED', state: 'OPEN', detail: expect.stringContaining('本单已拒单') });
    const other = await allocated(app);
    await app.ok(withdrawFulfilment, { fulfilmentId: other.part.id, version: other.part.version, opinion: '地址有误' }, { as });
    expect((await partsOf(app, other.orderId))[0]).toMatchObject({ state: 'CANCELLED' });
  });
});

describe('a supplier with an interface', () => {
  it('that does not answer is asked, never pushed to again blindly', async () => {
    const { orderId, part } = await allocated(app, { api: true });
    await own(app.db).updateTable('orderFulfilment').set({ fulfilmentNo: 'FO2026113099999994' }).where('id', '=', part.id).execute();
    await runOrderJob(app, 'order.push', { fulfilmentId: part.id });
    const [unknown] = await partsOf(app, orderId);
    expect(unknown).toMatchObject({ state: 'WAIT_PUSH', pushState: 'UNKNOWN', pushTimes: 1 });
    const as = await keeper(app);
    const named = { fulfilmentId: part.id, version: unknown!.version };
    expect(await app.refused(pushFulfilment, named, { as })).toMatchObject({ code: 'SCM16025' });
    expect(await app.ok(queryPushResult, named, { as })).toMatchObject({ state: 'WAIT_ACCEPT', told: '供应商已收到该履约单' });
    expect((await partsOf(app, orderId))[0]).toMatchObject({ pushState: 'SENT', pushTimes: 1 });
  });

  it('tells what it took, and sends, once', async () => {
    const { orderId, part } = await allocated(app, { api: true });
    await own(app.db).updateTable('orderFulfilment').set({ fulfilmentNo: 'FO2026113099999996' }).where('id', '=', part.id).execute();
    await runOrderJob(app, 'order.push', { fulfilmentId: part.id });
    app.clock.advance(minutes(40));
    await runOrderJob(app, 'order.pollSuppliers');
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'WAIT_SHIP' });
    app.clock.advance(hours(25));
    await runOrderJob(app, 'order.pollSuppliers');
    await runOrderJob(app, 'order.pollSuppliers');
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'SHIPPED' });
    const parcels = await own(app.db).selectFrom('orderShipment').select('id').where('fulfilmentId', '=', part.id).execute();
    expect(parcels).toHaveLength(1);
  });

  it('that says nothing in time is replaced, and a person decides after three', async () => {
    const { orderId, part } = await pushedPart(app);
    app.clock.advance(hours(24 * 7));
    await runOrderJob(app, 'order.acceptTimeout');
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'CANCELLED', rejectReason: '超时未接单' });
    expect(
      await app.refused(acceptFulfilment, { fulfilmentId: part.id, version: part.version + 2 }, { as: await keeper(app) }),
    ).toMatchObject({
      code: 'SCM90031',
    });
  });
});
