import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { days, hours, minutes } from '#kernel/contract/time.ts';
import { commitImportTask, queryImportResult, queryImportRowList, undoImportTask } from '#domains/files/contract/calls/imports.ts';
import { startTestApp, TEST_NOW, type TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { BULK_IMPORTER, importBulkDelivery, queryLogisticsList, queryTrack, refreshTrack } from '../../contract/calls/logistics.ts';
import { shipFulfilment } from '../../contract/calls/fulfilments.ts';
import { own } from '../database.ts';
import { importerOf, keeper } from '../testing/fixtures.ts';
import { acceptedPart, exceptionsOf, newWaybill, parcelInput, partsOf, runOrderJob, stockOf } from '../testing/fulfilment.ts';
import { orderRow } from '../testing/orders.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
// Goods of the fixtures are priced as of this day.
beforeEach(() => app.clock.set(TEST_NOW));
afterAll(() => app.close());

/** A part whose parcel has a waybill that ends so: the simulated carriers go by it. */
async function sent(ending: string) {
  const order = await acceptedPart(app);
  const waybillNo = `${newWaybill().slice(0, -2)}${ending}`;
  const { shipmentId } = await app.ok(shipFulfilment, { ...(await parcelInput(app, order.part.id)), waybillNo }, { as: await keeper(app) });
  await runOrderJob(app, 'order.subscribeParcel', { shipmentId });
  return { ...order, shipmentId, waybillNo };
}
const parcelOf = (shipmentId: string) =>
  own(app.db).selectFrom('orderShipment').selectAll().where('id', '=', shipmentId).executeTakeFirstOrThrow();

describe('a parcel', () => {
  it('is asked for once a minute and says where it is, in whatever order its news come', async () => {
    const { shipmentId, waybillNo } = await sent('94');
    app.clock.advance(hours(21));
    const as = await keeper(app);
    expect(await app.ok(refreshTrack, { shipmentId }, { as })).toMatchObject({ trackState: 'TRANSIT' });
    expect(await app.refused(refreshTrack, { shipmentId }, { as })).toMatchObject({ code: 'SCM90011' });
    app.clock.advance(minutes(2));
    await app.ok(refreshTrack, { shipmentId }, { as });
    const { nodes } = await app.ok(queryTrack, { shipmentId }, { as });
    expect(nodes.map(({ state }) => state)).toEqual(['TRANSIT', 'TRANSIT', 'WAIT']);
    const { rows } = await app.ok(queryLogisticsList, { waybillNo: `${waybillNo}\nSF00000000` }, { as });
    expect(rows).toMatchObject([{ id: shipmentId, lastNode: '快件到达转运中心', stalledHours: 1 }]);
  });

  it('that is signed for ends its part and its order', async () => {
    const { shipmentId, orderId } = await sent('00');
    app.clock.advance(days(3));
    await runOrderJob(app, 'order.readTracks');
    expect(await parcelOf(shipmentId)).toMatchObject({ trackState: 'SIGNED' });
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'SIGNED' });
    expect(await orderRow(app, orderId)).toMatchObject({ state: 'COMPLETED' });
  });

  it('in trouble, or of which nothing is heard, is a person’s', async () => {
    const problem = await sent('91');
    const silent = await sent('93');
    app.clock.advance(days(3));
    await runOrderJob(app, 'order.readTracks');
    await runOrderJob(app, 'order.watchParcels');
    await runOrderJob(app, 'order.watchParcels');
    const troubles = async ({ orderId }: { orderId: string }) =>
      (await exceptionsOf(app, orderId)).map(({ type, detail }) => `${type} ${detail}`);
    expect(await troubles(problem)).toEqual([`LOGISTICS_PROBLEM 运单${problem.waybillNo}：收件地址不详，无法派送`]);
    expect(await troubles(silent)).toEqual([`LOGISTICS_PROBLEM 运单${silent.waybillNo}超过48小时没有更新`]);
  });
});

describe('a table of parcels', () => {
  const row = (fulfilmentNo: string, goodsCode: string, more: Record<string, string> = {}) => ({
    fulfilmentNo,
    carrierCode: '顺丰速运',
    waybillNo: newWaybill(),
    goodsCode,
    quantity: '2',
    batchNo: 'B20260101',
    expireDate: '2029-01-31',
    ...more,
  });
  const started = async (supplierId: string, rows: readonly Record<string, string>[]) => {
    const as = await keeper(app);
    const fileId = await uploadRows(app, as, importerOf(app, BULK_IMPORTER), rows);
    const { importTaskId } = await app.ok(importBulkDelivery, { supplierId, fileId }, { as });
    await app.runDue();
    return { as, importTaskId, checked: await app.ok(queryImportResult, { importTaskId }, { as }) };
  };

  it('names what is wrong by the rows of the sheet', async () => {
    const { seller, part, goodsCode } = await acceptedPart(app);
    const cold = await acceptedPart(app, { coldChain: true });
    const { as, importTaskId } = await started(seller.id, [
      row('FO0', goodsCode),
      row(part.fulfilmentNo, 'NO-SUCH'),
      row(part.fulfilmentNo, goodsCode, { quantity: '3' }),
      row(cold.part.fulfilmentNo, cold.goodsCode),
      row(part.fulfilmentNo, goodsCode, { expireDate: app.clock.today() }),
    ]);
    const { rows } = await app.ok(queryImportRowList, { importTaskId, hasError: true, pageSize: 20 }, { as });
    expect(rows.map(({ rowNo, errors }) => `${rowNo} ${errors[0]?.message}`)).toEqual([
      '2 履约单不存在或不属于该供应商',
      '3 该商品不在履约单中',
      '4 发货数量超过待发数量',
      '5 履约单不存在或不属于该供应商',
      '6 发货数量超过待发数量',
    ]);
  });

  it('ships, is taken once, and is taken back as a whole', async () => {
    const { seller, part, goodsCode, orderId } = await acceptedPart(app);
    const rows = [row(part.fulfilmentNo, goodsCode)];
    const { as, importTaskId, checked } = await started(seller.id, rows);
    await app.ok(
      commitImportTask,
      { importTaskId, version: checked.version },
      { as, idempotencyKey: `bulk-delivery-task-${importTaskId}` },
    );
    await app.runDue();
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'SHIPPED' });
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 8, reservedQty: 0 });
    const again = await uploadRows(app, as, importerOf(app, BULK_IMPORTER), rows);
    expect(await app.refused(importBulkDelivery, { supplierId: seller.id, fileId: again }, { as })).toMatchObject({ code: 'SCM16036' });
    const { version } = await app.ok(queryImportResult, { importTaskId }, { as });
    await app.ok(undoImportTask, { importTaskId, version, opinion: '发错批次' }, { as });
    expect((await partsOf(app, orderId))[0]).toMatchObject({ state: 'WAIT_SHIP' });
    expect(await stockOf(app, seller.id, goodsCode)).toEqual({ stockQty: 10, reservedQty: 2 });
  });
});
