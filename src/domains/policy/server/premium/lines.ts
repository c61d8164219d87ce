import type { PremiumLine, PremiumTerms } from '../../contract/rules/premium.ts';
import { lineOf } from '../../contract/rules/premium.ts';
import type { CoverChange } from '../../contract/rules/cover.ts';
import type { PolicyRecord } from '../access.ts';

export const termsOf = (
  policy: Pick<PolicyRecord, 'coverageStart' | 'termDays' | 'prorate' | 'refundFeeBp' | 'refundIfClaimed'>,
): PremiumTerms => ({
  coverageStart: policy.coverageStart,
  termDays: policy.termDays,
  prorate: policy.prorate,
  refundFeeBp: policy.refundFeeBp,
  refundIfClaimed: policy.refundIfClaimed,
});

export interface OrderLine extends PremiumLine {
  insuredItemId: string;
  planCode: string;
  annualFen: bigint;
}

/** What a change of one person's cover costs, line by line. */
export function linesOf(terms: PremiumTerms, insuredItemId: string, { lines, supersede, write }: CoverChange): OrderLine[] {
  return lines.map((wish) => {
    const made = lineOf(terms, wish);
    const charged = wish.basis === 'CHARGE' || wish.basis === 'EXTEND';
    const known = (charged ? write : supersede).find(({ from, to }) => from <= wish.to && wish.from <= to);
    return { ...made, insuredItemId, planCode: known?.planCode ?? '', annualFen: wish.annualFen };
  });
}

export const sumOf = (lines: readonly { amountFen: bigint }[]): bigint => lines.reduce((sum, { amountFen }) => sum + amountFen, 0n);
