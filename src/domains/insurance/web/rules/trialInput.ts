import { plusDays } from '#kernel/contract/time.ts';
import type { AdjudicationInput, LineInput } from '../../contract/adjudication/input.ts';
import { todayHere } from '#kernel/web/form/today.ts';
import type { ClaimRulesSeen } from './seen.ts';

/** A line of a trial as the page's sheet writes it. */
export const blankLine = (lineNo: number): LineInput => ({
  lineNo,
  medicineId: '',
  serviceDate: todayHere(),
  qtyMilli: 1000,
  unitPriceFen: 0,
  amountFen: 0,
  socialSettled: true,
  socialPaidFen: null,
  otherPaidFen: null,
  monthsSinceFirstDose: null,
  facts: {},
});

/** A claim that the form begins with: somebody who is covered for the year of the version. */
export function blankInput(seen: ClaimRulesSeen): AdjudicationInput {
  const start = seen.version.effectiveFrom;
  // The last day of a year of cover is covered.
  const end = plusDays(`${Number(start.slice(0, 4)) + 1}${start.slice(4)}`, -1);
  const today = todayHere();
  const service = today < start ? start : today;
  return {
    at: new Date().toISOString(),
    stage: 'CLAIM',
    claim: {
      claimType: seen.benefits[0]?.claimTypes[0] ?? 'REIMBURSE',
      submittedOn: service,
      firstDiagnosedOn: service,
      icd10: ['C34'],
      hospitalId: null,
      hospitalInScope: true,
      materials: [],
      socialPaidFen: null,
      otherPaidFen: null,
    },
    cover: {
      planCode: seen.plans[0]?.planCode ?? '',
      coverageStart: start,
      coverageEnd: end,
      continuousFrom: start,
      hasSocial: true,
      preExistingIcd: [],
      personId: '1',
      familySubjectId: null,
    },
    lines: [{ ...blankLine(1), serviceDate: service }],
    balances: {},
    countedDays: {},
    facts: {},
    overrides: [],
  };
}
