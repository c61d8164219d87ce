import { updatedColumns } from '#kernel/server/command/stampedColumns.ts';
import { sql, type SqlBool } from 'kysely';
import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { hours, plusDays, plusMs, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import type { Db } from '#kernel/server/context.ts';
import { command, procedure, query } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { listExport } from '#kernel/server/list/listExport.ts';
import { listOf } from '#kernel/server/list/listOf.ts';
import {
  exportLogisticsList,
  queryLogisticsList,
  queryTrack,
  refreshTrack,
  reportParcel,
  subscribeAgain,
  type LogisticsRow,
} from '../../contract/calls/logistics.ts';
import { trackStates } from '../../contract/orderDictionaries.ts';
import { own } from '../database.ts';
import { openException } from '../exceptions/open.ts';
import { bySystemOf } from '../fulfilment/access.ts';
import { subscribeJob } from '../fulfilment/ship.ts';
import { orderRecords } from '../orders/access.ts';
import { shipmentRecords, type ShipmentRecord } from './access.ts';
import { bulkList } from './bulkList.ts';
import { noteTraces } from './tracks.ts';

/** A carrier is asked for a parcel once in this time. */
const REFRESH_SECONDS = 60;

const joined = (db: Db, viewer: Viewer) =>
  shipmentRecords.seen(db, viewer).innerJoin('orderSupplier as p', 'p.id', 'f.supplierId').where('s.voidedAt', 'is', null);
type Joined = ReturnType<typeof joined>;
const columns = (rows: Joined) =>
  rows
    .select(['s.id', 's.waybillNo', 's.carrierCode', 'o.id as orderId', 'o.orderNo', 'f.id as fulfilmentId', 'f.fulfilmentNo'])
    .select(['f.state as fulfilmentState', 'f.version as fulfilmentVersion', 'p.supplierName', 's.trackState', 's.lastNode'])
    .select(['s.shippedAt', 's.lastNodeAt', 's.subscribed', 's.signedAt', 's.version']);
type Read = Awaited<ReturnType<ReturnType<typeof columns>['executeTakeFirstOrThrow']>>;

const HOUR_MS = hours(1);
const between = (from: Instant, to: Instant) => Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / HOUR_MS));
const present = (row: Read, now: Instant): LogisticsRow => ({
  ...row,
  stalledHours: row.signedAt === null ? between(row.lastNodeAt ?? row.shippedAt, now) : null,
  tripHours: row.signedAt === null ? null : between(row.shippedAt, row.signedAt),
});

const logisticsList = listOf(queryLogisticsList)
  .from(({ db, staff }) => joined(db, staff))
  .with({
    where: {
      waybillNo: (_eb, numbers) => (numbers.length === 0 ? undefined : sql<SqlBool>`s.waybill_no = any(${numbers}::text[])`),
      carrierCode: 's.carrierCode',
      orderNo: (_eb, text) => sql<SqlBool>`o.order_no = ${text.toUpperCase()}`,
      fulfilmentNo: (_eb, text) => sql<SqlBool>`f.fulfilment_no = ${text.toUpperCase()}`,
      trackState: 's.trackState',
      stalledHours: (_eb, n, { now }) => sql<SqlBool>`(
        s.signed_at is null and coalesce(s.last_node_at, s.shipped_at) <= ${plusMs(now, -hours(n))}::timestamptz
      )`,
      shippedFrom: (_eb, day) => sql<SqlBool>`s.shipped_at >= ${startOfDay(day)}::timestamptz`,
      shippedTo: (_eb, day) => sql<SqlBool>`s.shipped_at < ${startOfDay(plusDays(day, 1))}::timestamptz`,
    },
    id: 's.id',
    sorts: { waybillNo: 's.waybillNo', shippedAt: 's.shippedAt' },
    last: { of: 's.trackState', groups: [['SIGNED'], ['RETURNED']] },
    select: (rows) => columns(rows),
    present: (rows, { now }) => rows.map((row) => present(row, now)),
  });
export const logisticsExport = listExport(logisticsList, { call: exportLogisticsList, title: '物流', routeKey: 'logistics' });

const track = query(queryTrack, async ({ shipmentId }, ctx) => {
  const row = await columns(joined(ctx.db, ctx.staff)).where('s.id', '=', shipmentId).executeTakeFirst();
  if (!row) throw shipmentRecords.missing();
  const nodes = await own(ctx.db)
    .selectFrom('orderTrack')
    .select(['occurredAt', 'state', 'description', 'city'])
    .where('shipmentId', '=', shipmentId)
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return {
    parcel: present(row, ctx.now),
    nodes: nodes.map((node) => ({ ...node, state: trackStates.codes.find((code) => code === node.state) ?? 'WAIT' })),
  };
});

const answerOf = ({ id, trackState, version }: ShipmentRecord) => ({ id, trackState, version });
function requireTracked({ carrierCode, voidedAt }: ShipmentRecord): void {
  if (voidedAt !== null) throw shipmentRecords.missing();
  if (carrierCode === 'OWN') throw refuseField('shipmentId', '自有配送没有物流轨迹，请在送达后确认签收');
}

/** 刷新: the carrier is asked outside of any transaction. @throws Refusal SCM90011 within a minute of the last time */
const refresh = ({ logistics }: Kernel) =>
  procedure(refreshTrack, async ({ shipmentId }, ctx) => {
    await ctx.transaction(async (writing) => {
      const parcel = await shipmentRecords.lock(writing.tx, ctx.staff, shipmentId);
      requireTracked(parcel);
      const left = parcel.askedAt === null ? 0 : REFRESH_SECONDS - (Date.parse(ctx.now) - Date.parse(parcel.askedAt)) / 1_000;
      if (left > 0) throw refuse(platformErrors.TOO_FREQUENT, { n: Math.ceil(left) });
      writing.target({ type: shipmentRecords.type, id: shipmentId, no: parcel.waybillNo, looked: true });
      await own(writing.tx).updateTable('orderShipment').set({ askedAt: ctx.now }).where('id', '=', shipmentId).execute();
    });
    const { carrierCode, waybillNo } = await shipmentRecords.get(ctx.db, ctx.staff, shipmentId);
    const traces = await logistics.traces({ carrierCode, waybillNo });
    if (traces === null) throw refuse(platformErrors.UNAVAILABLE, { message: '快递公司没有返回轨迹，请稍后重试或重新订阅' });
    await ctx.transaction((writing) => noteTraces(bySystemOf(writing), shipmentId, traces));
    return answerOf(await shipmentRecords.get(ctx.db, ctx.staff, shipmentId));
  });

const subscribe = command(subscribeAgain, async ({ shipmentId, version }, ctx) => {
  const parcel = await shipmentRecords.lockVersion(ctx, shipmentId, version);
  requireTracked(parcel);
  ctx.target({ type: shipmentRecords.type, id: shipmentId, no: parcel.waybillNo });
  const changed = await own(ctx.tx)
    .updateTable('orderShipment')
    .set((eb) => ({ subscribed: false, version: eb('version', '+', 1), ...updatedColumns(ctx) }))
    .where('id', '=', shipmentId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await ctx.enqueue(subscribeJob, { shipmentId });
  return answerOf(changed);
});

const report = command(reportParcel, async ({ shipmentId, version, opinion }, ctx) => {
  const found = await shipmentRecords.get(ctx.tx, ctx.staff, shipmentId);
  const { orderId } = await own(ctx.tx)
    .selectFrom('orderFulfilment')
    .select('orderId')
    .where('id', '=', found.fulfilmentId)
    .executeTakeFirstOrThrow();
  const order = await orderRecords.lock(ctx.tx, ctx.staff, orderId);
  const parcel = await shipmentRecords.lockVersion(ctx, shipmentId, version, () => ({ opinion: '' }));
  const open = await own(ctx.tx)
    .selectFrom('orderException')
    .select('exceptionNo')
    .where('fulfilmentId', '=', parcel.fulfilmentId)
    .where('type', '=', 'LOGISTICS_PROBLEM')
    .where('state', 'in', ['OPEN', 'HANDLING'])
    .executeTakeFirst();
  if (open) throw refuseField('shipmentId', `该包裹已有未关闭的异常工单（${open.exceptionNo}）`);
  await openException(ctx, order, {
    type: 'LOGISTICS_PROBLEM',
    detail: `运单${parcel.waybillNo}：${opinion}`,
    fulfilmentId: parcel.fulfilmentId,
  });
  return answerOf(parcel);
});

export const logisticsHandlers = (kernel: Kernel) => [logisticsList.handler, bulkList.handler, track, refresh(kernel), subscribe, report];
