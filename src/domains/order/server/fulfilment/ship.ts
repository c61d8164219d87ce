import { refuse, refuseField } from '#kernel/contract/errors.ts';
import { dayOf, days, minutes, plusDays, plusMs, type Day, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import { createdColumns, updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import type { JobKind } from '#kernel/server/jobs/kind.ts';
import { fulfilmentShipped } from '#events/order.ts';
import { orderErrors } from '../../contract/errors.ts';
import type { Carrier } from '../../contract/orderDictionaries.ts';
import { COLD_MAX, COLD_MIN, NEAR_EXPIRY_DAYS } from '../../contract/rules/parcel.ts';
import { own } from '../database.ts';
import { settleExceptions } from '../exceptions/open.ts';
import { eventLines, headOf } from '../orders/publish.ts';
import { movePart, partLines, type FulfilmentRecord, type LockedPart, type PartLineRecord } from './access.ts';
import { moveStock } from './stock.ts';

export const subscribeJob: JobKind<{ shipmentId: string }> = {
  name: 'order.subscribeParcel',
  label: '订阅物流轨迹',
  retryLimit: 5,
  subject: ({ shipmentId }) => shipmentId,
};

interface ParcelLine {
  orderLineId: string;
  quantity: number;
  batchNo: string;
  expireDate: Day;
  traceCodes: readonly string[];
}
export interface Parcel {
  carrierCode: Carrier;
  waybillNo: string;
  shippedAt: Instant;
  lines: readonly ParcelLine[];
  tempRecordFileId: string | null;
  minTemp: number | null;
  maxTemp: number | null;
}
interface Origin {
  source: 'MANUAL' | 'BULK' | 'CALLBACK';
  importBatchNo?: string;
}

const piecesOf = (lines: readonly ParcelLine[], orderLineId: string) =>
  lines.filter((line) => line.orderLineId === orderLineId).reduce((sum, { quantity }) => sum + quantity, 0);

/** What must hold of a parcel by itself (R6). @throws Refusal SCM16031, SCM16032, SCM16033, SCM90020 */
function requireSoundParcel(parcel: Parcel, lines: readonly PartLineRecord[], now: Instant): void {
  if (parcel.lines.length === 0) throw refuseField('lines', '请填写发货商品');
  if (parcel.shippedAt > plusMs(now, minutes(5))) throw refuseField('shippedAt', '发货时间不能晚于当前时间');
  if (parcel.shippedAt < plusMs(now, -days(30))) throw refuseField('shippedAt', '发货时间不能早于30天前');
  const unknown = parcel.lines.findIndex(({ orderLineId }) => lines.every((line) => line.orderLineId !== orderLineId));
  if (unknown >= 0) throw refuseField(`lines.${unknown}.orderLineId`, '该商品不在履约单中');
  const twice = parcel.lines.findIndex((line, at) =>
    parcel.lines.some((other, before) => before < at && other.orderLineId === line.orderLineId && other.batchNo === line.batchNo),
  );
  if (twice >= 0) throw refuseField(`lines.${twice}.batchNo`, '同一商品的同一批号请合并为一行');
  if (lines.some(({ orderLineId, quantity, shippedQty }) => piecesOf(parcel.lines, orderLineId) > quantity - shippedQty))
    throw refuse(orderErrors.TOO_MANY);
  const soonest = plusDays(dayOf(parcel.shippedAt), NEAR_EXPIRY_DAYS);
  if (parcel.lines.some(({ expireDate }) => expireDate <= soonest)) throw refuse(orderErrors.NEAR_EXPIRY);
  const isCold = lines.some(({ orderLineId, coldChain }) => coldChain && piecesOf(parcel.lines, orderLineId) > 0);
  const { tempRecordFileId, minTemp, maxTemp } = parcel;
  if (minTemp !== null && maxTemp !== null && minTemp > maxTemp) throw refuseField('maxTemp', '最高温度不能低于最低温度');
  const wasCold = tempRecordFileId !== null && minTemp !== null && maxTemp !== null && minTemp >= COLD_MIN && maxTemp <= COLD_MAX;
  if (isCold && !wasCold) throw refuse(orderErrors.COLD_CHAIN);
}

/** @throws Refusal SCM16030 for a waybill of another parcel */
async function requireFreeWaybill(ctx: Acting, { carrierCode, waybillNo }: Parcel): Promise<void> {
  await lockKeys(ctx.tx, 'order.waybill', [`${carrierCode}/${waybillNo}`]);
  const used = await own(ctx.tx)
    .selectFrom('orderShipment as s')
    .innerJoin('orderFulfilment as f', 'f.id', 's.fulfilmentId')
    .select('f.fulfilmentNo')
    .where('s.carrierCode', '=', carrierCode)
    .where('s.waybillNo', '=', waybillNo)
    .where('s.voidedAt', 'is', null)
    .executeTakeFirst();
  if (used) throw refuse(orderErrors.WAYBILL_USED, { no: used.fulfilmentNo });
}

async function insertParcel(ctx: Acting, part: FulfilmentRecord, { lines, ...parcel }: Parcel, origin: Origin): Promise<string> {
  const { id } = await own(ctx.tx)
    .insertInto('orderShipment')
    .values({
      fulfilmentId: part.id,
      ...parcel,
      source: origin.source,
      importBatchNo: origin.importBatchNo ?? null,
      ...createdColumns(ctx),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await own(ctx.tx)
    .insertInto('orderShipmentLine')
    .values(lines.map((line) => ({ shipmentId: id, ...line, traceCodes: [...line.traceCodes] })))
    .execute();
  return id;
}

/** Goods of a parcel are sent, or come back by an undone one. */
async function movePieces(
  ctx: Acting,
  part: FulfilmentRecord,
  pieces: readonly Pick<ParcelLine, 'orderLineId' | 'quantity' | 'traceCodes'>[],
  direction: 1 | -1,
): Promise<PartLineRecord[]> {
  const lines = await partLines(ctx.tx, part.id);
  const byLine = Map.groupBy(pieces, ({ orderLineId }) => orderLineId);
  const moved: { orderLineId: string; medicineId: string | null; quantity: number }[] = [];
  for (const { orderLineId, medicineId } of lines) {
    const own_ = byLine.get(orderLineId) ?? [];
    const quantity = own_.reduce((sum, piece) => sum + piece.quantity, 0);
    if (quantity === 0) continue;
    const traceCodes = own_.flatMap((piece) => piece.traceCodes);
    moved.push({ orderLineId, medicineId, quantity });
    await own(ctx.tx)
      .updateTable('orderFulfilmentLine')
      .set((eb) => ({ shippedQty: eb('shippedQty', '+', direction * quantity) }))
      .where('fulfilmentId', '=', part.id)
      .where('orderLineId', '=', orderLineId)
      .execute();
    const row = await own(ctx.tx).selectFrom('orderLine').select('traceCodes').where('id', '=', orderLineId).executeTakeFirstOrThrow();
    const codes = direction === 1 ? [...row.traceCodes, ...traceCodes] : row.traceCodes.filter((code) => !traceCodes.includes(code));
    await own(ctx.tx)
      .updateTable('orderLine')
      .set((eb) => ({ shippedQty: eb('shippedQty', '+', direction * quantity), traceCodes: codes }))
      .where('id', '=', orderLineId)
      .execute();
  }
  await moveStock(ctx, part.supplierId, moved, direction === 1 ? 'SEND' : 'UNSEND');
  return partLines(ctx.tx, part.id);
}

/**
 * A parcel of a locked part leaves.
 * @throws Refusal SCM16030–16033, SCM90031 unless its supplier took it
 */
export async function shipped(ctx: Acting, { order, part }: LockedPart, parcel: Parcel, origin: Origin) {
  requireSoundParcel(parcel, await partLines(ctx.tx, part.id), ctx.now);
  await requireFreeWaybill(ctx, parcel);
  const shipmentId = await insertParcel(ctx, part, parcel, origin);
  const lines = await movePieces(ctx, part, parcel.lines, 1);
  const isWhole = lines.every(({ quantity, shippedQty }) => quantity === shippedQty);
  const moved = await movePart(ctx, part, isWhole ? 'ship' : 'shipPart', {
    shippedAt: part.shippedAt ?? parcel.shippedAt,
    ...(isWhole && { shipDeadline: null }),
  });
  if (isWhole) await settleExceptions(ctx, order, ['SHIP_TIMEOUT'], part.id);
  if (parcel.carrierCode !== 'OWN') await ctx.enqueue(subscribeJob, { shipmentId });
  await ctx.publish(fulfilmentShipped, order.id, {
    ...headOf(order, ctx.now),
    fulfilmentNo: part.fulfilmentNo,
    carrierCode: parcel.carrierCode,
    waybillNo: parcel.waybillNo,
    lines: (await eventLines(ctx.tx, order.id))
      .filter(({ orderLineId }) => piecesOf(parcel.lines, orderLineId) > 0)
      .map((line) => ({ ...line, quantity: piecesOf(parcel.lines, line.orderLineId) })),
  });
  return { part: moved, shipmentId };
}

/**
 * A parcel of a locked part was none: its goods are back, its waybill is free.
 * @throws Refusal SCM16034, SCM16035
 */
export async function unshipped(
  ctx: Acting,
  { part }: LockedPart,
  shipment: { id: string; createdAt: Instant; signedAt: Instant | null; voidedAt: Instant | null },
  opinion: string,
): Promise<FulfilmentRecord> {
  if (shipment.signedAt !== null || part.state === 'SIGNED') throw refuse(orderErrors.SIGNED_PARCEL);
  if (plusMs(shipment.createdAt, days(1)) < ctx.now) throw refuse(orderErrors.UNDO_LATE);
  if (shipment.voidedAt !== null) throw refuseField('shipmentId', '该包裹已撤销发货');
  const pieces = await own(ctx.tx)
    .selectFrom('orderShipmentLine')
    .select(['orderLineId', 'quantity', 'traceCodes'])
    .where('shipmentId', '=', shipment.id)
    .execute();
  await own(ctx.tx)
    .updateTable('orderShipment')
    .set((eb) => ({ voidedAt: ctx.now, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', shipment.id)
    .execute();
  const lines = await movePieces(ctx, part, pieces, -1);
  const isNothing = lines.every(({ shippedQty }) => shippedQty === 0);
  const { shipSlaHour } = await own(ctx.tx)
    .selectFrom('orderSupplier')
    .select('shipSlaHour')
    .where('id', '=', part.supplierId)
    .executeTakeFirstOrThrow();
  return movePart(
    ctx,
    part,
    isNothing ? 'undoShip' : 'undoPart',
    { ...(isNothing && { shippedAt: null }), shipDeadline: plusMs(part.acceptedAt ?? ctx.now, shipSlaHour * 3_600_000) },
    opinion,
  );
}
