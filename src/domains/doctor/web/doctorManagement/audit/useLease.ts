import { useCaseLease } from '#kernel/web/audit/lease.ts';
import { send } from '#kernel/web/http/client.ts';
import { queryClient } from '#kernel/web/http/queryClient.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { useMay } from '#kernel/web/session/store.ts';
import { queryDoctorCounts } from '../../../contract/calls/doctors.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import {
  claimQualApply,
  heartbeatQualApply,
  queryQualApplyDetail,
  queryQualApplyList,
  releaseQualApply,
  type QualDetail,
} from '../../../contract/calls/qual.ts';

/** Holding a case by its token: claimed by hand, kept alive, given back. */
export function useLease(data: QualDetail | undefined, again: () => void, onReleased: () => void) {
  const allowed = useMay()(may['qual.audit']);
  const refreshes = [queryQualApplyList, queryDoctorCounts];
  const claim = useCommand(claimQualApply, {
    refreshes,
    blockMs: 0,
    onSuccess: ({ data: { id, state, version, leaseToken, leaseUntil, allowedActions } }) => {
      // Shown as held at once; the timeline follows.
      queryClient.setQueryData<QualDetail>(
        [queryQualApplyDetail.name, { applyId: id }],
        (old) =>
          old && { ...old, state, version, allowedActions, lease: { displayName: '', mine: true, until: leaseUntil, token: leaseToken } },
      );
      again();
    },
  });
  const release = useCommand(releaseQualApply, {
    refreshes: [...refreshes, queryQualApplyDetail],
    success: 'message',
    onSuccess: onReleased,
  });
  const leaseToken = data?.lease?.token ?? '';
  const lease = useCaseLease({
    data,
    allowed,
    byHand: true,
    claim: (applyId) => void claim.run({ applyId }),
    release: (applyId) => void release.run({ applyId, leaseToken }),
    beat: (applyId) => send(heartbeatQualApply, { applyId, leaseToken }, { quiet: true }),
    onLost: again,
  });
  return { ...lease, claiming: claim.flying, releasing: release.busy };
}
