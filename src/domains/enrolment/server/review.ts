import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { reviewOf } from '#kernel/server/review/reviewOf.ts';
import { materialTypes } from '#domains/insurance/contract/businessLines.ts';
import { duplicateSignals } from '../contract/duplicates.ts';
import { enrolmentErrors as errors } from '../contract/errors.ts';

/** Whose materials they are, as the audit trail names the case. */
export const ENROL_APPLY = 'ENROL_APPLY';
export const OTHER_MATERIAL = 'OTHER_MATERIAL';

/** Materials, supplements and duplicates of all cases of this domain. */
export const enrolReview = (secrets: Secrets) =>
  reviewOf({
    prefix: 'enrolment',
    secrets,
    types: materialTypes,
    signals: duplicateSignals,
    refusals: {
      nothing: errors.NO_SUPPLEMENT_ITEM,
      days: errors.SUPPLEMENT_DAYS,
      again: errors.SUPPLEMENT_AGAIN,
      unanswered: errors.NOT_SUPPLIED,
    },
  });
