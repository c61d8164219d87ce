/** Type of a parcel in the audit trail and as the owner of its temperature record. */
export const SHIPMENT_TARGET = 'order.shipment';
