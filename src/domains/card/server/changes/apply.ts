import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import { ledgerOf, type Actor } from '#domains/ledger/server/index.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import type { ChangeAction } from '../../contract/cardDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import type { CardAction } from '../../contract/states.ts';
import { cardMachine } from '../../contract/states.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import { refreshCard } from '../cards/projection.ts';
import type { CardRecord } from '../cards/records.ts';
import { own } from '../database.ts';
import { bonusOf, principalOf } from '../chart.ts';
import { moveTimes } from '../use/times.ts';
import { requireNothingHeld, requireState, type Difference } from './payload.ts';
import { adjust, endOf, extend, moveValue, takeBack, takeTimes, unsoldPosting, type Change } from './value.ts';

export interface Passed extends Change {
  action: ChangeAction;
  differences: Difference[];
  opinion: string;
}

const move = (ctx: CommandContext, card: Pick<CardRecord, 'id' | 'cardNo' | 'state'>, action: CardAction, change: Passed) =>
  moveState(ctx, cardMachine, {
    targetType: 'card.card',
    targetId: card.id,
    targetNo: maskCardNo(card.cardNo),
    action,
    from: card.state,
    opinion: change.opinion || `变更单${change.changeNo}`,
    differences: change.differences.map(({ label, before, after }) => ({ path: label, label, before, after })),
  });

const batchOf = (ctx: CommandContext, batchId: string) =>
  own(ctx.tx).selectFrom('cardBatch').select(['id', 'faceAmount', 'bonusAmount']).where('id', '=', batchId).executeTakeFirstOrThrow();

/** A card that takes the place of another one: the one that was chosen, or the oldest in stock that nobody else is just taking. */
async function freshCard(ctx: CommandContext, card: CardRecord, { payload }: Passed) {
  const { rows } = await sql<Pick<CardRecord, 'id' | 'cardNo' | 'state' | 'batchId'>>`
    select c.id, c.card_no, c.state, c.batch_id from card_card c join card_batch b on b.id = c.batch_id
     where c.card_type_id = ${card.cardTypeId} and c.state = 'IN_STOCK' and b.status in ('GENERATED', 'EXPORTED')
       ${payload.newCardId ? sql`and c.id = ${payload.newCardId}` : sql``}
     order by c.id limit 1 for update of c skip locked`.execute(ctx.tx);
  const [fresh] = rows;
  if (!fresh)
    throw refuse(cardErrors.STOCK_SHORT, { n: 1, m: 0 }, payload.newCardId ? { message: '申请的新卡已不在库，请驳回后重新申请' } : {});
  return fresh;
}

async function replaceCard(kernel: Kernel, ctx: CommandContext, card: CardRecord, change: Passed, actor: Actor): Promise<string> {
  await requireNothingHeld(ctx.tx, card);
  const { tx, now } = ctx;
  const ledger = ledgerOf(kernel);
  const fresh = await freshCard(ctx, card, change);
  const shown = { ...change, differences: [{ label: '卡号', before: maskCardNo(card.cardNo), after: maskCardNo(fresh.cardNo) }] };
  const state = await move(ctx, fresh, 'takeOver', shown);
  const replaced = await move(ctx, card, 'replace', shown);
  await own(tx)
    .updateTable('cardCard')
    .set((eb) => ({
      state,
      ruleVersion: card.ruleVersion,
      patientId: card.patientId,
      holderName: card.holderName,
      holderIdType: card.holderIdType,
      holderIdHash: card.holderIdHash,
      holderIdMasked: card.holderIdMasked,
      holderIdCipher: card.holderIdCipher,
      holderMobileHash: card.holderMobileHash,
      holderMobileMasked: card.holderMobileMasked,
      holderMobileCipher: card.holderMobileCipher,
      contractId: card.contractId,
      policyNo: card.policyNo,
      issuedAt: now,
      activatedAt: now,
      expireAt: card.expireAt,
      replacesCardId: card.id,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', fresh.id)
    .execute();
  await own(tx)
    .updateTable('cardCard')
    .set((eb) => ({
      state: replaced,
      replacedByCardId: fresh.id,
      frozenReason: null,
      frozenBy: null,
      frozenByName: null,
      stateBeforeFreeze: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', card.id)
    .execute();
  for (const { benefitId, left } of await takeTimes(ctx, card, change))
    await moveTimes(tx, now, {
      cardId: fresh.id,
      benefitId,
      kind: 'GRANT',
      left,
      held: 0,
      key: `chg:${change.id}:${benefitId}:new`,
      refType: 'cardChange',
      refId: change.id,
    });
  // What is revoked of a grant later is taken from the card that has it now.
  await own(tx).updateTable('cardGrantLine').set({ cardId: fresh.id }).where('cardId', '=', card.id).execute();
  const issue = unsoldPosting(await batchOf(ctx, fresh.batchId), `card:issue:${fresh.id}`, change, actor);
  await moveValue(ctx, ledger, { old: card, fresh, issue, change, actor });
  await refreshCard(tx, ledger, card.id, now);
  await refreshCard(tx, ledger, fresh.id, now);
  return fresh.id;
}

async function voidCard(kernel: Kernel, ctx: CommandContext, card: CardRecord, change: Passed, actor: Actor): Promise<void> {
  await requireNothingHeld(ctx.tx, card);
  const ledger = ledgerOf(kernel);
  const state = await move(ctx, card, 'void', change);
  await own(ctx.tx)
    .updateTable('cardCard')
    .set((eb) => ({ state, version: eb('version', '+', 1) }))
    .where('id', '=', card.id)
    .execute();
  await takeTimes(ctx, card, change);
  if (card.state === 'IN_STOCK') {
    const unsold = unsoldPosting(await batchOf(ctx, card.batchId), `card:void:${card.id}:unsold`, change, actor);
    if (unsold) await ledger.post(ctx, unsold);
    return;
  }
  const refs = [principalOf(card.id), bonusOf(card.id)];
  const found = await ledger.balancesIfAny(ctx.tx, refs, ctx.now);
  const there = refs.filter((_ref, at) => found[at] !== undefined);
  const reason = `作废${change.changeNo}`;
  for (const ref of there) await ledger.unfreeze(ctx, ref, { reason, actor });
  await takeBack(ctx, ledger, card, change, actor);
  for (const ref of there) await ledger.close(ctx, ref);
  await refreshCard(ctx.tx, ledger, card.id, ctx.now);
}

async function extendCard(kernel: Kernel, ctx: CommandContext, card: CardRecord, change: Passed, actor: Actor): Promise<void> {
  const state = await move(ctx, card, requireState(card, 'EXTEND'), change);
  await own(ctx.tx)
    .updateTable('cardCard')
    .set((eb) => ({ state, expireAt: endOf(change.payload.expireOn!), version: eb('version', '+', 1) }))
    .where('id', '=', card.id)
    .execute();
  const ledger = ledgerOf(kernel);
  const isFrozen = card.state === 'FROZEN';
  const refs = [principalOf(card.id), bonusOf(card.id)];
  const found = isFrozen ? await ledger.balancesIfAny(ctx.tx, refs, ctx.now) : [];
  const there = refs.filter((_ref, at) => found[at] !== undefined);
  const reason = `延期${change.changeNo}`;
  // Nothing leaves a frozen account, also not into a lot of its own that is good for longer.
  for (const ref of there) await ledger.unfreeze(ctx, ref, { reason, actor });
  await extend(ctx, ledger, card, change, actor);
  for (const ref of there) await ledger.freeze(ctx, ref, { reason, actor });
  await refreshCard(ctx.tx, ledger, card.id, ctx.now);
}

async function adjustCard(kernel: Kernel, ctx: CommandContext, card: CardRecord, change: Passed, actor: Actor): Promise<void> {
  await move(ctx, card, 'adjust', change);
  await adjust(ctx, ledgerOf(kernel), card, change, actor);
  await refreshCard(ctx.tx, ledgerOf(kernel), card.id, ctx.now);
}

async function rebindCard(ctx: CommandContext, card: CardRecord, change: Passed): Promise<void> {
  await move(ctx, card, 'rebind', change);
  const { mobileCipher, mobileHash, mobileMasked } = change.payload;
  await own(ctx.tx)
    .updateTable('cardCard')
    .set((eb) => ({
      holderMobileCipher: mobileCipher ?? null,
      holderMobileHash: mobileHash ?? null,
      holderMobileMasked: mobileMasked ?? null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', card.id)
    .execute();
}

/** Does what was passed. @returns the card that took over; null where the card stays itself */
export async function carryOut(
  kernel: Kernel,
  ctx: CommandContext,
  card: CardRecord,
  change: Passed,
  actor: Actor,
): Promise<string | null> {
  requireState(card, change.action);
  if (change.action === 'REPLACE') return replaceCard(kernel, ctx, card, change, actor);
  if (change.action === 'VOID') await voidCard(kernel, ctx, card, change, actor);
  else if (change.action === 'EXTEND') await extendCard(kernel, ctx, card, change, actor);
  else if (change.action === 'ADJUST') await adjustCard(kernel, ctx, card, change, actor);
  else await rebindCard(ctx, card, change);
  return null;
}
