import * as z from 'zod/mini';
import { textOrNull } from '#kernel/contract/fields.ts';
import { event } from '#kernel/contract/event.ts';

/** What the applicant is told of his case, in words that he may read. */
const applicantNotice = z.strictObject({
  claimId: z.string(),
  claimNo: z.string(),
  patientId: z.string(),
  applicantWording: z.string(),
  dueAt: z.nullable(z.string()),
});
export const claimSupplementRequested = event('claim.case.supplementRequested', applicantNotice);
export const claimResultNotified = event('claim.case.resultNotified', applicantNotice);

/** A service that a contract promises was given. */
export const rightsApplyCompleted = event(
  'claim.rightsApply.completed',
  z.strictObject({ rightsApplyId: z.string(), rightCode: z.string(), contractId: z.string() }),
);

/** Where a claim stands; `seq` counts these events of one claim without a gap. */
const claimFacts = {
  claimId: z.string(),
  claimNo: z.string(),
  round: z.int(),
  seq: z.int(),
  contractId: textOrNull,
  patientId: z.string(),
  productId: z.string(),
  productVersionId: z.string(),
  insurerId: textOrNull,
  productLine: z.string(),
  adcode: textOrNull,
  state: z.string(),
  purchasedFrom: textOrNull,
  purchasedTo: textOrNull,
  submittedAt: z.string(),
  decidedAt: textOrNull,
  paidAt: textOrNull,
  claimedFen: z.int(),
  approvedFen: z.int(),
  paidFen: z.int(),
  reasonCodes: z.array(z.string()),
  testUser: z.boolean(),
};
const claimCase = z.strictObject(claimFacts);
export const claimSubmitted = event('claim.case.submitted', claimCase);
export const claimAdjudicated = event('claim.case.adjudicated', claimCase);
/** `input` and `result` are those of the adjudication, without name, certificate and mobile; the insured is a keyed hash. */
export const claimDecided = event('claim.case.decided', z.strictObject({ ...claimFacts, input: z.unknown(), result: z.unknown() }));
export const claimPaid = event('claim.case.paid', claimCase);
export const claimClosed = event('claim.case.closed', claimCase);
export const claimWithdrawn = event('claim.case.withdrawn', claimCase);

/** One rule on one line, or on the claim as a whole (`lineNo` null). */
const control = z.strictObject({
  evaluationId: z.string(),
  claimId: z.string(),
  lineNo: z.nullable(z.int()),
  ruleVersionId: z.string(),
  mode: z.string(),
  savedFen: z.int(),
  /** Why it hit, as people read it, and the variables that were missing. */
  trace: z.strictObject({ text: z.string(), missing: z.array(z.string()) }),
});
export const claimControlEvaluated = event('claim.control.evaluated', control);
export const claimControlOverturned = event('claim.control.overturned', control);
