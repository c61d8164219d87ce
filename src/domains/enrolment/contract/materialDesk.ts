import { declareDesk } from '#kernel/contract/desk.ts';
import {
  claimNextOtherMaterial,
  claimOtherMaterial,
  heartbeatOtherMaterial,
  queryOtherMaterialList,
  releaseOtherMaterial,
  takeoverOtherMaterial,
} from './calls/otherMaterials.ts';
import { enrolmentErrors as errors } from './errors.ts';
import { otherMaterialMachine } from './materialStates.ts';

/** 其他材料审核: what was handed in for contracts and waits for a reviewer. */
export const otherMaterialDesk = declareDesk({
  machine: otherMaterialMachine,
  work: '审核中的其他材料',
  key: 'materialId',
  calls: {
    claim: claimOtherMaterial,
    claimNext: claimNextOtherMaterial,
    heartbeat: heartbeatOtherMaterial,
    release: releaseOtherMaterial,
    takeover: takeoverOtherMaterial,
  },
  pool: ['PENDING', 'REVIEWING'],
  minutes: 10,
  most: 5,
  refusals: {
    held: errors.LEASE_OTHER,
    none: errors.POOL_EMPTY,
    lost: errors.LEASE_LOST,
    own: errors.OWN_ENTRY,
    full: errors.TOO_MANY_HELD,
  },
  lists: [{ list: queryOtherMaterialList, holder: 'holder' }],
});
