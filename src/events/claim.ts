import * as z from 'zod/mini';
import { event } from '../kernel/contract/event.ts';

/** What the applicant is told of his case, in words that he may read. */
const told = z.strictObject({
  claimId: z.string(),
  claimNo: z.string(),
  patientId: z.string(),
  applicantWording: z.string(),
  dueAt: z.nullable(z.string()),
});
export const claimSupplementRequested = event('claim.case.supplementRequested', told);
export const claimResultNotified = event('claim.case.resultNotified', told);

/** A service that a contract promises was given. */
export const rightsApplyCompleted = event(
  'claim.rightsApply.completed',
  z.strictObject({ rightsApplyId: z.string(), rightCode: z.string(), contractId: z.string() }),
);
