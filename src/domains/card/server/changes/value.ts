import { sql } from 'kysely';
import { refuse } from '#kernel/contract/errors.ts';
import { yuan } from '#kernel/contract/money.ts';
import { plusDays, startOfDay, type Instant } from '#kernel/contract/time.ts';
import type { CommandContext } from '#kernel/server/context.ts';
import type { AccountRef, Actor, Ledger, Leg, LotLeft, LotPick, PostCommand } from '#domains/ledger/server/index.ts';
import { cardErrors } from '../../contract/errors.ts';
import { hasSuccessor, isBonus, keepFunding, keepSuccessors, lotMove, successorRef } from '../cards/moveLots.ts';
import type { CardRecord } from '../cards/records.ts';
import { own } from '../database.ts';
import { shareOf } from '../expiry/share.ts';
import { oweForGrant } from '../grants/due.ts';
import {
  bonusCostOf,
  bonusOf,
  breakageOf,
  cash,
  committedOf,
  fundOf,
  issueContraOf,
  principalOf,
  receivableOf,
  unsoldOf,
} from '../chart.ts';
import { moveTimes } from '../use/times.ts';
import type { Payload } from './payload.ts';

export interface Change {
  id: string;
  changeNo: string;
  payload: Payload;
}
const refOf = ({ id, changeNo }: Change) => ({ type: 'cardChange', id, no: changeNo });
const owner = (cardId: string) => ({ type: 'cardAccount', id: cardId });
const nameOf = ({ funder, funderId }: { funder: string; funderId: string | null }) => `${funder}:${funderId ?? ''}`;
export const endOf = (day: string): Instant => startOfDay(plusDays(day, 1));

interface Funding {
  lotId: string;
  kind: 'PRINCIPAL' | 'BONUS';
  funder: 'INSURER' | 'PHARMA' | 'SPONSOR' | 'PLATFORM' | 'CUSTOMER';
  funderId: string | null;
  productCode: string | null;
  fundingMode: 'PREPAID' | 'ON_GRANT' | 'ON_USE' | 'SALE';
  expiryPolicy: 'RETURN' | 'BREAKAGE';
  grantLineId: string | null;
}
async function fundingOf(ctx: CommandContext, lots: readonly LotLeft[]): Promise<Map<string, Funding>> {
  if (lots.length === 0) return new Map();
  const ids = lots.map(({ id }) => id);
  const rows = await own(ctx.tx).selectFrom('cardLot').selectAll().where('lotId', 'in', ids).execute();
  return new Map(rows.map((row) => [row.lotId, row]));
}
/** The account that a lot was funded from. */
function originOf(lot: Funding): AccountRef {
  if (lot.kind === 'BONUS') return lot.funder === 'PLATFORM' ? bonusCostOf(lot) : receivableOf(lot);
  return { PREPAID: fundOf, ON_GRANT: receivableOf, ON_USE: committedOf, SALE: () => cash }[lot.fundingMode](lot);
}

/** What is left on a card goes back to whoever funded it, lot by lot. */
export async function takeBack(ctx: CommandContext, ledger: Ledger, card: CardRecord, change: Change, actor: Actor): Promise<void> {
  const lots = (await ledger.lotsOf(ctx.tx, 'CARD', owner(card.id))).filter(({ remaining }) => remaining > 0n);
  const funding = await fundingOf(ctx, lots);
  const debit = [...Map.groupBy(lots, isBonus)].map(([bonus, some]): Leg => {
    const picks = some.map(({ refType, refId, remaining }): LotPick => ({ refType, refId, amount: remaining }));
    return {
      account: bonus ? bonusOf(card.id) : principalOf(card.id),
      amount: picks.reduce((sum, one) => sum + one.amount, 0n),
      lots: picks,
    };
  });
  const credit: Leg[] = [];
  for (const lot of lots) {
    const facts = funding.get(lot.id)!;
    await ledger.openAccount(ctx, originOf(facts), { ownerName: nameOf(facts) });
    credit.push({ account: originOf(facts), amount: lot.remaining });
    if (originOf(facts).type === 'CARD_RECEIVABLE')
      await oweForGrant(ctx.tx, {
        cardTypeId: card.cardTypeId,
        key: `chg:${change.id}:${lot.id}`,
        sourceNo: `${change.changeNo}-作废`,
        amount: -lot.remaining,
        at: ctx.now,
      });
    if (facts.grantLineId !== null)
      await sql`
        update card_grant_line set revoked_amount = revoked_amount + ${String(lot.remaining)},
               state = case when revoked_amount + ${String(lot.remaining)} >= amount + bonus then 'REVOKED' else 'PART_REVOKED' end
         where id = ${facts.grantLineId}`.execute(ctx.tx);
  }
  if (debit.length > 0)
    await ledger.post(ctx, {
      businessKey: `card:void:${card.id}`,
      book: 'CARD',
      type: 'CARD_TAKE_BACK',
      debit,
      credit,
      ref: refOf(change),
      actor,
    });
}

/** The face of a card that never left the stock. */
export function unsoldPosting(
  batch: { id: string; faceAmount: string; bonusAmount: string },
  businessKey: string,
  change: Change,
  actor: Actor,
) {
  const face = BigInt(batch.faceAmount) + BigInt(batch.bonusAmount);
  if (face === 0n) return null;
  return {
    businessKey,
    book: 'CARD',
    type: 'CARD_ISSUE',
    debit: [{ account: unsoldOf(batch.id), amount: face }],
    credit: [{ account: issueContraOf(batch.id), amount: face }],
    ref: refOf(change),
    actor,
  } satisfies PostCommand;
}

/** Times that nobody may use any more: of a voided card, or gone over to another one. */
export async function takeTimes(ctx: CommandContext, card: CardRecord, change: Change): Promise<{ benefitId: string; left: number }[]> {
  const balances = await own(ctx.tx)
    .selectFrom('cardTimesBalance')
    .selectAll()
    .where('cardId', '=', card.id)
    .where('leftTimes', '>', 0)
    .execute();
  for (const { benefitId, leftTimes } of balances)
    await moveTimes(ctx.tx, ctx.now, {
      cardId: card.id,
      benefitId,
      kind: 'VOID',
      left: -leftTimes,
      held: 0,
      key: `chg:${change.id}:${benefitId}`,
      refType: 'cardChange',
      refId: change.id,
    });
  return balances.map(({ benefitId, leftTimes }) => ({ benefitId, left: leftTimes }));
}

/** A new lot, from the type's funder or as a present of the platform. @throws Refusal SCM17002 */
export async function adjust(ctx: CommandContext, ledger: Ledger, card: CardRecord, change: Change, actor: Actor): Promise<void> {
  const { tx, now } = ctx;
  const { lotKind = 'BONUS', amount = 0, expireOn } = change.payload;
  const type = await own(tx).selectFrom('cardType').selectAll().where('id', '=', card.cardTypeId).executeTakeFirstOrThrow();
  const bonus = lotKind === 'BONUS';
  const funding = bonus
    ? { funder: 'PLATFORM' as const, funderId: null, productCode: type.productCode, fundingMode: 'ON_GRANT' as const }
    : { funder: type.funder, funderId: type.funderId, productCode: type.productCode, fundingMode: type.fundingMode };
  const origin = bonus
    ? bonusCostOf(funding)
    : { PREPAID: fundOf, ON_GRANT: receivableOf, ON_USE: committedOf, SALE: () => cash }[funding.fundingMode](funding);
  if (!bonus && funding.fundingMode === 'PREPAID') {
    const [fund] = await ledger.balancesIfAny(tx, [origin], now);
    const short = BigInt(amount) - (fund?.available ?? 0n);
    if (short > 0n) throw refuse(cardErrors.FUND_SHORT, { n: yuan(short) });
  }
  const account = bonus ? bonusOf(card.id) : principalOf(card.id);
  await ledger.openAccount(ctx, account, { ownerName: card.holderName ?? '' });
  await ledger.openAccount(ctx, origin, { ownerName: bonus ? '平台' : type.funderName });
  const value = BigInt(amount);
  if (origin.type === 'CARD_RECEIVABLE')
    await oweForGrant(tx, {
      cardTypeId: card.cardTypeId,
      key: `chg:${change.id}`,
      sourceNo: `${change.changeNo}-调账`,
      amount: value,
      at: now,
    });
  await ledger.post(ctx, {
    businessKey: `card:chg:${change.id}`,
    book: 'CARD',
    type: bonus ? 'CARD_GRANT_BONUS' : 'CARD_GRANT',
    debit: [{ account: origin, amount: value }],
    credit: [
      { account, amount: value, lot: { refType: 'cardChange', refId: change.id, expiresAt: expireOn ? endOf(expireOn) : card.expireAt } },
    ],
    ref: refOf(change),
    actor,
  });
  const lot = (await ledger.lotsOf(tx, 'CARD', owner(card.id))).find(
    ({ refType, refId }) => refType === 'cardChange' && refId === change.id,
  )!;
  const terms = await own(tx)
    .selectFrom('cardTypeVersion')
    .select('rules')
    .where('cardTypeId', '=', card.cardTypeId)
    .where('ruleVersion', '=', card.ruleVersion)
    .executeTakeFirstOrThrow();
  const expiryPolicy = (terms.rules as { expiryPolicy?: 'RETURN' | 'BREAKAGE' }).expiryPolicy ?? 'RETURN';
  await own(tx)
    .insertInto('cardLot')
    .values({ lotId: lot.id, cardId: card.id, kind: lotKind, ...funding, expiryPolicy, grantLineId: null })
    .execute();
}

/** Times that ended with the card are there again. */
async function reviveTimes(ctx: CommandContext, card: CardRecord, change: Change): Promise<void> {
  const { rows } = await sql<{ benefitId: string; gone: number }>`
    select benefit_id, -sum(delta_left)::int as gone
      from card_times_move
      where card_id = ${card.id} and (kind = 'EXPIRE' or (kind = 'UNDO' and ref_type = 'cardChange'))
      group by benefit_id
      having sum(delta_left) < 0`.execute(ctx.tx);
  for (const { benefitId, gone } of rows)
    await moveTimes(ctx.tx, ctx.now, {
      cardId: card.id,
      benefitId,
      kind: 'UNDO',
      left: gone,
      held: 0,
      key: `reopen:${change.id}:${benefitId}`,
      refType: 'cardChange',
      refId: change.id,
    });
}

/** What the sweep took comes back as new lots, from where the expiry put it. */
async function sweptBack(
  ctx: CommandContext,
  ledger: Ledger,
  card: CardRecord,
  change: Change,
  { lots, until, mark, actor }: { lots: readonly LotLeft[]; until: Instant; mark: string; actor: Actor },
): Promise<PostCommand | null> {
  const swept = await ledger.expiredOf(
    ctx.tx,
    lots.map(({ id }) => id),
  );
  const gone = lots.filter((lot) => (swept.get(lot.id) ?? 0n) > 0n && !hasSuccessor(lot, lots));
  if (gone.length === 0) return null;
  const funding = await fundingOf(ctx, gone);
  const debit: Leg[] = [];
  for (const lot of gone) {
    const facts = funding.get(lot.id)!;
    const account = shareOf(facts) ?? breakageOf(card.batchId);
    await ledger.openAccount(ctx, account, { ownerName: nameOf(facts) });
    debit.push({ account, amount: swept.get(lot.id)! });
    if (account.type === 'CARD_RECEIVABLE')
      await oweForGrant(ctx.tx, {
        cardTypeId: card.cardTypeId,
        key: `chg:${change.id}:${lot.id}`,
        sourceNo: `${change.changeNo}-恢复`,
        amount: swept.get(lot.id)!,
        at: ctx.now,
      });
  }
  return {
    businessKey: `card:chg:${change.id}:back`,
    book: 'CARD',
    type: 'CARD_REOPEN',
    debit,
    credit: gone.map((lot) => ({
      account: isBonus(lot) ? bonusOf(card.id) : principalOf(card.id),
      amount: swept.get(lot.id)!,
      lot: { refType: lot.refType, refId: successorRef(lot.refId, mark), expiresAt: until },
    })),
    ref: refOf(change),
    actor,
  };
}

/** The value of a card is good for longer; of an expired one, again. */
export async function extend(ctx: CommandContext, ledger: Ledger, card: CardRecord, change: Change, actor: Actor): Promise<void> {
  const until = endOf(change.payload.expireOn!);
  const isExpired = card.state === 'EXPIRED';
  if (isExpired) await reviveTimes(ctx, card, change);
  if (card.kind !== 'STORED_VALUE') return;
  const mark = change.id;
  const lots = await ledger.lotsOf(ctx.tx, 'CARD', owner(card.id));
  const ending = lots.filter(({ expiresAt }) => expiresAt !== null && expiresAt < until);
  const move = lotMove(card.id, ending, until, { businessKey: `card:chg:${change.id}`, mark, ref: refOf(change), actor });
  const back = isExpired ? await sweptBack(ctx, ledger, card, change, { lots, until, mark, actor }) : null;
  const postings = [move, back].filter((one) => one !== null);
  if (postings.length === 0) return;
  await ledger.postMany(ctx, postings);
  await keepSuccessors(ctx.tx, ledger, card.id, lots, mark);
}

/** The value of a card goes over to another one, each lot with its end and its funder. */
export async function moveValue(
  ctx: CommandContext,
  ledger: Ledger,
  { old, fresh, issue, change, actor }: { old: CardRecord; fresh: { id: string }; issue: PostCommand | null; change: Change; actor: Actor },
): Promise<void> {
  const { tx, now } = ctx;
  const pairs = [
    { kind: 'principal', from: principalOf(old.id), to: principalOf(fresh.id) },
    { kind: 'bonus', from: bonusOf(old.id), to: bonusOf(fresh.id) },
  ];
  const found = await ledger.balancesIfAny(
    tx,
    pairs.map(({ from }) => from),
    now,
  );
  const there = pairs.filter((_pair, at) => found[at] !== null && found[at] !== undefined);
  for (const { to } of there) await ledger.openAccount(ctx, to, { ownerName: old.holderName ?? '' });
  const issued = issue ? [...issue.debit, ...issue.credit].flatMap(({ account }) => account as AccountRef) : [];
  await ledger.lock(ctx, [...issued, ...there.flatMap(({ from, to }) => [from, to])]);
  for (const { kind, from, to } of there)
    await ledger.replaceAccount(ctx, {
      from,
      to,
      businessKey: `card:chg:${change.id}:${kind}`,
      type: 'CARD_MOVE_LOT',
      reason: `换卡${change.changeNo}`,
      actor,
    });
  if (issue) await ledger.post(ctx, issue);
  const before = await ledger.lotsOf(tx, 'CARD', owner(old.id));
  const after = await ledger.lotsOf(tx, 'CARD', owner(fresh.id));
  await keepFunding(
    tx,
    fresh.id,
    before.flatMap((lot) => {
      const next = after.find(
        ({ refType, refId, accountType }) => refType === lot.refType && refId === lot.refId && accountType === lot.accountType,
      );
      return next ? [{ from: lot.id, to: next.id }] : [];
    }),
  );
}
