import { plusDays } from '#kernel/contract/time.ts';
import { jobContext } from '#testing/jobContext.ts';
import type { TestApp } from '#testing/testApp.ts';
import { acceptFulfilment, shipFulfilment } from '../../contract/calls/fulfilments.ts';
import { addSupplierGoods, modifySupplierRegions } from '../../contract/calls/supplierGoods.ts';
import { own } from '../database.ts';
import { keeper, makeEnabled, type MadeSupplier } from './fixtures.ts';
import { goodsOf, pay, placed } from './orders.ts';

/** Runs one job of the domain as the worker does. */
export const runOrderJob = async (app: TestApp, name: string, data: object = {}) => {
  await app.kernel.registry.jobs.get(name)!.run(data as never, jobContext(app));
};

let made = 0;
/** A supplier for all of Zhejiang that sells these goods. */
export async function makeSeller(
  app: TestApp,
  goods: Readonly<Record<string, number>>,
  more: Parameters<typeof makeEnabled>[1] = {},
): Promise<MadeSupplier> {
  const supplier = await makeEnabled(app, { supplierName: `履约测试药房${(made += 1)}号`, ...more });
  const as = await keeper(app);
  await app.ok(modifySupplierRegions, { supplierId: supplier.id, version: supplier.version, included: ['330000'], excluded: [] }, { as });
  for (const [goodsCode, stockQty] of Object.entries(goods))
    await app.ok(addSupplierGoods, { supplierId: supplier.id, goodsCode, supplyPriceFen: 4_000, stockQty, onSale: true }, { as });
  return supplier;
}

export const partsOf = (app: TestApp, orderId: string) =>
  own(app.db).selectFrom('orderFulfilment').selectAll().where('orderId', '=', orderId).orderBy('id').execute();
export const stockOf = (app: TestApp, supplierId: string, goodsCode: string) =>
  own(app.db)
    .selectFrom('orderSupplierGoods')
    .select(['stockQty', 'reservedQty'])
    .where('supplierId', '=', supplierId)
    .where('goodsCode', '=', goodsCode)
    .executeTakeFirstOrThrow();
export const exceptionsOf = (app: TestApp, orderId: string) =>
  own(app.db).selectFrom('orderException').selectAll().where('orderId', '=', orderId).orderBy('id').execute();

/** An order that is paid and waits for its suppliers. */
export async function paidOrder(app: TestApp, more: Parameters<typeof placed>[1] = {}) {
  const order = await placed(app, more);
  await pay(app, order.orderId);
  return order;
}
/** An order of goods of its own that one supplier is to bring: its part waits for the push. */
export async function allocated(app: TestApp, { coldChain = false, quantity = 2, stock = 10, api = false } = {}) {
  const goodsCode = await goodsOf(app, { coldChain });
  const seller = await makeSeller(
    app,
    { [goodsCode]: stock },
    api ? { integration: 'API', endpoint: 'https://oms.example.com/api', appKey: 'KQ001', secret: 'top-secret-1' } : {},
  );
  const order = await paidOrder(app, { lines: [{ goodsCode, quantity, unitPriceFen: 5_000 }] });
  await runOrderJob(app, 'order.allocate', { orderId: order.orderId });
  const [part] = await partsOf(app, order.orderId);
  return { ...order, goodsCode, seller, part: part! };
}
/** The same where people operate for the supplier and he has it: it waits for his word. */
export async function pushedPart(app: TestApp, more: Parameters<typeof allocated>[1] = {}) {
  const order = await allocated(app, more);
  await runOrderJob(app, 'order.push', { fulfilmentId: order.part.id });
  return { ...order, part: (await partsOf(app, order.orderId))[0]! };
}
export async function acceptedPart(app: TestApp, more: Parameters<typeof allocated>[1] = {}) {
  const order = await pushedPart(app, more);
  const as = await keeper(app);
  await app.ok(acceptFulfilment, { fulfilmentId: order.part.id, version: order.part.version }, { as });
  return { ...order, part: (await partsOf(app, order.orderId))[0]! };
}

let waybills = 0;
export const newWaybill = () => `SFT${String((waybills += 1)).padStart(9, '0')}00`;
/** A parcel of all that the first line of a part has. */
export async function parcelInput(app: TestApp, fulfilmentId: string) {
  const part = await own(app.db).selectFrom('orderFulfilment').selectAll().where('id', '=', fulfilmentId).executeTakeFirstOrThrow();
  const lines = await own(app.db).selectFrom('orderFulfilmentLine').selectAll().where('fulfilmentId', '=', fulfilmentId).execute();
  return {
    fulfilmentId,
    version: part.version,
    carrierCode: 'SF' as const,
    waybillNo: newWaybill(),
    shippedAt: app.clock.now(),
    lines: lines.map(({ orderLineId, quantity, shippedQty }) => ({
      orderLineId,
      quantity: quantity - shippedQty,
      batchNo: 'B20260101',
      expireDate: plusDays(app.clock.today(), 400),
      traceCodes: [],
    })),
  };
}
export async function shippedPart(app: TestApp, more: Parameters<typeof allocated>[1] = {}) {
  const order = await acceptedPart(app, more);
  const { shipmentId } = await app.ok(shipFulfilment, await parcelInput(app, order.part.id), { as: await keeper(app) });
  return { ...order, shipmentId, part: (await partsOf(app, order.orderId))[0]! };
}
