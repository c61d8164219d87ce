import type { ApplyDetail } from '../../contract/calls/applies.ts';

/** What the page of a line shows, and what it calls its acts. */
export interface EnrolVariant {
  /** Pathology and genes. */
  pathology: boolean;
  baseline: boolean;
  health: boolean;
  insurer: boolean;
  /** Fee and term of the contract to come. */
  fee: boolean;
  passLabel: string;
}

const drugs: EnrolVariant = { pathology: true, baseline: false, health: false, insurer: false, fee: true, passLabel: '初审通过' };
export const enrolVariants: Readonly<Record<ApplyDetail['variant'], EnrolVariant>> = {
  STANDARD: drugs,
  RSB: { ...drugs, baseline: true },
  SAAS: { ...drugs, insurer: true, fee: false, passLabel: '提交保司' },
  HMO: { ...drugs, pathology: false, health: true },
};
