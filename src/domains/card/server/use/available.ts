import type { Instant } from '../../../../kernel/contract/time.ts';
import type { Db, Tx } from '../../../../kernel/server/context.ts';
import type { Ledger } from '../../../ledger/server/index.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { own } from '../database.ts';
import { findCard, lotsOf } from './readCard.ts';

/** What a card could pay now: fen of stored value whose time is not over, or times that nobody has set aside. */
export interface Available {
  cardId: string;
  kind: 'BENEFIT_CARD' | 'COUPON' | 'STORED_VALUE';
  state: string;
  amount: bigint;
  times: { benefitId: string; left: number }[];
  expireAt: Instant | null;
}

/** @throws Refusal SCM90040 */
export async function queryAvailable(
  db: Db | Tx,
  ledger: Ledger,
  by: { cardId?: string | undefined; cardNo?: string | undefined },
  now: Instant,
): Promise<Available> {
  const card = await findCard(db, by);
  const lots = card.kind === 'STORED_VALUE' ? await lotsOf(db, ledger, card.id) : [];
  const times = await own(db)
    .selectFrom('cardTimesBalance')
    .select(['benefitId', 'leftTimes', 'heldTimes'])
    .where('cardId', '=', card.id)
    .execute();
  const usable = lots.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  return {
    cardId: card.id,
    kind: card.kind,
    state: card.state,
    amount: sumOf(usable, ({ free }) => free),
    times: times.map(({ benefitId, leftTimes, heldTimes }) => ({ benefitId, left: leftTimes - heldTimes })),
    expireAt: card.expireAt,
  };
}
