import type { Instant } from '#kernel/contract/time.ts';
import type { Tx } from '#kernel/server/context.ts';
import type { Actor, Ledger, Leg, LotLeft, LotPick, PostCommand, Reference } from '#domains/ledger/server/index.ts';
import { sql } from 'kysely';
import { bonusOf, principalOf } from '../chart.ts';

export const isBonus = ({ accountType }: Pick<LotLeft, 'accountType'>): boolean => accountType === 'CARD_BONUS';
const accountOf = (lot: LotLeft, cardId: string) => (isBonus(lot) ? bonusOf(cardId) : principalOf(cardId));

/** A lot that takes over from another one on the same card is named after it. */
const SEPARATOR = ':x';
export const successorRef = (refId: string, mark: string): string => `${refId}${SEPARATOR}${mark}`;
export const hasSuccessor = (lot: LotLeft, all: readonly LotLeft[]): boolean =>
  all.some(({ refType, refId }) => refType === lot.refType && refId.startsWith(`${lot.refId}${SEPARATOR}`));

/** What is free of lots goes into lots of the same card that end at another time; null: there is nothing to move. */
export function lotMove(
  cardId: string,
  lots: readonly LotLeft[],
  until: Instant,
  facts: { businessKey: string; mark: string; ref: Reference; actor: Actor },
): PostCommand | null {
  const moving = lots.filter(({ remaining, held }) => remaining > held);
  if (moving.length === 0) return null;
  const debit = [...Map.groupBy(moving, isBonus)].map(([, some]): Leg => {
    const picks = some.map(({ refType, refId, remaining, held }): LotPick => ({ refType, refId, amount: remaining - held }));
    return { account: accountOf(some[0]!, cardId), amount: picks.reduce((sum, { amount }) => sum + amount, 0n), lots: picks };
  });
  const credit = moving.map((lot): Leg => ({
    account: accountOf(lot, cardId),
    amount: lot.remaining - lot.held,
    lot: { refType: lot.refType, refId: successorRef(lot.refId, facts.mark), expiresAt: until },
  }));
  return { businessKey: facts.businessKey, book: 'CARD', type: 'CARD_MOVE_LOT', debit, credit, ref: facts.ref, actor: facts.actor };
}

/** Who funded a lot is who funded the one that took over from it. */
export async function keepFunding(tx: Tx, cardId: string, pairs: readonly { from: string; to: string }[]): Promise<void> {
  for (const { from, to } of pairs)
    await sql`
      insert into card_lot (lot_id, card_id, kind, funder, funder_id, product_code, funding_mode, expiry_policy, grant_line_id)
        select ${to}, ${cardId}, kind, funder, funder_id, product_code, funding_mode, expiry_policy, grant_line_id
          from card_lot
          where lot_id = ${from}
          on conflict (lot_id) do nothing`.execute(tx);
}

/** The lots that took over, beside those that they took over from. */
export async function keepSuccessors(tx: Tx, ledger: Ledger, cardId: string, before: readonly LotLeft[], mark: string): Promise<void> {
  const after = await ledger.lotsOf(tx, 'CARD', { type: 'cardAccount', id: cardId });
  const pairs = before.flatMap((lot) => {
    const next = after.find(({ refType, refId }) => refType === lot.refType && refId === successorRef(lot.refId, mark));
    return next ? [{ from: lot.id, to: next.id }] : [];
  });
  await keepFunding(tx, cardId, pairs);
}
