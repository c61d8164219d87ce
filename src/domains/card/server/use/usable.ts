import type { Instant } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import { judge } from '../../contract/rules/check.ts';
import { sumOf } from '../../contract/rules/rounding.ts';
import { byStacking } from '../../contract/rules/usage.ts';
import type { HoldBizType } from '../../contract/useDictionaries.ts';
import { own } from '../database.ts';
import { cardsOfOrder, findCard, judgedCard, stackedOf, usedToday, type CardInUse } from './readCard.ts';
import type { UseLine } from './orders.ts';

/** Cards of one person that are judged for an order: nobody holds more of them at a time. */
const MOST = 100;

/** A card of a holder as the rules judge it for an order. */
export interface UsableCard {
  cardId: string;
  cardNo: string;
  cardTypeName: string;
  kind: CardInUse['kind'];
  state: CardInUse['state'];
  expireAt: Instant | null;
  /** Fen of stored value that nobody has set aside. */
  available: bigint;
  /** Uses of a coupon or benefit card that nobody has set aside. */
  timesLeft: number;
  /** Fen that it would pay of the order, and of each of its lines; nothing where it is refused. */
  amount: bigint;
  shares: { orderLineId: string; amount: bigint }[];
  /** Why it cannot be used; null: it can. */
  refusal: { code: string; message: string } | null;
}

interface Wanted {
  patientId: string;
  bizType: HoldBizType;
  /** The order, where there is one already: what it uses stands beside what is judged. */
  bizId: string | null;
  orderType: string;
  drugstoreId: string | null;
  /** With what is still to be paid. */
  lines: readonly UseLine[];
  /** Cards that were chosen beside it. */
  chosenIds?: readonly string[];
}

/**
 * The cards that a person holds, each judged for an order by itself, those that can pay first and in the order in which cards are used.
 * A hold takes those without a refusal only: it refuses as a whole what one of its cards cannot pay.
 */
export async function usableCards(db: Db | Tx, ledger: Ledger, wanted: Wanted, now: Instant): Promise<UsableCard[]> {
  const held = await own(db)
    .selectFrom('cardCard')
    .select('id')
    .where('patientId', '=', wanted.patientId)
    .where('state', 'in', ['ACTIVE', 'FROZEN', 'DEPLETED'])
    .orderBy('expireAt')
    .orderBy('id')
    .limit(MOST)
    .execute();
  const cards: CardInUse[] = [];
  for (const { id } of held) cards.push(await findCard(db, { cardId: id }));
  const chosenIds = new Set(wanted.chosenIds);
  const ofOrder = wanted.bizId === null ? [] : await cardsOfOrder(db, wanted.bizType, wanted.bizId);
  const chosen = [...ofOrder, ...cards.filter(({ id }) => chosenIds.has(id))].map(stackedOf);
  const found: UsableCard[] = [];
  for (const card of cards) {
    const judged = await judgedCard(db, ledger, card, undefined, now);
    const verdict = judge(judged, {
      orderType: wanted.bizType === 'RIGHTS' ? null : wanted.orderType,
      drugstoreId: wanted.drugstoreId,
      lines: wanted.lines,
      wanted: null,
      times: 1,
      chosen,
      usedToday: await usedToday(db, card, now),
      now,
    });
    const { refusal } = verdict;
    found.push({
      cardId: card.id,
      cardNo: card.cardNo,
      cardTypeName: card.cardTypeName,
      kind: card.kind,
      state: card.state,
      expireAt: card.expireAt,
      available: sumOf(
        judged.lots.filter(({ expiresAt }) => expiresAt === null || expiresAt > now),
        ({ free }) => free,
      ),
      timesLeft: judged.timesLeft,
      amount: refusal ? 0n : verdict.amount,
      shares: wanted.lines.map(({ orderLineId }, at) => ({ orderLineId, amount: refusal ? 0n : (verdict.shares[at] ?? 0n) })),
      refusal: refusal && { code: refusal.code ?? '', message: refusal.message },
    });
  }
  return found.toSorted((one, other) => Number(one.refusal !== null) - Number(other.refusal !== null) || byStacking(one, other));
}
