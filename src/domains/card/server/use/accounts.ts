import type { AccountRef } from '../../../ledger/server/index.ts';

const of = (type: string, ownerType: string, id: string, sub?: string): AccountRef => ({
  book: 'CARD',
  type,
  owner: { type: ownerType, id },
  ...(sub !== undefined && { sub }),
});
export interface Funder {
  funder: string;
  funderId: string | null;
  productCode: string | null;
}
/** One funder of one kind: `INSURER:3`; the platform has no number. */
export const funderKey = ({ funder, funderId }: Pick<Funder, 'funder' | 'funderId'>): string => `${funder}:${funderId ?? '0'}`;

export const principalOf = (cardId: string) => of('CARD_PRINCIPAL', 'cardAccount', cardId);
export const bonusOf = (cardId: string) => of('CARD_BONUS', 'cardAccount', cardId);
export const merchantPayable = (merchantId: string) => of('CARD_MERCHANT_PAYABLE', 'merchant', merchantId);
export const receivableOf = (funder: Funder) => of('CARD_RECEIVABLE', 'funder', funderKey(funder), funder.productCode ?? '');
export const committedOf = (funder: Funder) => of('CARD_COMMITTED', 'funder', funderKey(funder), funder.productCode ?? '');
export const bonusCostOf = (funder: Funder) => of('CARD_BONUS_COST', 'funder', funderKey(funder), funder.productCode ?? '');
export const fundOf = (funder: Funder) => of('CARD_FUND', 'funder', funderKey(funder), funder.productCode ?? '');
export const unsoldOf = (batchId: string) => of('CARD_UNSOLD', 'cardBatch', batchId);
export const issueContraOf = (batchId: string) => of('CARD_ISSUE_CONTRA', 'cardBatch', batchId);
export const breakageOf = (batchId: string) => of('CARD_BREAKAGE', 'cardBatch', batchId);
export const revenue = of('CARD_REVENUE', 'platform', '1');
export const cash = of('CARD_CASH', 'platform', '1');
export const settleDiff = of('CARD_SETTLE_DIFF', 'platform', '1');
