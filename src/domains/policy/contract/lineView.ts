import { productLines, type ProductLine } from '#domains/insurance/contract/businessLines.ts';

interface LineView {
  /** Its persons are an enterprise's staff: lists say enterprise, department and staff number. */
  enterprise: boolean;
  /** Its insurer issues endorsements, figures and invoices of its own, whose numbers are kept. */
  insurerNumbers: boolean;
}
const ofInsurer: LineView = { enterprise: false, insurerNumbers: true };
const ofEnterprise: LineView = { enterprise: true, insurerNumbers: false };

/** What a line of business shows of its policies, and what it has no use for. */
export const POLICY_LINE_VIEW: Readonly<Record<ProductLine, LineView>> = {
  STANDARD: ofInsurer,
  SAAS: ofInsurer,
  RSB: ofInsurer,
  HMO: ofEnterprise,
  DAAS: ofEnterprise,
};
export const WITHOUT_INSURER_NUMBERS: readonly ProductLine[] = productLines.codes.filter((line) => !POLICY_LINE_VIEW[line].insurerNumbers);
