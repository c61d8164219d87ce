import { declareDesk } from '#kernel/contract/desk.ts';
import { claimNextQualApply, claimQualApply, heartbeatQualApply, queryQualApplyList, releaseQualApply } from './calls/qual.ts';
import { doctorErrors } from './errors.ts';
import { qualApplyMachine } from './states.ts';

/** 资质审核: applications that wait for their first auditor. */
export const qualDesk = declareDesk({
  machine: qualApplyMachine,
  work: '审核中的医生资质申请',
  key: 'applyId',
  calls: { claim: claimQualApply, claimNext: claimNextQualApply, heartbeat: heartbeatQualApply, release: releaseQualApply },
  pool: ['PENDING', 'REVIEWING'],
  minutes: 15,
  refusals: {
    held: doctorErrors.CLAIMED,
    none: doctorErrors.NONE_TO_CLAIM,
    lost: doctorErrors.LEASE_LOST,
    own: doctorErrors.OWN_ENTRY,
  },
  lists: [{ list: queryQualApplyList, holder: 'handler' }],
});
