import { useCaseLease } from '#kernel/web/audit/lease.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  claimOtherMaterial,
  heartbeatOtherMaterial,
  releaseOtherMaterial,
  type OtherMaterialDetail,
} from '../../contract/calls/otherMaterials.ts';
import { materialPermissions as may } from '../../contract/permissions.ts';
import { materialReads } from './useMaterialActions.ts';

/** Holding a case by its token: claimed by hand, kept alive, given back. */
export function useMaterialLease(data: OtherMaterialDetail | undefined, again: () => void, onReleased: () => void) {
  const allowed = useMay()(may['material.audit']);
  const claim = useCommand(claimOtherMaterial, { refreshes: materialReads, blockMs: 0, onSuccess: again });
  const release = useCommand(releaseOtherMaterial, { refreshes: materialReads, success: 'message', onSuccess: onReleased });
  const leaseToken = data?.lease?.token ?? '';
  const lease = useCaseLease({
    data: data && { id: data.id, state: data.state, mine: data.ownPart, lease: data.lease },
    allowed,
    byHand: true,
    claim: (materialId) => void claim.run({ materialId }),
    release: (materialId) => void release.run({ materialId, leaseToken }),
    beat: (materialId) => send(heartbeatOtherMaterial, { materialId, leaseToken }, { quiet: true }),
    onLost: again,
  });
  return { ...lease, claiming: claim.flying, releasing: release.busy };
}
