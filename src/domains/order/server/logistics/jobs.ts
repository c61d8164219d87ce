import { sql } from 'kysely';
import { minutes, plusMs } from '#kernel/contract/time.ts';
import { isolateFailures } from '#kernel/server/jobs/isolateFailures.ts';
import { job, type JobContext, type JobDeclaration } from '#kernel/server/jobs/declaration.ts';
import { own } from '../database.ts';
import { subscribeJob } from '../fulfilment/ship.ts';
import { inTransaction } from '../orders/jobs.ts';
import { shipmentRecords } from './access.ts';
import { autoSignBefore, noteStalled, noteTraces, parcelSigned, stalledBefore } from './tracks.ts';

const MOST = 200;
/** Carriers are asked again for a parcel after this time. */
const ASK_EVERY = minutes(30);
interface Named {
  id: string;
  carrierCode: string;
  waybillNo: string;
}
async function forEachParcel(ctx: JobContext, parcels: readonly Named[], run: (parcel: Named) => Promise<unknown>): Promise<void> {
  const failures = isolateFailures(ctx);
  for (const parcel of parcels) {
    if (ctx.signal.aborted) break;
    await failures.run(parcel.waybillNo, async () => {
      await run(parcel);
    });
  }
  failures.throwIfAny();
}

/** Carriers tell what became of parcels; those that were asked longest ago first. */
const readTracks = job({
  name: 'order.readTracks',
  label: '查询物流轨迹',
  everySeconds: 300,
  async run(_data, ctx) {
    if (!ctx.kernel.logistics.available) return;
    const { rows } = await sql<Named>`
      select id, carrier_code, waybill_no
        from order_shipment
        where voided_at is null and signed_at is null and carrier_code <> 'OWN'
          and (asked_at is null or asked_at <= ${plusMs(ctx.now, -ASK_EVERY)})
        order by asked_at nulls first limit ${MOST}`.execute(ctx.db);
    await forEachParcel(ctx, rows, async ({ id, carrierCode, waybillNo }) => {
      const answer = await ctx.kernel.logistics.traces({ carrierCode, waybillNo });
      await inTransaction(ctx, (acting) => noteTraces(acting, id, answer ?? []));
    });
  },
});

/** Parcels of which nothing is heard are looked after; those long on the last stretch count as received. */
const watchParcels = job({
  name: 'order.watchParcels',
  label: '包裹停滞与自动签收',
  everySeconds: 600,
  async run(_data, ctx) {
    const received = await sql<Named & { deliveringSince: string }>`
      select id, carrier_code, waybill_no, delivering_since
        from order_shipment
        where voided_at is null and signed_at is null and track_state = 'DELIVERING' and delivering_since <= ${autoSignBefore(ctx.now)}
        order by id limit ${MOST}`.execute(ctx.db);
    await forEachParcel(ctx, received.rows, ({ id }) => inTransaction(ctx, (acting) => parcelSigned(acting, id, acting.now)));
    const stalled = await sql<Named>`
      select s.id, s.carrier_code, s.waybill_no
        from order_shipment s
        where s.voided_at is null and s.signed_at is null and coalesce(s.last_node_at, s.shipped_at) <= ${stalledBefore(ctx.now)}
          and not exists (
            select from order_exception x
              where x.fulfilment_id = s.fulfilment_id and x.type = 'LOGISTICS_PROBLEM'
                and x.created_at >= coalesce(s.last_node_at, s.shipped_at)
          )
        order by s.id limit ${MOST}`.execute(ctx.db);
    await forEachParcel(ctx, stalled.rows, ({ id }) => inTransaction(ctx, (acting) => noteStalled(acting, id)));
  },
});

/** The carrier is asked to keep us informed of a parcel. */
const subscribe = job({
  ...subscribeJob,
  async run({ shipmentId }, ctx) {
    const { carrierCode, waybillNo, voidedAt, subscribed } = await shipmentRecords.get(ctx.db, shipmentRecords.everyone, shipmentId);
    if (voidedAt !== null || subscribed || !ctx.kernel.logistics.available) return;
    const answer = await ctx.kernel.logistics.subscribe({ carrierCode, waybillNo });
    if (answer === 'UNKNOWN') throw new Error(`${waybillNo}: the carrier did not answer the subscription`);
    if (answer === 'TAKEN')
      await inTransaction(ctx, async ({ tx }) => {
        await own(tx).updateTable('orderShipment').set({ subscribed: true }).where('id', '=', shipmentId).execute();
      });
  },
});

export const logisticsJobs: readonly JobDeclaration<never>[] = [readTracks, watchParcels, subscribe as JobDeclaration<never>];
