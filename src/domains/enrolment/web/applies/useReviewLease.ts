import { useCaseLease } from '#kernel/web/audit/lease.ts';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { goTo } from '#kernel/web/router/navigate.ts';
import { useMay } from '#kernel/web/session/store.ts';
import type { ApplyDetail } from '../../contract/calls/applies.ts';
import { claimSignContract, heartbeatSignContract, releaseSignContract } from '../../contract/calls/appliesWork.ts';
import { applyPermissions as may } from '../../contract/permissions.ts';
import { applyRefreshes } from './useApplyActions.ts';

/** Holding a case, as its first or its second reviewer: claimed by hand, kept alive, given back. */
export function useReviewLease(data: ApplyDetail | undefined, again: () => void) {
  const allowed = useMay();
  const second = data?.state === 'RECHECK';
  const queue = second ? ('RECHECK' as const) : ('POOL' as const);
  const claim = useCommand(claimSignContract, { refreshes: applyRefreshes, blockMs: 0, onSuccess: again });
  const release = useCommand(releaseSignContract, {
    refreshes: applyRefreshes,
    success: 'message',
    onSuccess: () => goTo('/signContract', {}),
  });
  const leaseToken = data?.lease?.token ?? '';
  const lease = useCaseLease({
    // A case that is looked at a second time is kept under the same lease.
    data: data && { id: data.id, state: second ? 'REVIEWING' : data.state, mine: data.ownPart, lease: data.lease },
    allowed: allowed(second ? may['apply.recheck'] : may['apply.audit']),
    byHand: true,
    claim: (applyId) => void claim.run({ applyId, queue }),
    release: (applyId) => void release.run({ applyId, leaseToken, queue }),
    beat: (applyId) => send(heartbeatSignContract, { applyId, leaseToken, queue }, { quiet: true }),
    onLost: again,
  });
  return { ...lease, claiming: claim.flying, releasing: release.busy };
}
