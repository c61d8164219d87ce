import { declareDesk } from '#kernel/contract/desk.ts';
import { claimNextRx, claimRx, heartbeatRx, queryOrderList, releaseRx } from './calls/orders.ts';
import { orderErrors as errors } from './errors.ts';
import { orderMachine } from './orderStates.ts';

/** 审方: prescriptions that a pharmacist looks at before anything may be paid. */
export const rxDesk = declareDesk({
  machine: orderMachine,
  work: '审方中的订单',
  key: 'orderId',
  calls: { claim: claimRx, claimNext: claimNextRx, heartbeat: heartbeatRx, release: releaseRx },
  pool: ['PENDING_RX'],
  minutes: 10,
  refusals: { held: errors.HELD_BY_OTHER, none: errors.NOTHING_WAITS, lost: errors.LEASE_LOST },
  lists: [{ list: queryOrderList, holder: 'holder' }],
});
