import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

const id = z.string();
const text = z.string();
const day = z.string();
const dayOrNull = z.nullable(day);

const policy = z.strictObject({
  policyId: id,
  policyNo: text,
  productId: id,
  productVersionId: id,
  insurerId: z.nullable(id),
  coverageStart: day,
  coverageEnd: day,
  reason: textOrNull,
  terminatedOn: dayOrNull,
  renewalOfPolicyId: z.nullable(id),
});
export const policySuspended = event('policy.policy.suspended', policy);
export const policyReinstated = event('policy.policy.reinstated', policy);
export const policyRenewed = event('policy.policy.renewed', policy);
export const policyTerminated = event('policy.policy.terminated', policy);

/** Cover of one person changed; an undo sends the opposite with `undo`. */
const insured = z.strictObject({
  insuredItemId: id,
  policyId: id,
  productId: id,
  insurerId: z.nullable(id),
  adcode: textOrNull,
  planCode: text,
  coverageStart: day,
  coverageEnd: day,
  lastCoveredDay: dayOrNull,
  batchNo: textOrNull,
  backdated: z.boolean(),
  undo: z.boolean(),
});
export const insuredAdded = event('policy.insured.added', insured);
export const insuredRemoved = event('policy.insured.removed', insured);
export const insuredChanged = event('policy.insured.changed', insured);

const order = z.strictObject({
  premiumOrderId: id,
  policyId: id,
  productId: id,
  insurerId: z.nullable(id),
  adcode: textOrNull,
  direction: text,
  /** Signed: what is returned is negative. */
  amountFen: z.int(),
  coverageStart: day,
  coverageEnd: day,
});
export const premiumOrderApproved = event('policy.premiumOrder.approved', order);
export const premiumOrderReversed = event('policy.premiumOrder.reversed', order);
