import { sql } from 'kysely';
import { scopeFilter } from '#kernel/server/auth/scope.ts';
import { trailOf } from '#kernel/server/audit/transition.ts';
import { query } from '#kernel/server/handler.ts';
import { getPlans } from '#domains/insurance/server/index.ts';
import { queryPolicyDetail } from '../../contract/calls/policies.ts';
import { handKinds } from '../../contract/dictionaries.ts';
import { policyPermissions as may } from '../../contract/permissions.ts';
import type { Suspension } from '../../contract/rules/cover.ts';
import { isTerminal, type PolicyState } from '../../contract/states.ts';
import { insurerScope, policyRecords } from '../access.ts';
import { own } from '../database.ts';
import { premiumSums } from '../premium/due.ts';
import { policyColumns, premiumColumns } from './list.ts';

/** Kinds of endorsement that a policy takes in a state, and somebody may make. */
export function allowedKinds(state: PolicyState, has: (permission: { code: string }) => boolean): string[] {
  if (isTerminal(state)) return [];
  return handKinds.filter((kind) => {
    if (kind === 'CANCEL') return state !== 'SUSPENDED' && has(may['policy.cancel']);
    if (!has(may['endorse.make'])) return false;
    if (kind === 'SUSPEND') return state === 'IN_FORCE';
    if (kind === 'REINSTATE') return state === 'SUSPENDED';
    return true;
  });
}

const usesOfPolicy = sql<{ contracts: number; openClaims: number; paidFen: string }>;

export const policyDetail = query(queryPolicyDetail, async ({ policyId }, { db, staff, today, has }) => {
  const row = await own(db)
    .selectFrom('policyPolicy as p')
    .leftJoin('policyPolicy as r', 'r.id', 'p.renewalOfPolicyId')
    .select([
      ...policyColumns,
      ...premiumColumns,
      'p.insurerId',
      'p.productId',
      'p.productVersionId',
      'p.productCode',
      'p.holderType',
      'p.holderIdNoMasked as holderIdNo',
      'p.holderContactMasked as holderContact',
      'p.termDays',
      'p.payMode',
      'p.graceDays',
      'p.prorate',
      'p.refundFeeBp',
      'p.refundIfClaimed',
      'p.maxBackdateDays',
      'p.adcode',
      'p.channelName',
      'p.suspensions',
      'p.renewalOfPolicyId',
      'r.policyNo as renewalOfPolicyNo',
    ])
    .where('p.id', '=', policyId)
    .where(scopeFilter(insurerScope('p.insurerId'), staff))
    .executeTakeFirst();
  if (!row) throw policyRecords.missing();
  const { suspensions, renewalOfPolicyId, renewalOfPolicyNo, ...facts } = row;
  const premium = await own(db)
    .selectFrom('policyPremiumOrder as o')
    .where('o.policyId', '=', policyId)
    .select([
      premiumSums.collectFen.as('collectFen'),
      premiumSums.refundFen.as('refundFen'),
      premiumSums.premiumFen.as('premiumFen'),
      premiumSums.waitingFen.as('waitingFen'),
      premiumSums.receivedFen.as('receivedFen'),
      sql<number>`
        count(*) filter (where o.direction = 'COLLECT' and o.state in ('APPROVED', 'PART_SETTLED') and o.due_on < ${today}::date)::int`.as(
        'overdue',
      ),
    ])
    .executeTakeFirstOrThrow();
  const uses = await usesOfPolicy`
    select count(*) filter (where ref_type = 'CONTRACT' and state = 'LIVE')::int as contracts,
      count(*) filter (where ref_type = 'CLAIM' and state = 'OPEN')::int as open_claims,
      coalesce(sum(paid_fen) filter (where ref_type = 'CLAIM'), 0)::text as paid_fen
    from policy_cover_use where policy_id = ${policyId}`.execute(db);
  const renewal = await own(db)
    .selectFrom('policyPolicy')
    .select(['id as policyId', 'policyNo'])
    .where('renewalOfPolicyId', '=', policyId)
    .where('state', '<>', 'CANCELLED')
    .executeTakeFirst();
  const plans = await getPlans(db, row.productVersionId);
  return {
    ...facts,
    suspensions: suspensions as Suspension[],
    renewalOf: renewalOfPolicyId && renewalOfPolicyNo ? { policyId: renewalOfPolicyId, policyNo: renewalOfPolicyNo } : null,
    renewedBy: renewal ?? null,
    plans: plans.map(({ planCode, planName, sumInsuredFen }) => ({ planCode, planName, sumInsuredFen: String(sumInsuredFen) })),
    premium,
    uses: uses.rows[0]!,
    allowedKinds: allowedKinds(row.state, has),
    timeline: await trailOf(db, 'policy.policy', policyId),
  };
});
