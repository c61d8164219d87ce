import {
  insuredAdded,
  insuredChanged,
  insuredRemoved,
  policyReinstated,
  policyRenewed,
  policySuspended,
  policyTerminated,
} from '#events/policy.ts';
import { plusDays, type Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { CoverChange } from '../../contract/rules/cover.ts';
import type { PolicyState } from '../../contract/states.ts';
import type { PolicyRecord } from '../access.ts';

type InsuredEvent = 'added' | 'removed' | 'changed';
const eventOf = { added: insuredAdded, removed: insuredRemoved, changed: insuredChanged } as const;
const OPPOSITE = { added: 'removed', removed: 'added', changed: 'changed' } as const;

/** Whether somebody comes in, leaves, or is covered otherwise. */
const insuredEventOf = ({ supersede, write }: CoverChange): InsuredEvent => {
  if (supersede.length === 0) return 'added';
  const end = (all: readonly { to: Day }[]) => all.reduce((last, { to }) => (to > last ? to : last), '');
  return end(write) < end(supersede) ? 'removed' : 'changed';
};

export interface CoverOrigin {
  policy: PolicyRecord;
  batchNo: string | null;
  backdated: boolean;
  undo: boolean;
}

/** Publishes to enrolment, claim and insurance whose cover changed; each person once. */
export async function publishInsured(
  acting: Acting,
  persons: readonly { insuredItemId: string; change: CoverChange }[],
  { policy, batchNo, backdated, undo }: CoverOrigin,
): Promise<void> {
  const events = persons.flatMap(({ insuredItemId, change }) => {
    const shown = change.write.at(-1) ?? change.supersede.at(-1);
    if (!shown) return [];
    const kind = insuredEventOf(change);
    const last = change.write.at(-1)?.to ?? plusDays(change.supersede[0]!.from, -1);
    return [
      {
        kind: undo ? OPPOSITE[kind] : kind,
        aggregateId: insuredItemId,
        payload: {
          insuredItemId,
          policyId: policy.id,
          productId: policy.productId,
          insurerId: policy.insurerId,
          adcode: policy.adcode,
          planCode: shown.planCode,
          coverageStart: shown.from,
          coverageEnd: shown.to,
          lastCoveredDay: kind === 'removed' ? last : null,
          batchNo,
          backdated,
          undo,
        },
      },
    ];
  });
  for (const kind of ['added', 'removed', 'changed'] as const) {
    const some = events.filter((one) => one.kind === kind).map(({ aggregateId, payload }) => ({ aggregateId, payload }));
    if (some.length > 0) await acting.publishMany(eventOf[kind], some);
  }
}

const policyPayload = (policy: PolicyRecord) => ({
  policyId: policy.id,
  policyNo: policy.policyNo,
  productId: policy.productId,
  productVersionId: policy.productVersionId,
  insurerId: policy.insurerId,
  coverageStart: policy.coverageStart,
  coverageEnd: policy.coverageEnd,
  reason: null,
  terminatedOn: null,
  renewalOfPolicyId: policy.renewalOfPolicyId,
});

/** Publishes to those that hold the former policy that it goes on in this one. */
export const publishRenewed = (acting: Acting, policy: PolicyRecord): Promise<void> =>
  acting.publish(policyRenewed, policy.id, policyPayload(policy));

/** Publishes that a policy is suspended, in force again or over. */
export async function publishPolicyState(
  acting: Acting,
  policy: PolicyRecord,
  state: PolicyState,
  on: Day,
  reason: string | null,
): Promise<void> {
  const payload = { ...policyPayload(policy), reason };
  if (state === 'SUSPENDED') await acting.publish(policySuspended, policy.id, payload);
  else if (state === 'IN_FORCE' && policy.state === 'SUSPENDED') await acting.publish(policyReinstated, policy.id, payload);
  else if (state === 'SURRENDERED' || state === 'CANCELLED' || state === 'EXPIRED')
    await acting.publish(policyTerminated, policy.id, { ...payload, reason: state, terminatedOn: on });
}
