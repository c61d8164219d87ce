import { platformErrors, refuse, refuseField } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { dayOf, plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { Secrets } from '#kernel/server/sensitive/secrets.ts';
import { mobileColumns } from '#domains/patient/server/index.ts';
import type { CheckedInputOf } from '#kernel/contract/call.ts';
import type { addCardChange } from '../../contract/calls/cardChanges.ts';
import { cardActionsOf, REOPEN_DAYS, type ChangeAction } from '../../contract/cardDictionaries.ts';
import { lotKinds } from '../../contract/dictionaries.ts';
import { cardErrors } from '../../contract/errors.ts';
import { cardMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { maskCardNo } from '../cards/cardNo.ts';
import type { CardRecord } from '../cards/records.ts';

export type ChangeWish = Omit<CheckedInputOf<typeof addCardChange>, 'cardIds' | 'version' | 'reason' | 'evidenceFileIds'>;
export interface Payload {
  expireOn?: string;
  newCardId?: string;
  lotKind?: 'PRINCIPAL' | 'BONUS';
  amount?: number;
  mobileCipher?: string;
  mobileHash?: string;
  mobileMasked?: string;
}
export interface Difference {
  label: string;
  before: string;
  after: string;
}
type Prepared = { payload: Payload; differences: Difference[] };

const money = (fen: string | number | bigint) => `${yuan(BigInt(fen), true)}元`;
/** The last day that counts: an end is the beginning of the day after it. */
const lastDay = (card: CardRecord) => (card.expireAt === null ? '长期' : plusDays(dayOf(card.expireAt), -1));
const available = (card: CardRecord) => BigInt(card.principalAvail) + BigInt(card.bonusAvail);

/** Value that is set aside stays with its card. @throws Refusal SCM17013 */
export async function requireNothingHeld(tx: CommandContext['tx'], card: CardRecord): Promise<void> {
  const held = await own(tx)
    .selectFrom('cardHold')
    .select(['amount', 'times'])
    .where('cardId', '=', card.id)
    .where('state', '=', 'HELD')
    .execute();
  if (held.length === 0) return;
  const amount = held.reduce((sum, one) => sum + BigInt(one.amount), 0n);
  const times = held.reduce((sum, one) => sum + one.times, 0);
  if (amount === 0n) throw refuse(cardErrors.HELD, { n: '0' }, { message: `卡有预占${times}次，请先释放` });
  throw refuse(cardErrors.HELD, { n: yuan(amount) });
}

async function toVoid(ctx: CommandContext, card: CardRecord): Promise<Prepared> {
  await requireNothingHeld(ctx.tx, card);
  const differences: Difference[] = [
    { label: '状态', before: cardMachine.states[card.state].label, after: cardMachine.states.VOIDED.label },
  ];
  if (available(card) > 0n) differences.push({ label: '余额退回出资方', before: money(available(card)), after: money(0) });
  return { payload: {}, differences };
}

async function toReplace(ctx: CommandContext, card: CardRecord, { newCardNo }: ChangeWish): Promise<Prepared> {
  await requireNothingHeld(ctx.tx, card);
  const number = newCardNo.replaceAll(/\s/g, '');
  const before = maskCardNo(card.cardNo);
  if (number === '') {
    const left = await own(ctx.tx)
      .selectFrom('cardCard as c')
      .innerJoin('cardBatch as b', 'b.id', 'c.batchId')
      .select('c.id')
      .where('c.cardTypeId', '=', card.cardTypeId)
      .where('c.state', '=', 'IN_STOCK')
      .where('b.status', 'in', ['GENERATED', 'EXPORTED'])
      .limit(1)
      .executeTakeFirst();
    if (!left) throw refuse(cardErrors.STOCK_SHORT, { n: 1, m: 0 });
    return { payload: {}, differences: [{ label: '卡号', before, after: '审批时取一张库存卡' }] };
  }
  const fresh = await own(ctx.tx)
    .selectFrom('cardCard')
    .select(['id', 'cardNo', 'state', 'cardTypeId'])
    .where('cardNo', '=', number)
    .executeTakeFirst();
  if (!fresh) throw refuseField('newCardNo', '新卡号不存在，请核对');
  if (fresh.cardTypeId !== card.cardTypeId) throw refuseField('newCardNo', '新卡须与原卡同一卡种');
  if (fresh.state !== 'IN_STOCK') throw refuseField('newCardNo', `新卡状态为${cardMachine.states[fresh.state].label}，须为在库`);
  return { payload: { newCardId: fresh.id }, differences: [{ label: '卡号', before, after: maskCardNo(fresh.cardNo) }] };
}

function toExtend(ctx: CommandContext, card: CardRecord, { expireOn }: ChangeWish): Prepared {
  if (!expireOn) throw refuseField('expireOn', '请选择新失效日期');
  if (expireOn <= ctx.today) throw refuseField('expireOn', '新失效日期须晚于今天');
  if (card.expireAt === null)
    throw refuseField('expireOn', card.state === 'ISSUED' ? '该卡尚未激活，有效期从激活起算' : '该卡长期有效，不需要延期');
  if (startOfDay(plusDays(expireOn, 1)) <= card.expireAt) throw refuseField('expireOn', `新失效日期须晚于原失效日期${lastDay(card)}`);
  if (card.state === 'EXPIRED' && ctx.today > plusDays(dayOf(card.expireAt), REOPEN_DAYS))
    throw refuseField('expireOn', `已过期超过${REOPEN_DAYS}天，不能延期`);
  const differences = [{ label: '失效日期', before: lastDay(card), after: expireOn }];
  if (card.state === 'EXPIRED')
    differences.push({ label: '状态', before: cardMachine.states.EXPIRED.label, after: cardMachine.states.ACTIVE.label });
  return { payload: { expireOn }, differences };
}

async function toAdjust(ctx: CommandContext, card: CardRecord, { lotKind, amount, expireOn }: ChangeWish): Promise<Prepared> {
  if (card.kind !== 'STORED_VALUE') throw refuseField('action', '只有储值卡可以调账');
  if (!lotKind) throw refuseField('lotKind', '请选择资金类型');
  if (!amount) throw refuseField('amount', '调增金额须大于0');
  if (expireOn && expireOn < ctx.today) throw refuseField('expireOn', '失效日期不能早于今天');
  const type = await own(ctx.tx)
    .selectFrom('cardType')
    .select(['fundingMode', 'funderName'])
    .where('id', '=', card.cardTypeId)
    .executeTakeFirstOrThrow();
  // Nobody paid for it, and nobody will be asked to.
  if (lotKind === 'PRINCIPAL' && type.fundingMode === 'SALE') throw refuseField('lotKind', '客户购买的卡种不能调增本金，请选择赠金');
  const funder = lotKind === 'BONUS' ? '平台' : type.funderName;
  return {
    payload: { lotKind, amount, ...(expireOn && { expireOn }) },
    differences: [
      {
        label: `可用余额（${lotKinds.label(lotKind)}，${funder}出资）`,
        before: money(available(card)),
        after: money(available(card) + BigInt(amount)),
      },
      { label: '该笔失效日期', before: '', after: expireOn ?? (card.expireAt === null ? '长期' : lastDay(card)) },
    ],
  };
}

function toRebind(secrets: Secrets, card: CardRecord, { mobile }: ChangeWish): Prepared {
  if (!mobile) throw refuseField('mobile', '请输入正确的手机号');
  const payload = mobileColumns(secrets, mobile);
  if (payload.mobileHash === card.holderMobileHash) throw refuseField('mobile', '新手机号与原手机号相同');
  return {
    payload,
    differences: [{ label: '手机号', before: card.holderMobileMasked ?? '', after: payload.mobileMasked }],
  };
}

/**
 * What a change would make of a card, checked when it is asked for and again when it is passed.
 * @throws Refusal SCM90031 where the card's state does not allow it, SCM17013, SCM17023, SCM90020
 */
export async function prepare(
  ctx: CommandContext,
  secrets: Secrets,
  card: CardRecord,
  action: ChangeAction,
  wish: ChangeWish,
): Promise<Prepared> {
  requireState(card, action);
  if (action === 'VOID') return toVoid(ctx, card);
  if (action === 'REPLACE') return toReplace(ctx, card, wish);
  if (action === 'EXTEND') return toExtend(ctx, card, wish);
  if (action === 'ADJUST') return toAdjust(ctx, card, wish);
  return toRebind(secrets, card, wish);
}

/** @returns the act of the card's machine. @throws Refusal SCM90031 */
export function requireState(card: Pick<CardRecord, 'state'>, change: ChangeAction) {
  const action = cardActionsOf[change].find((one) => cardMachine.canStart(one, card.state));
  if (!action) throw refuse(platformErrors.WRONG_STATE, { state: cardMachine.states[card.state].label });
  return action;
}
