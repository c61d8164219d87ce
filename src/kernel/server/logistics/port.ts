import type { Instant } from '../../contract/time.ts';

/** A parcel is one by its carrier and its waybill together. */
export interface Parcel {
  carrierCode: string;
  waybillNo: string;
}

export type TraceState = 'WAIT' | 'TRANSIT' | 'DELIVERING' | 'SIGNED' | 'PROBLEM' | 'RETURNED';

/** One thing that happened to a parcel, as its carrier tells it. */
export interface Trace {
  occurredAt: Instant;
  state: TraceState;
  description: string;
  city: string;
}

export interface Logistics {
  /** Whether anybody can be asked. */
  readonly available: boolean;
  /** Asks the carrier to keep us informed; the same parcel again is the same. @throws NotConnected */
  subscribe(parcel: Parcel): Promise<'TAKEN' | 'REFUSED' | 'UNKNOWN'>;
  /** As they came: some twice, some late, in no order (`inOrder`). Null: nobody answered, or the carrier does not know the parcel. */
  traces(parcel: Parcel): Promise<readonly Trace[] | null>;
}
