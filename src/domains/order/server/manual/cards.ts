import { refuse, refuseField, Refusal } from '#kernel/contract/errors.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { cardsOf, type UsableCard, type UseLine } from '#domains/card/server/index.ts';
import { getMedicines } from '#domains/pharma/server/index.ts';
import { orderErrors } from '../../contract/errors.ts';
import type { ManualLine, ManualRecord } from './access.ts';

/** What cards call an order that was registered by hand. */
const ORDER_TYPE = 'MANUAL';

export interface SoldLine {
  /** Its line of the order, where that has been reserved; else its place. */
  orderLineId: string;
  medicineId: string;
  goodsName: string;
  quantity: number;
  /** Fen that cards may pay of it. */
  dueFen: number;
}
interface Store {
  drugstoreId: string;
  drugstoreName: string;
}

async function useLines(db: Db | Tx, lines: readonly SoldLine[], { drugstoreId, drugstoreName }: Store): Promise<UseLine[]> {
  const ids = [...new Set(lines.map(({ medicineId }) => medicineId))];
  const categories = new Map((await getMedicines(db, ids)).map(({ medicineId, categoryCode }) => [medicineId, categoryCode]));
  return lines.map(({ orderLineId, medicineId, goodsName, quantity, dueFen }) => ({
    orderLineId,
    medicineId,
    categoryCode: categories.get(medicineId) ?? null,
    goodsName,
    quantity,
    amount: BigInt(dueFen),
    payable: BigInt(dueFen),
    merchantId: drugstoreId,
    merchantName: drugstoreName,
  }));
}

/** Stored-value cards of a person, each judged for these goods. */
export async function cardsFor(
  kernel: Kernel,
  db: Db | Tx,
  { patientId, lines, now, ...store }: Store & { patientId: string; lines: readonly SoldLine[]; now: string },
): Promise<UsableCard[]> {
  const found = await cardsOf(kernel).usable(
    db,
    {
      patientId,
      bizType: 'MANUAL',
      bizId: null,
      orderType: ORDER_TYPE,
      drugstoreId: store.drugstoreId,
      lines: await useLines(db, lines, store),
    },
    now,
  );
  return found.filter(({ kind }) => kind === 'STORED_VALUE');
}
/** How staff recognise a card without its whole number. */
export const cardText = ({ cardTypeName, cardNo }: Pick<UsableCard, 'cardTypeName' | 'cardNo'>): string =>
  `${cardTypeName}（尾号${cardNo.slice(-4)}）`;

/**
 * What a card pays of each line so that it pays the amount in all.
 * @throws Refusal SCM90020 for a card that is not the buyer's, SCM17030–17035 as cards say it, SCM16062
 */
export function cardShares(cards: readonly UsableCard[], cardId: string, cardFen: number): { card: UsableCard; shares: number[] } {
  const card = cards.find((one) => one.cardId === cardId);
  if (!card) throw refuseField('cardId', '所选储值卡不存在或不属于该患者，请重新选择');
  if (card.refusal)
    throw card.refusal.code === 'SCM17031' ? refuse(orderErrors.CARD_SHORT) : new Refusal(card.refusal.code, card.refusal.message);
  if (BigInt(cardFen) > card.amount) throw refuse(orderErrors.CARD_SHORT);
  let left = cardFen;
  const shares = card.shares.map(({ amount }) => {
    const part = Math.min(left, Number(amount));
    left -= part;
    return part;
  });
  return { card, shares };
}

/** Sets the card's value aside for the order that it will be: the last statement of the transaction. @throws Refusal SCM17030–17039 */
async function holdRound(kernel: Kernel, ctx: Acting, row: ManualRecord, lines: readonly ManualLine[], round: number) {
  const sold = lines.map((line) => ({
    orderLineId: line.orderLineId ?? '',
    medicineId: line.medicineId,
    goodsName: line.goodsName,
    quantity: line.quantity,
    dueFen: Number(line.amountFen) - Number(line.benefitFen),
  }));
  const asked = await useLines(ctx.tx, sold, row);
  const [held] = await cardsOf(kernel).hold(ctx, {
    bizType: 'MANUAL',
    bizId: row.reservedOrderId ?? '',
    bizNo: row.reservedOrderNo ?? '',
    key: `manual:${row.id}:${round}`,
    orderType: ORDER_TYPE,
    drugstoreId: row.drugstoreId,
    drugstoreName: row.drugstoreName,
    lines: asked.map((line, at) => ({ ...line, amount: BigInt(lines[at]!.cardFen) })),
    cardIds: [row.cardId ?? ''],
  });
  return held!;
}
export type HeldForManual = Awaited<ReturnType<typeof holdRound>>;

const columnsOf = (held: HeldForManual, round: number) => ({ holdId: held.holdId, holdRound: round, holdExpireAt: held.expireAt });

/** A new hold, under a key of its own. */
export async function holdAnew(kernel: Kernel, ctx: Acting, row: ManualRecord, lines: readonly ManualLine[]) {
  const round = row.holdRound + 1;
  return columnsOf(await holdRound(kernel, ctx, row, lines, round), round);
}
/** The hold as it stands. @throws Refusal SCM17036 after its time, SCM90031 for one that was released */
export const standingHold = (kernel: Kernel, ctx: Acting, row: ManualRecord, lines: readonly ManualLine[]) =>
  holdRound(kernel, ctx, row, lines, row.holdRound);

/** The hold as it stands, or where it stands no more a new one: whoever waits longer than a hold does is held anew. */
export async function holdStill(kernel: Kernel, ctx: Acting, row: ManualRecord, lines: readonly ManualLine[]) {
  const tried = await cardsOf(kernel).attempt(ctx.tx, () => standingHold(kernel, ctx, row, lines));
  return 'done' in tried ? columnsOf(tried.done, row.holdRound) : holdAnew(kernel, ctx, row, lines);
}

/** Frees the card. One whose time has passed frees itself. */
export async function releaseHold(kernel: Kernel, ctx: Acting, { holdId }: Pick<ManualRecord, 'holdId'>, reason: string): Promise<void> {
  if (holdId === null) return;
  const cards = cardsOf(kernel);
  const tried = await cards.attempt(ctx.tx, () => cards.release(ctx, [holdId], reason));
  if ('refused' in tried && tried.refused.code !== 'SCM17036') throw tried.refused;
}
