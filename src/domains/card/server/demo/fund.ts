import type { Instant } from '#kernel/contract/time.ts';
import { SYSTEM, type AccountRef, type Ledger, type Posting } from '#domains/ledger/server/index.ts';
import { refreshCard } from '../cards/projection.ts';
import { own } from '../database.ts';
import type { CardType } from '../tables.ts';
import { bonusCostOf, bonusOf, cash, committedOf, type Funder, fundOf, principalOf, receivableOf } from '../chart.ts';

export interface Funding {
  amount: bigint;
  bonus?: boolean;
  expiresAt?: Instant | null;
}
type Funded = Funder & Pick<CardType, 'fundingMode'> & { funderName: string };

/** Puts value on a card as its type is funded, in lots. @returns their ids, in order */
export async function fundCard(
  use: Posting,
  ledger: Ledger,
  type: Funded,
  { cardId, holder, funding }: { cardId: string; holder: string; funding: readonly Funding[] },
): Promise<string[]> {
  if (funding.length === 0) return [];
  const sources: Record<Funded['fundingMode'], AccountRef> = {
    PREPAID: fundOf(type),
    ON_GRANT: receivableOf(type),
    ON_USE: committedOf(type),
    SALE: cash,
  };
  const platform = { funder: 'PLATFORM', funderId: null, productCode: type.productCode };
  for (const ref of [principalOf(cardId), bonusOf(cardId)]) await ledger.openAccount(use, ref, { ownerName: holder });
  await ledger.openAccount(use, sources[type.fundingMode], { ownerName: type.funderName });
  await ledger.openAccount(use, bonusCostOf(platform), { ownerName: '平台' });
  await ledger.postMany(
    use,
    funding.map((one, at) => {
      const from = one.bonus ? bonusCostOf(platform) : sources[type.fundingMode];
      return {
        businessKey: `card:fund:${cardId}:${at}`,
        book: 'CARD' as const,
        type: one.bonus ? 'CARD_GRANT_BONUS' : 'CARD_GRANT',
        debit: [{ account: from, amount: one.amount }],
        credit: [
          {
            account: one.bonus ? bonusOf(cardId) : principalOf(cardId),
            amount: one.amount,
            lot: { refType: 'cardFunding', refId: `${cardId}-${at}`, expiresAt: one.expiresAt ?? null },
          },
        ],
        ref: { type: 'cardFunding', id: cardId },
        actor: SYSTEM,
      };
    }),
  );
  const made = await ledger.lotsOf(use.tx, 'CARD', { type: 'cardAccount', id: cardId });
  const lots = funding.map((_, at) => made.find(({ refId }) => refId === `${cardId}-${at}`)!.id);
  await own(use.tx)
    .insertInto('cardLot')
    .values(
      lots.map((lotId, at) => ({
        lotId,
        cardId,
        kind: funding[at]!.bonus ? ('BONUS' as const) : ('PRINCIPAL' as const),
        funder: funding[at]!.bonus ? 'PLATFORM' : (type.funder as 'INSURER'),
        funderId: funding[at]!.bonus ? null : type.funderId,
        productCode: type.productCode,
        fundingMode: type.fundingMode,
        expiryPolicy: 'RETURN' as const,
      })),
    )
    .execute();
  await refreshCard(use.tx, ledger, cardId, use.now);
  return lots;
}
