import { plusDays } from '#kernel/contract/time.ts';
import { periodsOf } from '../../contract/rules/premium.ts';
import { own } from '../database.ts';
import { lockedPolicy } from '../endorsements/carryOut.ts';
import { instalmentsUntil } from '../premium/instalmentOrders.ts';
import { suspendOverdue } from '../premium/instalments.ts';
import type { Fates } from './endorse.ts';
import type { WrittenPolicy } from './policies.ts';
import type { Stage } from './stage.ts';

/** Days before a period on which the nightly job makes its order. */
const AHEAD = 30;

/** Orders of a policy that is paid in parts, each made in its night; the one that nobody paid in time lets the policy rest. */
export async function payInParts(stage: Stage, { id, spec, coverageStart }: WrittenPolicy, fates: Fates): Promise<void> {
  if (!spec.pay) return;
  const { tx, secrets, today } = stage;
  const policy = await lockedPolicy(tx, id);
  for (const { no, from } of periodsOf(policy.payMode, policy.coverageStart, policy.termDays)) {
    const night = plusDays(from, -AHEAD);
    if (no === 1 || night > today) continue;
    await instalmentsUntil(stage.at(night < coverageStart ? coverageStart : night, '00:30', null), policy, from);
  }
  if (!spec.lapses) return;
  const { part, paid } = spec.lapses;
  const paidOn = paid === undefined ? null : plusDays(today, paid);
  const late = await own(tx)
    .selectFrom('policyPremiumOrder')
    .select(['id', 'dueOn'])
    .where('policyId', '=', id)
    .where('kind', '=', 'INSTALMENT')
    .where('partNo', '>=', part)
    .orderBy('partNo')
    .execute();
  const [first] = late;
  if (!first) return;
  for (const order of late)
    if (paidOn === null && order.dueOn < today) fates.set(order.id, { fate: 'APPROVED' });
    else if (paidOn !== null && order.dueOn < paidOn) fates.set(order.id, { fate: 'SETTLED', paidOn });
  const behind = plusDays(first.dueOn, policy.graceDays + 1);
  if (behind <= today) await suspendOverdue(stage.at(behind, '00:30', null), secrets, policy, behind);
}
