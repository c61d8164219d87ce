import { sql } from 'kysely';
import { platformErrors, refuse } from '#kernel/contract/errors.ts';
import { dayOf, type Instant, plusDays, startOfDay } from '#kernel/contract/time.ts';
import type { Db, Tx } from '#kernel/server/context.ts';
import type { Ledger } from '#domains/ledger/server/index.ts';
import type { JudgedCard } from '../../contract/rules/check.ts';
import type { SpendableLot } from '../../contract/rules/lots.ts';
import type { Stacked } from '../../contract/rules/usage.ts';
import type { HoldBizType } from '../../contract/useDictionaries.ts';
import { cardMachine } from '../../contract/states.ts';
import { own } from '../database.ts';
import { type CardRules, rulesOf } from '../types/rules.ts';
import { sumOf } from '../../contract/rules/rounding.ts';

type CardState = keyof typeof cardMachine.states;

/** What use asks of a card: the row, its type and the rules that its batch pinned. */
export interface CardInUse {
  id: string;
  cardNo: string;
  batchId: string;
  cardTypeId: string;
  ruleVersion: number;
  cardTypeName: string;
  kind: JudgedCard['kind'];
  state: CardState;
  expireAt: Instant | null;
  holderIdHash: string | null;
  holderName: string | null;
  patientId: string | null;
  rules: CardRules;
}

const select = (db: Db | Tx) =>
  own(db)
    .selectFrom('cardCard as c')
    .innerJoin('cardType as t', 't.id', 'c.cardTypeId')
    .select(['c.id', 'c.cardNo', 'c.batchId', 'c.cardTypeId', 'c.ruleVersion', 't.typeName as cardTypeName', 't.kind', 'c.state'])
    .select(['c.expireAt', 'c.holderIdHash', 'c.holderName', 'c.patientId', 'c.version']);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

async function withRules(db: Db | Tx, row: Row): Promise<CardInUse> {
  return { ...row, rules: await rulesOf(db, row.cardTypeId, row.ruleVersion) };
}
export const missingCard = () => refuse(platformErrors.NOT_FOUND, { message: '卡不存在或已删除' });

/** @throws Refusal SCM90040 */
export async function findCard(db: Db | Tx, by: { cardId?: string | undefined; cardNo?: string | undefined }): Promise<CardInUse> {
  const query = select(db);
  const row =
    by.cardId !== undefined
      ? await query.where('c.id', '=', by.cardId).executeTakeFirst()
      : await query.where('c.cardNo', '=', (by.cardNo ?? '').replaceAll(/\s/g, '')).executeTakeFirst();
  if (!row) throw missingCard();
  return withRules(db, row);
}

/** Cards of a use, locked in one order: nobody else spends of them until this transaction ends. @throws Refusal SCM90040 */
export async function lockCards(tx: Tx, ids: readonly string[]): Promise<CardInUse[]> {
  const rows = await select(tx)
    .where('c.id', 'in', [...ids])
    .orderBy('c.id')
    .forUpdate('c')
    .execute();
  if (rows.length < new Set(ids).size) throw missingCard();
  return Promise.all(rows.map((row) => withRules(tx, row)));
}

export const stackedOf = (card: CardInUse): Stacked => ({
  cardId: card.id,
  stackGroup: card.rules.stackGroup,
  stackable: card.rules.stackable,
});

/** Cards that the same order uses already, whoever set their value aside. */
export async function cardsOfOrder(db: Db | Tx, bizType: HoldBizType, bizId: string): Promise<CardInUse[]> {
  const types: readonly HoldBizType[] = bizType === 'RIGHTS' ? ['RIGHTS'] : ['ORDER', 'MANUAL'];
  const rows = await select(db)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('cardHold as h')
          .select(sql.lit(1).as('one'))
          .whereRef('h.cardId', '=', 'c.id')
          .where('h.bizType', 'in', types)
          .where('h.bizId', '=', bizId)
          .where('h.state', 'in', ['HELD', 'CAPTURED'])
          .where('h.restoredAt', 'is', null),
      ),
    )
    .execute();
  return Promise.all(rows.map((row) => withRules(db, row)));
}

/** What the holder used of a type today: held, and captured less reversed. */
export async function usedToday(db: Db | Tx, card: Pick<CardInUse, 'cardTypeId' | 'holderIdHash' | 'id'>, now: Instant): Promise<bigint> {
  const from = startOfDay(dayOf(now));
  const to = startOfDay(plusDays(dayOf(now), 1));
  const { rows } = await sql<{ used: string }>`
    select coalesce(sum(case h.state when 'HELD' then h.amount else h.captured_amount
             - coalesce((select sum(w.reversed_amount) from card_write_off w where w.hold_id = h.id), 0) end), 0) as used
      from card_hold h join card_card c on c.id = h.card_id
     where c.card_type_id = ${card.cardTypeId} and h.state in ('HELD', 'CAPTURED')
       and (c.id = ${card.id} or c.holder_id_hash = ${card.holderIdHash})
       and h.created_at >= ${from}::timestamptz and h.created_at < ${to}::timestamptz`.execute(db);
  return BigInt(rows[0]!.used);
}

/** Lots of a card with what is free of them. */
export async function lotsOf(db: Db | Tx, ledger: Ledger, cardId: string): Promise<(SpendableLot & { lotNo: string })[]> {
  const lots = await ledger.lotsOf(db, 'CARD', { type: 'cardAccount', id: cardId });
  return lots.map((lot) => ({
    lotId: lot.id,
    lotNo: lot.lotNo,
    kind: lot.accountType === 'CARD_BONUS' ? 'BONUS' : 'PRINCIPAL',
    free: lot.remaining - lot.held,
    expiresAt: lot.expiresAt,
  }));
}

async function timesOf(db: Db | Tx, card: CardInUse, benefitId: string, now: Instant): Promise<{ left: number; month: number }> {
  const month = startOfDay(`${dayOf(now).slice(0, 7)}-01`);
  const { rows } = await sql<{ left: number; month: number }>`
    select coalesce((
      select b.left_times - b.held_times from card_times_balance b where b.card_id = ${card.id} and b.benefit_id = ${benefitId}
    ), 0)::int as left,
      coalesce((
        select sum(case m.kind when 'HOLD' then m.delta_held when 'UNHOLD' then m.delta_held when 'UNDO' then -m.delta_left else 0 end)
          from card_times_move m
          where m.card_id = ${card.id} and m.benefit_id = ${benefitId} and m.at >= ${month}::timestamptz
      ), 0)::int as month`.execute(db);
  return rows[0]!;
}

/** A card as the rules judge it. */
export async function judgedCard(
  db: Db | Tx,
  ledger: Ledger,
  card: CardInUse,
  benefitId: string | undefined,
  now: Instant,
): Promise<JudgedCard<SpendableLot & { lotNo: string }>> {
  const benefit = card.rules.benefits.find((one) => one.benefitId === benefitId) ?? card.rules.benefits[0];
  const counted =
    card.kind === 'STORED_VALUE' ? null : await timesOf(db, card, card.kind === 'COUPON' ? 'COUPON' : (benefit?.benefitId ?? ''), now);
  return {
    ...stackedOf(card),
    kind: card.kind,
    state: card.state,
    stateLabel: cardMachine.dictionary.label(card.state),
    expireAt: card.expireAt,
    scope: card.rules.scope,
    limits: card.rules.limits,
    coupon: card.rules.coupon,
    lots: card.kind === 'STORED_VALUE' ? await lotsOf(db, ledger, card.id) : [],
    timesLeft: counted?.left ?? 0,
    monthLeft: benefit?.perMonthMax === undefined || benefit.perMonthMax === null || !counted ? null : benefit.perMonthMax - counted.month,
  };
}

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
