import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import { allocateOrder, assignSupplier, dryRunAllocation, queryAllocationRunList } from '../../contract/calls/allocation.ts';
import { claimException, claimNextException, resolveException, transferException } from '../../contract/calls/exceptions.ts';
import { rejectFulfilment } from '../../contract/calls/fulfilments.ts';
import { disableSupplier, pauseSupplier } from '../../contract/calls/supplier.ts';
import { own } from '../database.ts';
import { keeper } from '../testing/fixtures.ts';
import { exceptionsOf, makeSeller, paidOrder, partsOf, runOrderJob, stockOf } from '../testing/fulfilment.ts';
import { goodsOf, orderRow } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const orderOf = (goodsCode: string, quantity = 1) => paidOrder(app, { lines: [{ goodsCode, quantity, unitPriceFen: 5_000 }] });
const allocate = (orderId: string) => runOrderJob(app, 'order.allocate', { orderId });
const lineIdOf = async (orderId: string) =>
  (await own(app.db).selectFrom('orderLine').select('id').where('orderId', '=', orderId).executeTakeFirstOrThrow()).id;

describe('allocation', () => {
  it('tells of each candidate why it does not bring the order', async () => {
    const goodsCode = await goodsOf(app);
    const seller = await makeSeller(app, { [goodsCode]: 1 }, { supplierName: '缺货药房' });
    const { orderId, orderNo } = await orderOf(goodsCode, 2);
    await allocate(orderId);
    const [trouble] = await exceptionsOf(app, orderId);
    expect(trouble).toMatchObject({ type: 'ALLOC_FAILED', state: 'OPEN', detail: expect.stringContaining('缺货药房库存不足') });
    const as = await keeper(app);
    const { version } = await orderRow(app, orderId);
    expect(await app.refused(allocateOrder, { orderId, version }, { as })).toMatchObject({ code: 'SCM16020' });
    const wish = {
      orderId,
      version,
      parts: [{ supplierId: seller.id, lines: [{ orderLineId: await lineIdOf(orderId), quantity: 2 }] }],
      opinion: '指定',
    };
    expect(await app.refused(assignSupplier, wish, { as })).toMatchObject({ code: 'SCM16021', message: '缺货药房库存不足：需2，可用1' });
    const trial = await app.ok(dryRunAllocation, { orderNo }, { as });
    expect(trial.candidates.find(({ supplierId }) => supplierId === seller.id)).toMatchObject({ fault: 'STOCK_SHORT', isChosen: false });
    expect(trial.parts).toBeNull();
    const { version: held } = await app.ok(pauseSupplier, { id: seller.id, version: seller.version + 1, opinion: '盘点' }, { as });
    expect(held).toBeGreaterThan(seller.version);
    expect(await app.refused(assignSupplier, wish, { as })).toMatchObject({ code: 'SCM16024', message: '缺货药房不满足：未启用' });
  });

  it('of the last piece by two orders at once gives it to one', async () => {
    const goodsCode = await goodsOf(app);
    const seller = await makeSeller(app, { [goodsCode]: 1 });
    const orders = await Promise.all([orderOf(goodsCode), orderOf(goodsCode)]);
    await Promise.all(orders.map(({ orderId }) => allocate(orderId)));
    const parts = await Promise.all(orders.map(({ orderId }) => partsOf(app, orderId)));
    expect(parts.flat()).toHaveLength(1);
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 1, reservedQty: 1 });
    const states = await Promise.all(orders.map(async ({ orderId }) => (await orderRow(app, orderId)).state));
    expect(states.toSorted()).toEqual(['FULFILLING', 'PENDING_ALLOCATION']);
  });

  it('takes two suppliers that together have enough, once, however often it runs', async () => {
    const goodsCode = await goodsOf(app);
    const sellers = [await makeSeller(app, { [goodsCode]: 1 }), await makeSeller(app, { [goodsCode]: 1 })];
    const { orderId } = await orderOf(goodsCode, 2);
    await Promise.all([allocate(orderId), allocate(orderId), allocate(orderId)]);
    const parts = await partsOf(app, orderId);
    expect(parts.map(({ supplierId }) => supplierId)).toEqual(sellers.map(({ id }) => id));
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'FULFILLING', allocAttempts: 1 });
    const as = await keeper(app);
    const { rows } = await app.ok(queryAllocationRunList, { orderId }, { as });
    expect(rows).toMatchObject([{ trigger: 'AUTO', succeeded: true, ruleText: 'AR999 V1' }]);
    const [seller] = sellers;
    const ending = { id: seller!.id, version: seller!.version + 1, opinion: '合作到期，不再续约' };
    expect(await app.refused(disableSupplier, ending, { as })).toMatchObject({
      code: 'SCM16026',
      message: '尚有1个未完结履约单，不能停用',
    });
  });

  it('is tried three times, then by a person', async () => {
    const goodsCode = await goodsOf(app);
    const sellers = [];
    for (let at = 0; at < 4; at += 1) sellers.push(await makeSeller(app, { [goodsCode]: 5 }));
    const { orderId } = await orderOf(goodsCode);
    const as = await keeper(app);
    for (let at = 0; at < 3; at += 1) {
      await allocate(orderId);
      const part = (await partsOf(app, orderId)).at(-1)!;
      await runOrderJob(app, 'order.push', { fulfilmentId: part.id });
      const { version } = (await partsOf(app, orderId)).at(-1)!;
      await app.ok(rejectFulfilment, { fulfilmentId: part.id, version, opinion: '缺货' }, { as });
    }
    await allocate(orderId);
    const parts = await partsOf(app, orderId);
    expect(parts.map(({ state }) => state)).toEqual(['REJECTED', 'REJECTED', 'REJECTED']);
    expect(new Set(parts.map(({ supplierId }) => supplierId)).size).toBe(3);
    const open = (await exceptionsOf(app, orderId)).filter(({ state }) => state === 'OPEN');
    expect(open).toMatchObject([{ type: 'SUPPLIER_REJECTED' }]);
    const { version } = await orderRow(app, orderId);
    expect(await app.refused(allocateOrder, { orderId, version }, { as })).toMatchObject({ code: 'SCM16023' });
    const lines = [{ orderLineId: await lineIdOf(orderId), quantity: 1 }];
    const wish = { orderId, version, opinion: '电话确认有货' };
    expect(
      await app.refused(
        assignSupplier,
        { ...wish, parts: [{ supplierId: sellers[3]!.id, lines: [{ ...lines[0]!, quantity: 2 }] }] },
        { as },
      ),
    ).toMatchObject({
      code: 'SCM90020',
    });
    await app.ok(assignSupplier, { ...wish, parts: [{ supplierId: sellers[3]!.id, lines }] }, { as });
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'FULFILLING' });
    expect((await exceptionsOf(app, orderId)).map(({ state }) => state)).toEqual(['RESOLVED']);
  });
});

describe('an exception', () => {
  it('is one person’s at a time', async () => {
    const goodsCode = await goodsOf(app);
    for (let at = 0; at < 2; at += 1) await allocate((await orderOf(goodsCode)).orderId);
    const [first, second] = [await keeper(app), await keeper(app)];
    const type = 'ALLOC_FAILED' as const;
    const [a, b] = await Promise.all([
      app.ok(claimNextException, { type }, { as: first }),
      app.ok(claimNextException, { type }, { as: second }),
    ]);
    expect(a.id).not.toBe(b.id);
    const named = { exceptionId: a.id, version: a.version };
    expect(await app.refused(claimException, named, { as: second })).toMatchObject({ code: 'SCM16001' });
    expect(await app.refused(resolveException, { ...named, opinion: '已补货' }, { as: second })).toMatchObject({ code: 'SCM16001' });
    const handed = await app.ok(transferException, { ...named, toUserId: second.userId, opinion: '交班' }, { as: first });
    const done = await app.ok(resolveException, { ...named, version: handed.version, opinion: '已补货' }, { as: second });
    expect(done.state).toBe('RESOLVED');
  });
});
