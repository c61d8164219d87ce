import type { BaseType } from '../dictionaries.ts';

/** What a share rule says of money. */
export interface ShareTerms {
  baseType: BaseType;
  ratioBp: number;
  fixedFen: bigint;
  capFen: bigint | null;
}

/** Half a fen counts as a whole one. */
export const roundHalfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

/** What a service is reckoned by: of a partly refunded one what is left of it. */
export function baseOf(terms: Pick<ShareTerms, 'baseType'>, fact: { payFen: bigint; listFen: bigint; refundedFen: bigint }): bigint {
  const left = fact.payFen - fact.refundedFen;
  if (terms.baseType === 'PAID' || fact.payFen === 0n) return left;
  return roundHalfUp(fact.listFen * left, fact.payFen);
}

/** `min(base × ratio + fixed, cap)`; of nothing nothing. */
export function shareOf({ ratioBp, fixedFen, capFen }: Omit<ShareTerms, 'baseType'>, baseFen: bigint): bigint {
  if (baseFen === 0n) return 0n;
  const share = roundHalfUp(baseFen * BigInt(ratioBp), 10_000n) + fixedFen;
  return capFen !== null && share > capFen ? capFen : share;
}
