import { days, hours, plusMs, type Instant } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Trace } from '#kernel/server/logistics/port.ts';
import { inOrder, parcelState } from '#kernel/server/logistics/traces.ts';
import { own } from '../database.ts';
import { openException, settleExceptions } from '../exceptions/open.ts';
import { fulfilmentRecords, lockPart } from '../fulfilment/access.ts';
import { signed } from '../fulfilment/complete.ts';
import { shipmentRecords, type ShipmentRecord } from './access.ts';

/** A parcel of which nothing was heard for so long is looked after. */
const STALLED_HOURS = 48;
/** After so many days on the last stretch a parcel counts as received. */
const AUTO_SIGN_DAYS = 10;

/** Locks the order, the part and then the parcel. */
async function lockParcel(ctx: Acting, id: string) {
  const { fulfilmentId } = await shipmentRecords.get(ctx.tx, shipmentRecords.everyone, id);
  const locked = await lockPart(ctx.tx, fulfilmentRecords.everyone, fulfilmentId);
  return { ...locked, parcel: await shipmentRecords.lock(ctx.tx, shipmentRecords.everyone, id) };
}

const write = (ctx: Acting, id: string, change: Partial<Omit<ShipmentRecord, 'id' | 'version'>>) =>
  own(ctx.tx)
    .updateTable('orderShipment')
    .set((eb) => ({ ...change, version: eb('version', '+', 1), updatedAt: ctx.now }))
    .where('id', '=', id)
    .execute();

/** A parcel was received; the last one of its part brings the part to its end. */
export async function parcelSigned(ctx: Acting, id: string, signedAt: Instant): Promise<void> {
  const { order, part, parcel } = await lockParcel(ctx, id);
  if (parcel.voidedAt !== null || parcel.signedAt !== null) return;
  await write(ctx, id, { signedAt, trackState: 'SIGNED' });
  const open = await own(ctx.tx)
    .selectFrom('orderShipment')
    .select('id')
    .where('fulfilmentId', '=', part.id)
    .where('voidedAt', 'is', null)
    .where('signedAt', 'is', null)
    .limit(1)
    .executeTakeFirst();
  if (!open && part.state === 'SHIPPED') await signed(ctx, { order, part });
}

/** What a carrier tells of a parcel; told twice, late or out of order it is the same. */
export async function noteTraces(ctx: Acting, id: string, told: readonly Trace[]): Promise<void> {
  const { order, part, parcel } = await lockParcel(ctx, id);
  if (parcel.voidedAt !== null) return;
  if (told.length > 0)
    await own(ctx.tx)
      .insertInto('orderTrack')
      .values(inOrder(told).map((trace) => ({ shipmentId: id, ...trace })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const stored = await own(ctx.tx)
    .selectFrom('orderTrack')
    .select(['occurredAt', 'state', 'description', 'city'])
    .where('shipmentId', '=', id)
    .execute();
  const known = inOrder(stored.map((track) => ({ ...track, state: stateOf(track.state) })));
  const last = known.at(-1);
  const trackState = parcel.signedAt === null ? parcelState(known) : parcel.trackState;
  await write(ctx, id, {
    askedAt: ctx.now,
    trackState: trackState === 'SIGNED' && parcel.signedAt === null ? parcel.trackState : trackState,
    lastNode: last?.description ?? parcel.lastNode,
    lastNodeAt: last?.occurredAt ?? parcel.lastNodeAt,
    deliveringSince: known.findLast(({ state }) => state === 'DELIVERING')?.occurredAt ?? null,
  });
  if (parcel.signedAt !== null) return;
  if (trackState === 'SIGNED') {
    await parcelSigned(ctx, id, known.find(({ state }) => state === 'SIGNED')?.occurredAt ?? ctx.now);
    return;
  }
  if (trackState === 'PROBLEM' || trackState === 'RETURNED')
    await openException(ctx, order, {
      type: 'LOGISTICS_PROBLEM',
      detail: `运单${parcel.waybillNo}：${last?.description ?? '问题件'}`,
      fulfilmentId: part.id,
    });
  // News of a parcel that stood still.
  else if (last && last.occurredAt !== parcel.lastNodeAt) await settleExceptions(ctx, order, ['LOGISTICS_PROBLEM'], part.id);
}
const STATES: readonly Trace['state'][] = ['WAIT', 'TRANSIT', 'DELIVERING', 'SIGNED', 'PROBLEM', 'RETURNED'];
const stateOf = (state: string): Trace['state'] => STATES.find((one) => one === state) ?? 'WAIT';

/** Says that nothing was heard of a parcel for too long. */
export async function noteStalled(ctx: Acting, id: string): Promise<void> {
  const { order, part, parcel } = await lockParcel(ctx, id);
  const heardAt = parcel.lastNodeAt ?? parcel.shippedAt;
  if (parcel.signedAt !== null || parcel.voidedAt !== null || heardAt > plusMs(ctx.now, -hours(STALLED_HOURS))) return;
  await openException(ctx, order, {
    type: 'LOGISTICS_PROBLEM',
    detail: `运单${parcel.waybillNo}超过${STALLED_HOURS}小时没有更新`,
    fulfilmentId: part.id,
  });
}
export const autoSignBefore = (now: Instant): Instant => plusMs(now, -days(AUTO_SIGN_DAYS));
export const stalledBefore = (now: Instant): Instant => plusMs(now, -hours(STALLED_HOURS));
