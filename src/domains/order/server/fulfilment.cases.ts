import { callCase, type CallCase } from '#testing/cases.ts';
import type { TestApp } from '#testing/testApp.ts';
import { uploadRows } from '#testing/uploads.ts';
import { allocateOrder, assignSupplier, dryRunAllocation, queryAllocationRunList } from '../contract/calls/allocation.ts';
import {
  claimException,
  claimNextException,
  ignoreException,
  queryExceptionList,
  queryExceptionOwners,
  resolveException,
  transferException,
} from '../contract/calls/exceptions.ts';
import {
  acceptFulfilment,
  completeService,
  confirmCancel,
  confirmSign,
  exportFulfilmentList,
  markReturned,
  pushFulfilment,
  queryFulfilmentDetail,
  queryFulfilmentList,
  queryOrderFulfilments,
  queryPushResult,
  querySupplierOptions,
  refuseCancel,
  rejectFulfilment,
  revealPickupCode,
  shipFulfilment,
  undoShip,
  withdrawFulfilment,
} from '../contract/calls/fulfilments.ts';
import {
  BULK_IMPORTER,
  exportBulkDeliveryList,
  exportLogisticsList,
  importBulkDelivery,
  queryBulkDeliveryList,
  queryLogisticsList,
  queryTrack,
  refreshTrack,
  reportParcel,
  subscribeAgain,
} from '../contract/calls/logistics.ts';
import { own } from './database.ts';
import { importerOf, keeper, NONE } from './testing/fixtures.ts';
import {
  acceptedPart,
  allocated,
  exceptionsOf,
  makeSeller,
  paidOrder,
  parcelInput,
  partsOf,
  pushedPart,
  runOrderJob,
  shippedPart,
} from './testing/fulfilment.ts';
import { goodsOf, orderRow } from './testing/orders.ts';

const opinion = '供应商电话确认';
const named = ({ part: { id, version } }: { part: { id: string; version: number } }) => ({ fulfilmentId: id, version });
const noPart = { fulfilmentId: NONE, version: 1 };
const noParcel = { shipmentId: NONE, version: 1 };

/** An order that nobody supplies, and one whose goods somebody does. */
async function waiting(app: TestApp) {
  const goodsCode = await goodsOf(app);
  const order = await paidOrder(app, { lines: [{ goodsCode, quantity: 2, unitPriceFen: 5_000 }] });
  const { version } = await orderRow(app, order.orderId);
  return { orderId: order.orderId, orderNo: order.orderNo, version, goodsCode };
}
const lineIdOf = async (app: TestApp, orderId: string) =>
  (await own(app.db).selectFrom('orderLine').select('id').where('orderId', '=', orderId).executeTakeFirstOrThrow()).id;
/** An exception of an order without a supplier. */
async function troubled(app: TestApp) {
  const { orderId } = await waiting(app);
  await runOrderJob(app, 'order.allocate', { orderId });
  const [one] = await exceptionsOf(app, orderId);
  return { exceptionId: one!.id, version: one!.version };
}
async function handled(app: TestApp, as: Awaited<ReturnType<typeof keeper>>) {
  const { version, id } = await app.ok(claimException, await troubled(app), { as });
  return { exceptionId: id, version };
}
async function cancelling(app: TestApp) {
  const made = await acceptedPart(app);
  const { id, version } = await app.ok(withdrawFulfilment, { ...named(made), opinion }, { as: await keeper(app) });
  return { fulfilmentId: id, version };
}
async function parcel(app: TestApp) {
  const { shipmentId } = await shippedPart(app);
  return { shipmentId, version: 1 };
}
/** A parcel as a table tells it. */
async function bulkParcel(app: TestApp) {
  const { shipmentId } = await shippedPart(app);
  await own(app.db).updateTable('orderShipment').set({ importBatchNo: 'IM20261130000001' }).where('id', '=', shipmentId).execute();
}
async function service(app: TestApp) {
  const { orderId } = await paidOrder(app, {
    orderType: 'SERVICE',
    lines: [{ goodsCode: 'FW-JIANCE', goodsName: '基因检测', quantity: 1, unitPriceFen: 5_000 }],
  });
  return { orderId, version: (await orderRow(app, orderId)).version };
}
const wish = async (app: TestApp, orderId: string, supplierId: string) => ({
  parts: [{ supplierId, lines: [{ orderLineId: await lineIdOf(app, orderId), quantity: 2 }] }],
  opinion,
});
const bulkFile = async (app: TestApp, as: Awaited<ReturnType<typeof keeper>>, fulfilmentNo: string, goodsCode: string) =>
  uploadRows(app, as, importerOf(app, BULK_IMPORTER), [
    {
      fulfilmentNo,
      carrierCode: '顺丰速运',
      waybillNo: `SFB${fulfilmentNo.slice(-9)}`,
      goodsCode,
      quantity: '2',
      batchNo: 'B20260101',
      expireDate: '2029-01-31',
    },
  ]);

export const fulfilmentCases: readonly CallCase[] = [
  callCase(queryFulfilmentList, async (app) => {
    await allocated(app);
    return {};
  }),
  callCase(exportFulfilmentList, async (app) => {
    await allocated(app);
    return {};
  }),
  callCase(queryFulfilmentDetail, async (app) => ({ fulfilmentId: (await shippedPart(app)).part.id }), {
    foreign: async () => ({ fulfilmentId: NONE }),
  }),
  callCase(queryOrderFulfilments, async (app) => ({ orderId: (await shippedPart(app)).orderId }), {
    foreign: async () => ({ orderId: NONE }),
  }),
  callCase(querySupplierOptions, async () => ({})),
  callCase(revealPickupCode, async (app) => ({ id: (await allocated(app)).part.id, reason: '核对取货码' }), {
    foreign: async () => ({ id: NONE, reason: '核对取货码' }),
  }),
  callCase(pushFulfilment, async (app) => named(await allocated(app)), { foreign: async () => noPart }),
  callCase(queryPushResult, async (app) => named(await allocated(app, { api: true })), { foreign: async () => noPart }),
  callCase(withdrawFulfilment, async (app) => ({ ...named(await allocated(app)), opinion }), {
    foreign: async () => ({ ...noPart, opinion }),
  }),
  callCase(acceptFulfilment, async (app) => named(await pushedPart(app)), { foreign: async () => noPart }),
  callCase(rejectFulfilment, async (app) => ({ ...named(await pushedPart(app)), opinion }), {
    foreign: async () => ({ ...noPart, opinion }),
  }),
  callCase(confirmCancel, cancelling, { foreign: async () => noPart }),
  callCase(refuseCancel, async (app) => ({ ...(await cancelling(app)), opinion }), { foreign: async () => ({ ...noPart, opinion }) }),
  callCase(shipFulfilment, async (app) => parcelInput(app, (await acceptedPart(app)).part.id), {
    foreign: async (app) => ({ ...(await parcelInput(app, (await acceptedPart(app)).part.id)), fulfilmentId: NONE }),
  }),
  callCase(undoShip, async (app) => ({ ...(await parcel(app)), opinion }), { foreign: async () => ({ ...noParcel, opinion }) }),
  callCase(confirmSign, async (app) => named(await shippedPart(app)), { foreign: async () => noPart }),
  callCase(markReturned, async (app) => ({ ...named(await shippedPart(app)), opinion }), { foreign: async () => ({ ...noPart, opinion }) }),
  callCase(completeService, service, { foreign: async () => ({ orderId: NONE, version: 1 }) }),

  callCase(queryAllocationRunList, async (app) => {
    await allocated(app);
    return {};
  }),
  callCase(
    allocateOrder,
    async (app) => {
      const { orderId, version, goodsCode } = await waiting(app);
      await makeSeller(app, { [goodsCode]: 9 });
      return { orderId, version };
    },
    { foreign: async () => ({ orderId: NONE, version: 1 }) },
  ),
  callCase(
    assignSupplier,
    async (app) => {
      const { orderId, version, goodsCode } = await waiting(app);
      const { id } = await makeSeller(app, { [goodsCode]: 9 });
      return { orderId, version, ...(await wish(app, orderId, id)) };
    },
    {
      foreign: async (app) => {
        const { orderId, goodsCode } = await waiting(app);
        const { id } = await makeSeller(app, { [goodsCode]: 9 });
        return { orderId: NONE, version: 1, ...(await wish(app, orderId, id)) };
      },
    },
  ),
  callCase(dryRunAllocation, async (app) => ({ orderNo: (await waiting(app)).orderNo }), { foreign: async () => ({ orderNo: 'OR0' }) }),

  callCase(queryExceptionList, async (app) => {
    await troubled(app);
    return {};
  }),
  callCase(queryExceptionOwners, async () => ({})),
  callCase(claimException, troubled, { foreign: async () => ({ exceptionId: NONE, version: 1 }) }),
  callCase(claimNextException, async (app) => {
    await troubled(app);
    return {};
  }),
  callCase(
    transferException,
    async (app, as) => ({
      ...(await handled(app, as!)),
      toUserId: (await keeper(app)).userId,
      opinion,
    }),
    { foreign: async (app) => ({ exceptionId: NONE, version: 1, toUserId: (await keeper(app)).userId, opinion }) },
  ),
  callCase(resolveException, async (app, as) => ({ ...(await handled(app, as!)), opinion }), {
    foreign: async () => ({ exceptionId: NONE, version: 1, opinion }),
  }),
  callCase(ignoreException, async (app) => ({ ...(await troubled(app)), opinion }), {
    foreign: async () => ({ exceptionId: NONE, version: 1, opinion }),
  }),

  callCase(queryLogisticsList, async (app) => {
    await shippedPart(app);
    return {};
  }),
  callCase(exportLogisticsList, async (app) => {
    await shippedPart(app);
    return {};
  }),
  callCase(queryTrack, async (app) => ({ shipmentId: (await shippedPart(app)).shipmentId }), {
    foreign: async () => ({ shipmentId: NONE }),
  }),
  callCase(
    refreshTrack,
    async (app) => {
      const { shipmentId } = await shippedPart(app);
      await runOrderJob(app, 'order.subscribeParcel', { shipmentId });
      return { shipmentId };
    },
    { foreign: async () => ({ shipmentId: NONE }) },
  ),
  callCase(subscribeAgain, parcel, { foreign: async () => noParcel }),
  callCase(reportParcel, async (app) => ({ ...(await parcel(app)), opinion }), { foreign: async () => ({ ...noParcel, opinion }) }),
  callCase(queryBulkDeliveryList, async (app) => {
    await bulkParcel(app);
    return {};
  }),
  callCase(exportBulkDeliveryList, async (app) => {
    await bulkParcel(app);
    return {};
  }),
  callCase(
    importBulkDelivery,
    async (app, as) => {
      const { seller, orderId, goodsCode } = await acceptedPart(app);
      const [part] = await partsOf(app, orderId);
      return { supplierId: seller.id, fileId: await bulkFile(app, as!, part!.fulfilmentNo, goodsCode) };
    },
    { foreign: async (app, as) => ({ supplierId: NONE, fileId: await bulkFile(app, as!, 'FO20261130000001', 'SP1') }) },
  ),
];
