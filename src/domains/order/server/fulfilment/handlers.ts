import { refuseField } from '#kernel/contract/errors.ts';
import { command, procedure, type Handler } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { requireVersion } from '#kernel/server/record/requireVersion.ts';
import { attach } from '#domains/files/server/index.ts';
import {
  acceptFulfilment,
  completeService,
  confirmCancel,
  confirmSign,
  markReturned,
  pushFulfilment,
  queryPushResult,
  refuseCancel,
  rejectFulfilment,
  revealPickupCode,
  shipFulfilment,
  undoShip,
  withdrawFulfilment,
} from '../../contract/calls/fulfilments.ts';
import { TEMPERATURE_RECORD } from '../../contract/purposes.ts';
import { pushJob } from '../allocation/job.ts';
import { own } from '../database.ts';
import { openException } from '../exceptions/open.ts';
import { orderRecords } from '../orders/access.ts';
import { fulfilmentRecords, lockPart, lockPartVersion, movePart, partAnswer, requireKnownPush, writePart, bySystemOf } from './access.ts';
import { completeOrder, signed } from './complete.ts';
import { accepted, cancelConfirmed, cancelRefused, pushed, rejected, supplierOf, withdrawn } from './give.ts';
import { askPushResult, FOUND } from './push.ts';
import { shipped, unshipped } from './ship.ts';
import { SHIPMENT_TARGET } from '../logistics/access.ts';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { fulfilmentMachine } from '../../contract/fulfilmentStates.ts';

/** 推送 / 重新推送. @throws Refusal SCM16025 */
const push = ({ oms }: Kernel) =>
  command(pushFulfilment, async ({ fulfilmentId, version }, ctx) => {
    const locked = await lockPartVersion(ctx, fulfilmentId, version);
    const { part } = locked;
    requireKnownPush(part);
    if (!fulfilmentMachine.canStart('push', part.state))
      throw refuse(platformErrors.WRONG_STATE, { state: fulfilmentMachine.states[part.state].label });
    const { integration } = await supplierOf(ctx.tx, part);
    if (integration !== 'API' || !oms.available) return partAnswer(ctx, await pushed(ctx, locked));
    ctx.target({ type: fulfilmentRecords.type, id: part.id, no: part.fulfilmentNo });
    const again = await writePart(ctx, part, { pushState: 'NONE' });
    await ctx.enqueue(pushJob, { fulfilmentId });
    return partAnswer(ctx, again);
  });

/** 查询结果: the supplier is asked outside of any transaction. */
const askResult = (kernel: Kernel) =>
  procedure(queryPushResult, async ({ fulfilmentId, version }, ctx) => {
    const part = await fulfilmentRecords.get(ctx.db, ctx.staff, fulfilmentId);
    ctx.target({ type: fulfilmentRecords.type, id: part.id, no: part.fulfilmentNo, looked: true });
    await ctx.transaction(async (writing) => requireVersion(writing, fulfilmentRecords.type, part, version, () => ({})));
    const found =
      part.pushState === 'UNKNOWN'
        ? await askPushResult(kernel, (run) => ctx.transaction((writing) => run(bySystemOf(writing))), part)
        : 'NOTHING';
    return { ...partAnswer(ctx, await fulfilmentRecords.get(ctx.db, ctx.staff, fulfilmentId)), told: FOUND[found] };
  });

const withdraw = command(withdrawFulfilment, async ({ fulfilmentId, version, opinion }, ctx) => {
  const locked = await lockPartVersion(ctx, fulfilmentId, version, { opinion: '' });
  if (locked.part.state === 'WAIT_PUSH') requireKnownPush(locked.part);
  return partAnswer(ctx, await withdrawn(ctx, locked, opinion));
});

const accept = command(acceptFulfilment, async ({ fulfilmentId, version, supplierOrderNo }, ctx) => {
  const locked = await lockPartVersion(ctx, fulfilmentId, version, { supplierOrderNo: '' });
  const taken = await accepted(ctx, locked);
  return partAnswer(ctx, supplierOrderNo === '' ? taken : await writePart(ctx, taken, { supplierOrderNo }));
});

const reject = command(rejectFulfilment, async ({ fulfilmentId, version, opinion }, ctx) =>
  partAnswer(ctx, await rejected(ctx, await lockPartVersion(ctx, fulfilmentId, version, { opinion: '' }), opinion)),
);
const confirm = command(confirmCancel, async ({ fulfilmentId, version }, ctx) =>
  partAnswer(ctx, await cancelConfirmed(ctx, await lockPartVersion(ctx, fulfilmentId, version))),
);
const keep = command(refuseCancel, async ({ fulfilmentId, version, opinion }, ctx) =>
  partAnswer(ctx, await cancelRefused(ctx, await lockPartVersion(ctx, fulfilmentId, version, { opinion: '' }), opinion)),
);

/** @throws Refusal SCM16030–16033 */
const ship = command(shipFulfilment, async ({ fulfilmentId, version, ...parcel }, ctx) => {
  const { carrierCode, waybillNo, shippedAt, lines, tempRecordFileId, minTemp, maxTemp } = parcel;
  const locked = await lockPartVersion(ctx, fulfilmentId, version, {
    carrierCode,
    waybillNo,
    shippedAt,
    lines,
    tempRecordFileId,
    minTemp,
    maxTemp,
  });
  const { part, shipmentId } = await shipped(ctx, locked, parcel, { source: 'MANUAL' });
  if (tempRecordFileId !== null)
    await attach(
      ctx.tx,
      {
        ownerType: SHIPMENT_TARGET,
        ownerId: shipmentId,
        field: 'temperature',
        fileIds: [tempRecordFileId],
        purpose: TEMPERATURE_RECORD,
        userId: ctx.staff.userId,
      },
      ctx.now,
    );
  return { ...partAnswer(ctx, part), shipmentId };
});

/** @throws Refusal SCM16034, SCM16035 */
const undo = command(undoShip, async ({ shipmentId, version, opinion }, ctx) => {
  const found = await own(ctx.tx).selectFrom('orderShipment').select('fulfilmentId').where('id', '=', shipmentId).executeTakeFirst();
  if (!found) throw refuse(platformErrors.NOT_FOUND, { message: '包裹不存在或已删除' });
  const locked = await lockPart(ctx.tx, ctx.staff, found.fulfilmentId);
  const shipment = await own(ctx.tx)
    .selectFrom('orderShipment')
    .selectAll()
    .where('id', '=', shipmentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await requireVersion(ctx, SHIPMENT_TARGET, shipment, version, () => ({ opinion: '' }));
  return partAnswer(ctx, await unshipped(ctx, locked, shipment, opinion));
});

/** @throws Refusal SCM90020 for the wrong code of what somebody fetches */
const sign = command(confirmSign, async ({ fulfilmentId, version, pickupCode }, ctx) => {
  const locked = await lockPartVersion(ctx, fulfilmentId, version, { pickupCode: null });
  const { part } = locked;
  if (part.way === 'PICKUP' && part.state === 'WAIT_PICKUP' && part.pickupCode !== pickupCode)
    throw refuseField('pickupCode', pickupCode === null ? '请输入取货码' : '取货码不正确');
  return partAnswer(ctx, await signed(ctx, locked));
});

const returned = command(markReturned, async ({ fulfilmentId, version, opinion }, ctx) => {
  const { order, part } = await lockPartVersion(ctx, fulfilmentId, version, { opinion: '' });
  const moved = await movePart(ctx, part, 'markReturned', { endedAt: ctx.now }, opinion);
  await openException(ctx, order, { type: 'LOGISTICS_PROBLEM', detail: `${part.fulfilmentNo}已退回：${opinion}`, fulfilmentId: part.id });
  return partAnswer(ctx, moved);
});

const revealCode = command(revealPickupCode, async ({ id }, ctx) => {
  const part = await fulfilmentRecords.get(ctx.tx, ctx.staff, id);
  ctx.target({ type: fulfilmentRecords.type, id, no: part.fulfilmentNo, looked: true });
  return { value: part.pickupCode };
});

const finishService = command(completeService, async ({ orderId, version }, ctx) => {
  const order = await orderRecords.lockVersion(ctx, orderId, version, () => ({}));
  if (order.orderType !== 'SERVICE') throw refuseField('orderId', '只有服务订单可以登记服务完成');
  const done = await completeOrder(ctx, order);
  return { id: done.id, state: done.state, version: done.version };
});

export const fulfilmentHandlers = (kernel: Kernel): readonly Handler[] => [
  push(kernel),
  askResult(kernel),
  withdraw,
  accept,
  reject,
  confirm,
  keep,
  ship,
  undo,
  sign,
  returned,
  revealCode,
  finishService,
];
