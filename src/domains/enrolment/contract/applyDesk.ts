import { declareDesk } from '#kernel/contract/desk.ts';
import { querySignContractList } from './calls/applies.ts';
import {
  claimNextSignContract,
  claimSignContract,
  heartbeatSignContract,
  releaseSignContract,
  takeoverSignContract,
} from './calls/appliesWork.ts';
import { applyMachine } from './applyMachine.ts';
import { enrolmentErrors as errors } from './errors.ts';

/** 入组审核: applications that wait for a reviewer, and those that wait for a second one. */
export const applyDesk = declareDesk({
  machine: applyMachine,
  work: '审核中的入组申请',
  key: 'applyId',
  calls: {
    claim: claimSignContract,
    claimNext: claimNextSignContract,
    heartbeat: heartbeatSignContract,
    release: releaseSignContract,
    takeover: takeoverSignContract,
  },
  pool: ['PENDING', 'REVIEWING'],
  second: { queue: 'RECHECK', pool: ['RECHECK'], own: errors.SAME_REVIEWER },
  minutes: 10,
  most: 5,
  refusals: {
    held: errors.LEASE_OTHER,
    none: errors.POOL_EMPTY,
    lost: errors.LEASE_LOST,
    own: errors.OWN_ENTRY,
    full: errors.TOO_MANY_HELD,
  },
  lists: [{ list: querySignContractList, holder: 'holder' }],
});
