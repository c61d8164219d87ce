import type { MaterialType } from '#domains/insurance/contract/businessLines.ts';
import type { rejectReasons } from '../../contract/applyDictionaries.ts';

export type Reason = (typeof rejectReasons.codes)[number];
export type Verdict = 'pass' | 'supplement' | 'return' | 'reject';
/** What a reviewer writes with a verdict. */
export interface Wording {
  opinion: string;
  reasons: readonly Reason[];
  applicantWording: string;
  internalNote: string;
  items: Readonly<Partial<Record<MaterialType, string>>>;
  days: number;
}
export const noWording: Wording = { opinion: '', reasons: [], applicantWording: '', internalNote: '', items: {}, days: 15 };

/** A second review says why; what the applicant reads of a refusal says it too. */
export const needsOpinion = (second: boolean, verdict: Verdict): boolean => verdict === 'return' || (second && verdict === 'pass');
