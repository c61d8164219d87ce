import type { Day } from '#kernel/contract/time.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { periodsOf } from '../../contract/rules/premium.ts';
import type { PolicyRecord } from '../access.ts';
import { own } from '../database.ts';
import type { OrderWish } from './makeOrder.ts';

type Period = OrderWish['period'];

/** Whether a policy's premium was ever asked for: later cover is charged beside it. */
async function hasFirst(tx: Acting['tx'], policyId: string): Promise<boolean> {
  const row = await own(tx)
    .selectFrom('policyPremiumOrder')
    .select('id')
    .where('policyId', '=', policyId)
    .where('state', 'not in', ['REJECTED', 'VOIDED', 'REVERSED'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * What an endorsement's premium order is: the one of the first cover of a policy, for its first period where it is paid in parts, or an
 * adjustment beside it. The caller holds the policy's lock.
 */
export async function orderKindOf(
  acting: Acting,
  policy: Pick<PolicyRecord, 'id' | 'coverageStart' | 'termDays' | 'payMode' | 'renewalOfPolicyId'>,
  { firstCover, period }: { firstCover: boolean; period: { from: Day; to: Day } },
): Promise<{ kind: OrderWish['kind']; period: Period; part: OrderWish['part'] }> {
  if (!firstCover || (await hasFirst(acting.tx, policy.id))) return { kind: 'ADJUST', period, part: { no: 1, of: 1 } };
  const kind = policy.renewalOfPolicyId === null ? 'NEW' : 'RENEWAL';
  const [first] = periodsOf(policy.payMode, policy.coverageStart, policy.termDays);
  return first && first.of > 1
    ? { kind, period: { from: first.from, to: first.to }, part: { no: 1, of: first.of } }
    : { kind, period, part: { no: 1, of: 1 } };
}
