import { scopedResource } from '#kernel/server/auth/scope.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { own } from '../database.ts';

/** Type of a parcel in the audit trail and as the owner of its temperature record. */
export const SHIPMENT_TARGET = 'order.shipment';

const ofOrder = scopedResource({ region: 'free', insurer: { column: 'o.insurerId' }, channel: 'free', own: 'free' });
export const shipmentRecords = recordOf((db) =>
  own(db)
    .selectFrom('orderShipment as s')
    .innerJoin('orderFulfilment as f', 'f.id', 's.fulfilmentId')
    .innerJoin('orderOrder as o', 'o.id', 'f.orderId')
    .selectAll('s'),
).with({ noun: '包裹', type: SHIPMENT_TARGET, id: 's.id', scope: ofOrder, locks: 's' });
export type ShipmentRecord = Awaited<ReturnType<typeof shipmentRecords.get>>;
