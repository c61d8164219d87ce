import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { Acting } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, tryLedger, type Actor, type Ledger } from '#domains/ledger/server/index.ts';
import { batchFreezeCard, freezeCard, unfreezeCard } from '../../contract/calls/cards.ts';
import type { FreezeReason } from '../../contract/cardDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { cardMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { bonusOf, principalOf } from '../chart.ts';
import { maskCardNo } from './cardNo.ts';
import { refreshCard } from './projection.ts';
import { cardRecords, type CardRecord } from './records.ts';

const answerOf = async (tx: Acting['tx'], id: string) =>
  own(tx).selectFrom('cardCard').select(['id', 'state', 'version']).where('id', '=', id).executeTakeFirstOrThrow();

/** The accounts of a card that there are. */
async function accountsOf(acting: Acting, ledger: Ledger, cardId: string) {
  const refs = [principalOf(cardId), bonusOf(cardId)];
  const found = await ledger.balancesIfAny(acting.tx, refs, acting.now);
  return refs.filter((_ref, at) => found[at] !== null && found[at] !== undefined);
}

interface Freeze {
  reason: FreezeReason;
  action: 'freeze' | 'freezeByEvent';
  opinion: string;
  by: Actor;
}
/** Nothing new is set aside on the card; what is held may still be captured. */
export async function freezeOne(acting: Acting, ledger: Ledger, card: CardRecord, { reason, action, opinion, by }: Freeze): Promise<void> {
  const state = await moveState(acting, cardMachine, {
    targetType: 'card.card',
    targetId: card.id,
    targetNo: maskCardNo(card.cardNo),
    action,
    from: card.state,
    opinion,
  });
  await own(acting.tx)
    .updateTable('cardCard')
    .set((eb) => ({
      state,
      frozenReason: reason,
      frozenBy: by.id === '0' ? null : by.id,
      frozenByName: by.name,
      stateBeforeFreeze: card.state,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', card.id)
    .execute();
  for (const ref of await accountsOf(acting, ledger, card.id)) await ledger.freeze(acting, ref, { reason: opinion, actor: by });
}

export async function unfreezeOne(
  acting: Acting,
  ledger: Ledger,
  card: CardRecord,
  { byEvent, opinion, by }: { byEvent: boolean; opinion: string; by: Actor },
): Promise<void> {
  const wasIssued = card.stateBeforeFreeze === 'ISSUED';
  const action = wasIssued ? (byEvent ? 'unfreezeIssuedByEvent' : 'unfreezeIssued') : byEvent ? 'unfreezeByEvent' : 'unfreeze';
  const state = await moveState(acting, cardMachine, {
    targetType: 'card.card',
    targetId: card.id,
    targetNo: maskCardNo(card.cardNo),
    action,
    from: card.state,
    opinion,
  });
  await own(acting.tx)
    .updateTable('cardCard')
    .set((eb) => ({
      state,
      frozenReason: null,
      frozenBy: null,
      frozenByName: null,
      stateBeforeFreeze: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', card.id)
    .execute();
  for (const ref of await accountsOf(acting, ledger, card.id)) await ledger.unfreeze(acting, ref, { reason: opinion, actor: by });
  // What was held when it was frozen may have used it up meanwhile.
  await refreshCard(acting.tx, ledger, card.id, acting.now);
}

const actorOf = ({ userId, displayName }: { userId: string; displayName: string }): Actor => ({ id: userId, name: displayName });

export const freeze = (kernel: Kernel) =>
  command(freezeCard, async ({ cardId, version, reasonCode, opinion }, ctx) => {
    const card = await cardRecords.lockVersion(ctx, cardId, version);
    await freezeOne(ctx, ledgerOf(kernel), card, { reason: reasonCode, action: 'freeze', opinion, by: actorOf(ctx.staff) });
    return answerOf(ctx.tx, cardId);
  });

/** What was frozen for a risk is set free by somebody else. @throws Refusal SCM17003 */
export const unfreeze = (kernel: Kernel) =>
  command(unfreezeCard, async ({ cardId, version, opinion }, ctx) => {
    const card = await cardRecords.lockVersion(ctx, cardId, version);
    if (card.frozenReason === 'RISK' && card.frozenBy === ctx.staff.userId)
      throw refuse(cardErrors.OWN_DOCUMENT, { message: '风险冻结的卡须由他人解冻' });
    await unfreezeOne(ctx, ledgerOf(kernel), card, { byEvent: false, opinion, by: actorOf(ctx.staff) });
    return answerOf(ctx.tx, cardId);
  });

/** Each card by itself: one that cannot be frozen stops no other. */
export const freezeMany = (kernel: Kernel) =>
  command(batchFreezeCard, async ({ cardIds, reasonCode, opinion }, ctx) => {
    const ids = [...new Set(cardIds)].toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
    const failures: { cardId: string; cardNo: string; message: string }[] = [];
    const found = await own(ctx.tx).selectFrom('cardCard').select(['id', 'cardNo']).where('id', 'in', ids).execute();
    if (found.length < ids.length) throw cardRecords.missing();
    const noOf = new Map(found.map(({ id, cardNo }) => [id, maskCardNo(cardNo)]));
    for (const cardId of ids) {
      const tried = await tryLedger(ctx.tx, async () => {
        const card = await cardRecords.lock(ctx.tx, ctx.staff, cardId);
        await freezeOne(ctx, ledgerOf(kernel), card, { reason: reasonCode, action: 'freeze', opinion, by: actorOf(ctx.staff) });
      });
      if ('refused' in tried) failures.push({ cardId, cardNo: noOf.get(cardId) ?? cardId, message: tried.refused.message });
    }
    return { done: ids.length - failures.length, failures };
  });
