import type { Day, Instant } from '../../contract/time.ts';

/** A fulfilment order as its supplier gets it; the person's data go no further than there. */
export interface OmsOrder {
  /** Our number, unique for ever; the same number again is the same order. */
  fulfilmentNo: string;
  supplierCode: string;
  way: 'SHIP' | 'PICKUP';
  lines: readonly { goodsCode: string; quantity: number }[];
  /** Null where the person fetches it. */
  receiver: { name: string; mobile: string; adcode: string; address: string } | null;
  isColdChain: boolean;
}

/** A parcel that the supplier says has left. */
interface OmsParcel {
  carrierCode: string;
  waybillNo: string;
  shippedAt: Instant;
  lines: readonly { goodsCode: string; quantity: number; batchNo: string; expireDate: Day; traceCodes: readonly string[] }[];
}

/** UNKNOWN: the supplier did not answer; it is asked again, never pushed again. */
export interface OmsAnswer {
  state: 'WAITING' | 'ACCEPTED' | 'REJECTED' | 'SHIPPED' | 'CANCELLED' | 'UNKNOWN';
  supplierOrderNo: string | null;
  rejectReason: string | null;
  /** As often as the supplier reports it: a parcel is one by its carrier and waybill. */
  parcels: readonly OmsParcel[];
}

/** A supplier's interface, as orders would be pushed to it. */
interface OmsEndpoint {
  supplierCode: string;
  url: string;
  appKey: string;
  secret: string;
}

export interface Oms {
  /** Whether anybody can be asked; without, people operate for the supplier. */
  readonly available: boolean;
  /** Whether an interface answers, and takes key and secret; nothing is ordered. UNREACHABLE: no answer. @throws NotConnected */
  ping(endpoint: OmsEndpoint): Promise<'ANSWERS' | 'REFUSED' | 'UNREACHABLE'>;
  /** @throws NotConnected */
  push(order: OmsOrder): Promise<'TAKEN' | 'REFUSED' | 'UNKNOWN'>;
  /** Null: the supplier has never seen this order, so it may be pushed again as it is. */
  query(fulfilmentNo: string): Promise<OmsAnswer | null>;
  /** Asks the supplier to leave it; whether he does is found by asking. @throws NotConnected */
  cancel(fulfilmentNo: string): Promise<'TAKEN' | 'REFUSED' | 'UNKNOWN'>;
}

export const unknownFulfilment: OmsAnswer = { state: 'UNKNOWN', supplierOrderNo: null, rejectReason: null, parcels: [] };
