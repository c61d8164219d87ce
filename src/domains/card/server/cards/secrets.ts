import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import { moveState } from '#kernel/server/audit/transition.ts';
import { asSystem, type Acting } from '#kernel/server/command/acting.ts';
import { command } from '#kernel/server/handler.ts';
import type { Kernel } from '#kernel/server/kernel.ts';
import { ledgerOf, type Actor } from '#domains/ledger/server/index.ts';
import { idNoHash } from '#domains/patient/server/index.ts';
import { activateCard, openBindCard, resetCardSecret } from '../../contract/calls/cards.ts';
import { MOST_WRONG_SECRETS, SECRET_LOCK_MINUTES } from '../../contract/cardDictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { cardMachine } from '../../contract/states.ts';
import { machineOf } from '#kernel/server/auth/viewer.ts';
import { requireOwnInsurer } from '../use/partners.ts';
import { own } from '../database.ts';
import { tidyIdNo } from '../grants/lines.ts';
import { termsOf } from '../types/terms.ts';
import { hashOfSecret, maskCardNo, randomSecret } from './cardNo.ts';
import { keepSuccessors, lotMove } from './moveLots.ts';
import { refreshCard } from './projection.ts';
import { cardRecords, type CardRecord } from './records.ts';

const MINUTE_MS = 60_000;
const minutesUntil = (until: Instant, now: Instant) => Math.max(1, Math.ceil((Date.parse(until) - Date.parse(now)) / MINUTE_MS));

type LogAction = 'RESET' | 'ACTIVATE' | 'BIND' | 'WRONG' | 'LOCK';
interface Doer {
  id: string | null;
  name: string;
  ip: string;
}
const note = (acting: Acting, cardId: string, action: LogAction, { id, name, ip }: Doer) =>
  own(acting.tx).insertInto('cardSecretLog').values({ cardId, action, userId: id, userName: name, ip, at: acting.now }).execute();

/**
 * The secret of a card, as somebody typed it. Five wrong ones lock it for half an hour, against the right one too.
 * @throws Refusal SCM17010, SCM17011; what they wrote is kept
 */
async function requireSecret(acting: Acting, kernel: Kernel, card: CardRecord, secret: string, doer: Doer): Promise<void> {
  const { tx, now } = acting;
  const isLocked = card.secretLockedUntil !== null && card.secretLockedUntil > now;
  if (isLocked) throw refuse(cardErrors.SECRET_LOCKED, { t: `${minutesUntil(card.secretLockedUntil!, now)}分钟` });
  if (card.secretHash !== null && card.secretHash === hashOfSecret(kernel.secrets, card.cardNo, secret)) return;
  const wrong = (card.secretLockedUntil === null ? card.secretFailCount : 0) + 1;
  const locks = wrong >= MOST_WRONG_SECRETS;
  const until = locks ? new Date(Date.parse(now) + SECRET_LOCK_MINUTES * MINUTE_MS).toISOString() : null;
  await own(tx).updateTable('cardCard').set({ secretFailCount: wrong, secretLockedUntil: until }).where('id', '=', card.id).execute();
  await note(acting, card.id, locks ? 'LOCK' : 'WRONG', doer);
  if (locks) throw refuse(cardErrors.SECRET_LOCKED, { t: `${SECRET_LOCK_MINUTES}分钟` }, { keepWrites: true });
  throw refuse(cardErrors.WRONG_SECRET, { n: MOST_WRONG_SECRETS - wrong }, { keepWrites: true });
}

interface Proof {
  secret: string;
  holderName: string;
  idNo: string;
}
/**
 * Takes a card into use: its days begin, and the value that had no end until now ends with it.
 * @throws Refusal SCM17010–17012, SCM90031
 */
async function activateOne(
  acting: Acting,
  kernel: Kernel,
  card: CardRecord,
  { action, proof, realName, doer }: { action: 'activate' | 'bind'; proof: Proof; realName: boolean; doer: Doer },
): Promise<void> {
  const { tx, now } = acting;
  if (!cardMachine.canStart(action, card.state)) throw refuse(platformErrors.WRONG_STATE, { state: cardMachine.states[card.state].label });
  await requireSecret(acting, kernel, card, proof.secret, doer);
  const version = await own(tx)
    .selectFrom('cardTypeVersion')
    .select('rules')
    .where('cardTypeId', '=', card.cardTypeId)
    .where('ruleVersion', '=', card.ruleVersion)
    .executeTakeFirstOrThrow();
  const terms = termsOf(version.rules);
  const isHolder = proof.holderName.trim() === card.holderName && idNoHash(kernel.secrets, tidyIdNo(proof.idNo)) === card.holderIdHash;
  if ((realName || terms.needRealName) && !isHolder) throw refuse(cardErrors.OTHER_HOLDER);
  const state = await moveState(acting, cardMachine, {
    targetType: 'card.card',
    targetId: card.id,
    targetNo: maskCardNo(card.cardNo),
    action,
    from: card.state,
  });
  const begins = card.expireAt === null && terms.validMode === 'DAYS';
  const expireAt = begins ? startOfDay(plusDays(dayOf(now), (terms.validDays ?? 365) + 1)) : card.expireAt;
  await own(tx)
    .updateTable('cardCard')
    .set((eb) => ({ state, activatedAt: now, expireAt, secretFailCount: 0, secretLockedUntil: null, version: eb('version', '+', 1) }))
    .where('id', '=', card.id)
    .execute();
  await note(acting, card.id, action === 'bind' ? 'BIND' : 'ACTIVATE', doer);
  if (!begins || expireAt === null || card.kind !== 'STORED_VALUE') return;
  const ledger = ledgerOf(kernel);
  const actor: Actor = { id: doer.id ?? '0', name: doer.name };
  const before = await ledger.lotsOf(tx, 'CARD', { type: 'cardAccount', id: card.id });
  const endless = before.filter(({ expiresAt }) => expiresAt === null);
  const mark = `act${card.id}`;
  const move = lotMove(card.id, endless, expireAt, {
    businessKey: `card:activate:${card.id}`,
    mark,
    ref: { type: 'cardCard', id: card.id, no: maskCardNo(card.cardNo) },
    actor,
  });
  if (move) {
    await ledger.post(acting, move);
    await keepSuccessors(tx, ledger, card.id, endless, mark);
  }
  await refreshCard(tx, ledger, card.id, now);
}

const answerOf = async (tx: Acting['tx'], id: string) =>
  own(tx).selectFrom('cardCard').select(['id', 'state', 'version']).where('id', '=', id).executeTakeFirstOrThrow();

export const activate = (kernel: Kernel) =>
  command(activateCard, async ({ cardId, version, ...proof }, ctx) => {
    const card = await cardRecords.lockVersion(ctx, cardId, version);
    const doer = { id: ctx.staff.userId, name: ctx.staff.displayName, ip: ctx.ip };
    await activateOne(ctx, kernel, card, { action: 'activate', proof, realName: false, doer });
    return answerOf(ctx.tx, cardId);
  });

export const resetSecret = (kernel: Kernel) =>
  command(resetCardSecret, async ({ cardId, version, opinion }, ctx) => {
    const card = await cardRecords.lockVersion(ctx, cardId, version);
    await moveState(ctx, cardMachine, {
      targetType: 'card.card',
      targetId: card.id,
      targetNo: maskCardNo(card.cardNo),
      action: 'resetSecret',
      from: card.state,
      opinion,
    });
    const secret = randomSecret();
    const after = await own(ctx.tx)
      .updateTable('cardCard')
      .set((eb) => ({
        secretHash: hashOfSecret(kernel.secrets, card.cardNo, secret),
        secretSetAt: ctx.now,
        secretFailCount: 0,
        secretLockedUntil: null,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', card.id)
      .returning('version')
      .executeTakeFirstOrThrow();
    await note(ctx, card.id, 'RESET', { id: ctx.staff.userId, name: ctx.staff.displayName, ip: ctx.ip });
    return { secret, version: after.version };
  });

/** Asked for twice, it answers the card that is in use. */
export const bind = (kernel: Kernel) =>
  command(openBindCard, async ({ cardNo, ...proof }, ctx) => {
    const card = await own(ctx.tx)
      .selectFrom('cardCard')
      .selectAll()
      .where('cardNo', '=', cardNo.replaceAll(/\s/g, ''))
      .forUpdate()
      .executeTakeFirst();
    if (!card || card.state === 'CREATED' || card.state === 'IN_STOCK') throw cardRecords.missing();
    const machine = machineOf(ctx);
    await requireOwnInsurer(ctx.tx, machine, card.id);
    const doer = { id: null, name: machine.name, ip: ctx.ip };
    const acting: Acting = { ...asSystem(ctx, { now: ctx.now, traceId: ctx.traceId }), actorName: doer.name };
    if (card.state === 'ACTIVE') {
      await requireSecret(ctx, kernel, card, proof.secret, doer);
      const isHolder = proof.holderName.trim() === card.holderName && idNoHash(kernel.secrets, tidyIdNo(proof.idNo)) === card.holderIdHash;
      if (!isHolder) throw refuse(cardErrors.OTHER_HOLDER);
    } else await activateOne(acting, kernel, card, { action: 'bind', proof, realName: true, doer });
    ctx.target({ type: 'card.card', id: card.id, no: maskCardNo(card.cardNo) });
    const after = await own(ctx.tx)
      .selectFrom('cardCard')
      .select(['kind', 'state', 'activatedAt', 'expireAt'])
      .where('id', '=', card.id)
      .executeTakeFirstOrThrow();
    return { cardNo: maskCardNo(card.cardNo), ...after };
  });
