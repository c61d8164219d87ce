import { declareDesk } from '#kernel/contract/desk.ts';
import {
  claimNextPremiumOrder,
  heartbeatPremiumOrder,
  queryPremiumOrderList,
  releasePremiumOrder,
  takeoverPremiumOrder,
} from './calls/premium.ts';
import { policyErrors } from './errors.ts';
import { premiumMachine } from './premiumStates.ts';

/** 保费订单审核: orders that wait for their first check; who takes one leaves its state as it is. */
export const premiumDesk = declareDesk({
  machine: premiumMachine,
  work: '审核中的保费订单',
  key: 'id',
  calls: {
    claim: claimNextPremiumOrder,
    heartbeat: heartbeatPremiumOrder,
    release: releasePremiumOrder,
    takeover: takeoverPremiumOrder,
  },
  pool: ['PENDING_AUDIT'],
  minutes: 15,
  refusals: {
    held: policyErrors.HELD_BY_OTHER,
    none: policyErrors.NOTHING_WAITS,
    lost: policyErrors.LEASE_LOST,
    own: policyErrors.OWN_ORDER,
  },
  lists: [{ list: queryPremiumOrderList, holder: 'checker' }],
});
