import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/testApp.ts';
import {
  addAfterSale,
  auditAfterSale,
  cancelAfterSale,
  inspectReturn,
  previewAfterSale,
  queryAfterSaleDetail,
  queryAfterSaleList,
  receiveReturn,
} from '../../contract/calls/afterSales.ts';
import { own } from '../database.ts';
import { noteParts } from '../orders/refunds.ts';
import { keeper, refusedFields } from '../testing/fixtures.ts';
import { bySystem, orderRow, soldAtStore } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let keys = 0;
const key = () => `after-sale-${(keys += 1)}`;
const lineOf = async (orderId: string) =>
  (await own(app.db).selectFrom('orderLine').selectAll().where('orderId', '=', orderId).orderBy('lineNo').executeTakeFirstOrThrow()).id;

/** One piece of an order is asked back, and passed by another person. */
async function returned(orderId: string, more: { type?: 'RETURN_REFUND'; quantity?: number } = {}) {
  const { type = 'REFUND_ONLY', quantity = 1 } = more;
  const lines = [{ orderLineId: await lineOf(orderId), quantity }];
  const asked = await app.ok(addAfterSale, { orderId, type, reasonCode: 'SHORT', lines }, { as: await keeper(app), idempotencyKey: key() });
  const audited = await app.ok(
    auditAfterSale,
    { afterSaleId: asked.id, version: asked.version, level: 'NORMAL', decision: 'approve' },
    { as: await keeper(app), idempotencyKey: key() },
  );
  return audited;
}
const refundOf = async (afterSaleId: string) =>
  Number(
    (await own(app.db).selectFrom('orderAfterSale').select('refundFen').where('id', '=', afterSaleId).executeTakeFirstOrThrow()).refundFen,
  );
/** The cashier says that the cash is back. */
const paidBack = (afterSaleId: string) => bySystem(app, (ctx) => noteParts(ctx, { afterSaleId }, { done: true }));

describe('a return', () => {
  it('gives each piece its part of what was paid, all of them together exactly that, and closes the order', async () => {
    const { orderId } = await soldAtStore(app, { quantity: 3, unitPriceFen: 4_000, discountFen: 2_000 });
    const given: number[] = [];
    for (let piece = 0; piece < 3; piece += 1) {
      const { id, state } = await returned(orderId);
      expect(state).toBe('REFUNDING');
      given.push(await refundOf(id));
      await paidBack(id);
    }
    expect(given).toEqual([3_333, 3_333, 3_334]);
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'CLOSED', refundedFen: '10000' });
    const refused = await app.refused(
      addAfterSale,
      { orderId, type: 'REFUND_ONLY', reasonCode: 'SHORT', lines: [{ orderLineId: await lineOf(orderId), quantity: 1 }] },
      { as: await keeper(app), idempotencyKey: key() },
    );
    expect(refused).toMatchObject({ code: 'SCM90031' });
  });

  it('of six pieces for 10.00, one, three and two at a time, is 1.66, 5.00 and 3.34', async () => {
    const { orderId } = await soldAtStore(app, { quantity: 6, unitPriceFen: 200, discountFen: 200 });
    const given: number[] = [];
    for (const quantity of [1, 3, 2]) {
      const { id } = await returned(orderId, { quantity });
      given.push(await refundOf(id));
      await paidBack(id);
    }
    expect(given).toEqual([166, 500, 334]);
  });

  it('is refused beyond what may come back, twice over, and for no fault of what was sold', async () => {
    const as = await keeper(app);
    const { orderId } = await soldAtStore(app, { quantity: 2, unitPriceFen: 4_000 });
    const orderLineId = await lineOf(orderId);
    const ask = { orderId, type: 'REFUND_ONLY' as const, reasonCode: 'SHORT' as const, lines: [{ orderLineId, quantity: 1 }] };
    const refused = (more: object) => app.refused(addAfterSale, { ...ask, ...more }, { as, idempotencyKey: key() });
    expect(await refused({ lines: [{ orderLineId, quantity: 3 }] })).toMatchObject({ code: 'SCM16040', message: '可退数量为2' });
    expect(await refused({ reasonCode: 'NOT_SHIPPED' })).toMatchObject({ code: 'SCM16041' });
    expect(refusedFields(await refused({ reasonCode: 'QUALITY' }))).toEqual(['evidenceFileIds 请上传凭证']);
    expect(refusedFields(await refused({ lines: [] }))).toEqual(['lines 请选择退款商品']);
    const asked = await app.ok(addAfterSale, ask, { as, idempotencyKey: key() });
    expect(await refused({})).toMatchObject({ code: 'SCM16042' });
    const own0 = await app.refused(
      auditAfterSale,
      { afterSaleId: asked.id, version: asked.version, level: 'NORMAL', decision: 'approve' },
      { as, idempotencyKey: key() },
    );
    expect(own0).toMatchObject({ code: 'SCM16013' });
    expect(await app.ok(cancelAfterSale, { afterSaleId: asked.id, version: asked.version, opinion: '患者撤回' }, { as })).toMatchObject({
      state: 'CANCELLED',
    });
    expect(await app.ok(previewAfterSale, ask, { as })).toMatchObject({ refundFen: 4_000 });
  });

  it('of a large amount is decided by finance', async () => {
    const { orderId } = await soldAtStore(app, { quantity: 1, unitPriceFen: 2_500_000 });
    const lines = [{ orderLineId: await lineOf(orderId), quantity: 1 }];
    const asked = await app.ok(
      addAfterSale,
      { orderId, type: 'REFUND_ONLY', reasonCode: 'RECALL', lines },
      { as: await keeper(app), idempotencyKey: key() },
    );
    const on = { afterSaleId: asked.id, version: asked.version, decision: 'approve' as const };
    const as = await keeper(app);
    expect(refusedFields(await app.refused(auditAfterSale, { ...on, level: 'NORMAL' }, { as, idempotencyKey: key() }))).toEqual([
      'level 退款金额达到2万元，须由财务主管审核',
    ]);
    expect(await app.ok(auditAfterSale, { ...on, level: 'HIGH' }, { as, idempotencyKey: key() })).toMatchObject({ state: 'REFUNDING' });
  });

  it('that is sent back is received and looked at before its money goes', async () => {
    const { orderId, orderNo } = await soldAtStore(app, { quantity: 1, unitPriceFen: 9_000 });
    const waiting = await returned(orderId, { type: 'RETURN_REFUND' });
    expect(waiting.state).toBe('WAIT_RETURN');
    const as = await keeper(app);
    const on = { afterSaleId: waiting.id };
    const received = await app.ok(receiveReturn, { ...on, version: waiting.version, returnWaybill: 'SF1234567890' }, { as });
    expect(await app.ok(queryAfterSaleList, { orderNo }, { as })).toMatchObject({ rows: [{ state: 'INSPECTING', refundFen: 9_000 }] });
    const passed = await app.ok(inspectReturn, { ...on, version: received.version, passes: true }, { as, idempotencyKey: key() });
    expect(passed.state).toBe('REFUNDING');
    expect(await app.ok(queryAfterSaleDetail, on, { as })).toMatchObject({
      parts: [{ kind: 'CASH', amountFen: 9_000, state: 'WAITING' }],
    });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from kernel_outbox where aggregate_id = ${orderId} and name = 'order.refund.approved'`.execute(app.db);
    expect(rows[0]!.n).toBe(1);
    await bySystem(app, (ctx) => noteParts(ctx, { afterSaleId: waiting.id }, { done: false, reason: '账户注销' }));
    const { rows: troubles } = await sql<{ type: string }>`select type from order_exception where order_id = ${orderId}`.execute(app.db);
    expect(troubles).toEqual([{ type: 'REFUND_FAILED' }]);
  });
});
