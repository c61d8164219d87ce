import { declareDesk } from '#kernel/contract/desk.ts';
import { claimHospitalAudit, queryHospitalAuditList, releaseHospitalAudit } from './applyCalls.ts';
import { institutionErrors } from './errors.ts';
import { applyMachine } from './states.ts';

/** 医院申请审核: each is chosen in the list, and kept by claiming it again. */
export const applyDesk = declareDesk({
  machine: applyMachine,
  work: '审核中的医院申请',
  key: 'applyId',
  calls: { claim: claimHospitalAudit, release: releaseHospitalAudit },
  pool: ['PENDING', 'REVIEWING'],
  minutes: 20,
  refusals: { held: institutionErrors.CLAIMED, lost: institutionErrors.LEASE_LOST, own: institutionErrors.OWN_APPLY },
  lists: [{ list: queryHospitalAuditList, holder: 'handler' }],
});
