import { useEffect, useRef } from 'react';
import { useHolding } from '../../../../../kernel/web/audit/lease.ts';
import { send } from '../../../../../kernel/web/http/client.ts';
import { queryClient, useAct } from '../../../../../kernel/web/http/queries.ts';
import { useMay } from '../../../../../kernel/web/session/store.ts';
import { queryDoctorCounts } from '../../../contract/doctorCalls.ts';
import { doctorPermissions as may } from '../../../contract/permissions.ts';
import {
  claimQualApply,
  heartbeatQualApply,
  queryQualApplyDetail,
  queryQualApplyList,
  releaseQualApply,
  type QualDetail,
} from '../../../contract/qualCalls.ts';

/** Holding a case: claimed by hand, kept alive, given back; who has begun to work claims each further case as it comes. */
export function useLease(data: QualDetail | undefined, again: () => void, onReleased: () => void) {
  const allowed = useMay();
  const working = useRef(false);
  const refreshes = [queryQualApplyList, queryDoctorCounts];
  const claim = useAct(claimQualApply, {
    refreshes,
    blockMs: 0,
    onSuccess: ({ data: { id, state, version, leaseToken, leaseUntil, allowedActions } }) => {
      working.current = true;
      // Shown as held at once; the timeline follows.
      queryClient.setQueryData<QualDetail>(
        [queryQualApplyDetail.name, { applyId: id }],
        (old) =>
          old && { ...old, state, version, allowedActions, lease: { displayName: '', mine: true, until: leaseUntil, token: leaseToken } },
      );
      again();
    },
  });
  const release = useAct(releaseQualApply, { refreshes: [...refreshes, queryQualApplyDetail], success: 'message', onSuccess: onReleased });
  const held = data?.state === 'REVIEWING' && data.lease?.mine === true;
  const claimable =
    data !== undefined &&
    !data.mine &&
    data.lease === null &&
    (data.state === 'PENDING' || data.state === 'REVIEWING') &&
    allowed(may['qual.audit']);
  const id = data?.id;
  const token = data?.lease?.token;
  useEffect(() => {
    if (held) working.current = true;
  }, [held]);
  useHolding({
    caseId: id,
    held,
    takes: claimable && working.current,
    take: (applyId) => void claim.run({ applyId }),
    beat: (applyId) => send(heartbeatQualApply, { applyId, leaseToken: token ?? '' }, { quiet: true }),
    onLost: again,
  });
  return {
    held,
    claimable,
    claiming: claim.flying,
    releasing: release.busy,
    claim: () => id !== undefined && void claim.run({ applyId: id }),
    release: () => {
      if (id === undefined || !token) return;
      working.current = false;
      void release.run({ applyId: id, leaseToken: token });
    },
  };
}
