import { sql, type SqlBool } from 'kysely';
import { refuseField } from '#kernel/contract/errors.ts';
import { scopedResource, scopeFilter } from '#kernel/server/auth/scope.ts';
import type { Viewer } from '#kernel/server/auth/viewer.ts';
import { lockKeys } from '#kernel/server/command/lockKeys.ts';
import type { Tx } from '#kernel/server/context.ts';
import { recordOf } from '#kernel/server/record/recordOf.ts';
import { productLines, type ProductLine } from '#domains/insurance/contract/businessLines.ts';
import { POLICY_LINE_VIEW, WITHOUT_INSURER_NUMBERS } from '../contract/lineView.ts';
import { own } from './database.ts';

/** An insurer's people see the policies of their own; who sells and where limits nobody here. */
export const insurerScope = (column: string) => scopedResource({ region: 'free', insurer: { column }, channel: 'free', own: 'free' });

/** Bank money belongs to no insurer, nor do its shares: who sees some insurers alone sees none of it anywhere, and moves none. */
export const seesMoney = ({ scope }: Pick<Viewer, 'scope'>): boolean => scope.insurer === null;
/** The same as a condition on rows. */
export const moneySeen = (viewer: Pick<Viewer, 'scope'>) => (seesMoney(viewer) ? sql<SqlBool>`true` : sql<SqlBool>`false`);

/** Whether the insurer's numbers are shown, as a condition on the policy's line. */
export const insurerNumbersShown = (line: string) =>
  sql<SqlBool>`${sql.ref(line)} not in (${sql.join(WITHOUT_INSURER_NUMBERS.map((one) => sql.lit(one)))})`;

/** @throws Refusal SCM90020 where a number of the insurer's is given for a policy whose line has none */
export function requireInsurerNumbers(productLine: ProductLine, given: Readonly<Record<string, { label: string; value: unknown }>>): void {
  if (POLICY_LINE_VIEW[productLine].insurerNumbers) return;
  for (const [path, { label, value }] of Object.entries(given))
    if (value !== null && value !== undefined && value !== '')
      throw refuseField(path, `${productLines.label(productLine)}保单没有${label}，请留空`);
}

export const policyRecords = recordOf((db) => own(db).selectFrom('policyPolicy as p').selectAll('p')).with({
  noun: '保单',
  type: 'policy.policy',
  id: 'p.id',
  scope: insurerScope('p.insurerId'),
});
export type PolicyRecord = Awaited<ReturnType<typeof policyRecords.get>>;

const ofPolicy = (column: string) => (viewer: Viewer) =>
  sql<SqlBool>`
    exists (select from policy_policy p where p.id = ${sql.ref(column)} and ${scopeFilter(insurerScope('p.insurerId'), viewer)})`;

export const endorsementRecords = recordOf((db) => own(db).selectFrom('policyEndorsement as e').selectAll('e')).with({
  noun: '批单',
  type: 'policy.endorsement',
  id: 'e.id',
  scope: ofPolicy('e.policyId'),
});
export type EndorsementRecord = Awaited<ReturnType<typeof endorsementRecords.get>>;

/** Persons come to be seen with the endorsement that brought them. */
export const insuredRecords = recordOf((db) =>
  own(db)
    .selectFrom('policyInsuredItem as i')
    .innerJoin('policyEndorsement as b', 'b.id', 'i.createdByEndorsementId')
    .where('b.visibleAt', 'is not', null)
    .selectAll('i'),
).with({ noun: '被保人', type: 'policy.insuredItem', id: 'i.id', scope: ofPolicy('i.policyId'), locks: 'i' });
export type InsuredRecord = Awaited<ReturnType<typeof insuredRecords.get>>;

export const premiumRecords = recordOf((db) => own(db).selectFrom('policyPremiumOrder as o').selectAll('o')).with({
  noun: '保费订单',
  type: 'policy.premiumOrder',
  id: 'o.id',
  scope: ofPolicy('o.policyId'),
});
export type PremiumRecord = Awaited<ReturnType<typeof premiumRecords.get>>;

/** Whoever changes cover or premium of a policy does so alone, until his transaction ends. */
export const lockPolicies = (tx: Tx, policyIds: readonly string[]): Promise<void> =>
  lockKeys(
    tx,
    'policy.policy',
    // in the order of the numbers, not of the texts
    policyIds.map((id) => id.padStart(20, '0')),
  );
